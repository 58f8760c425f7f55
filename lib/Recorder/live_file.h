/* SPDX-License-Identifier: Apache-2.0 */
/* The file `<record>.live` holds the buffers of a crash-safe recorder. It is a shared mapping, so
 * that stored events survive the process.
 *
 *   live   := header stream*                each stream at a multiple of the page size
 *   stream := warpo_live_stream buffer      the buffer at warpo_live_page behind it
 *
 * A chunk is zeroed before use, so that the file alone shows where its events end. The recorded
 * part of a stream advances in one step: the header first says what is about to be written, then,
 * by one store, that it has been written. Losses are counted in the same steps. So at whatever
 * moment the process is killed, each event is in exactly one of the record, a chunk and a count.
 * Only recover.c of the same version reads the file. */
#ifndef WARPO_RECORDER_LIVE_FILE_H
#define WARPO_RECORDER_LIVE_FILE_H

#include "chunks.h"
#include "clock.h"

#define WARPO_LIVE_MAGIC "WARPOLV5"
enum {
  warpo_live_page = 1 << 16,
  warpo_live_max_chunks = 16,
};

typedef enum warpo_live_phase {
  warpo_live_idle,
  warpo_live_writing, /* what lies behind size_before in the record may be there in part */
  warpo_live_written, /* it is whole: `then` holds */
} warpo_live_phase;

/* What the record holds of all streams, including those no longer in this file. */
typedef struct warpo_live_totals {
  uint64_t events; /* in the record */
  uint64_t gone;   /* events that are missing of streams which do not lie here any more */
} warpo_live_totals;

/* How much of a stream is in the record. */
typedef struct warpo_live_progress {
  uint64_t chunks; /* in the record, or given up by a ring */
  uint64_t taken;  /* bytes of the next one that are in the record */
  warpo_unrecorded unrecorded;
} warpo_live_progress;

typedef struct warpo_live_header {
  char magic[8];
  uint64_t is_ring;
  uint64_t start_size; /* of what the record begins with */
  uint8_t start[warpo_start_size];
  uint64_t stream_size; /* of each stream in this file */
  uint64_t
      recovered_from; /* what lies behind this in the record somebody was about to add; 0: none */
  _Atomic uint64_t refused; /* events of streams that were refused: they do not lie here */
  warpo_live_totals totals;
  _Atomic uint64_t phase;
  /* The write in progress. */
  uint64_t size_before;
  uint64_t stream; /* by its place in this file */
  struct {
    warpo_live_totals totals;
    warpo_live_progress progress;
    uint64_t has_ended; /* the stream lies here no more */
  } then;
} warpo_live_header;

typedef struct warpo_live_stream {
  _Atomic uint64_t in_use;
  uint64_t place;                        /* where this stands in the file */
  struct warpo_live_stream *next_unused; /* of the process that records */
  uint64_t number, module, module_number, thread;
  uint64_t form;         /* of entries */
  uint64_t measure;      /* the clock of what they count; 0: nothing */
  uint64_t measure_size; /* of the block that declares it */
  uint8_t measure_block[warpo_clock_block_size];
  uint64_t chunk_count, chunk_bytes;
  _Atomic uint64_t begun; /* chunks so far, the one that is being filled included */
  warpo_live_progress progress;
  warpo_losses losses;
  warpo_chunk_head chunks[warpo_live_max_chunks];
} warpo_live_stream;

_Static_assert(sizeof(warpo_live_header) <= warpo_live_page, "the header has a page");
_Static_assert(sizeof(warpo_live_stream) <= warpo_live_page, "the buffer lies a page behind it");

#endif
