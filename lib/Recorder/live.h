/* The file `<record>.live`, in which the buffers of a crash-safe recorder lie: mapped and shared,
 * so that what was stored into them is there whatever becomes of the process.
 *
 *     live   := header stream*                each stream at a multiple of the page size
 *     stream := warpo_live_stream buffer      the buffer at warpo_live_page behind it
 *
 * A chunk is zeroed before it is used, so that its end can be found without asking anybody. What of
 * it is in the record is told in one step: the header says what is about to be written, and then,
 * by one store, that it has been. Only recover.c of the same version reads the file. */
#ifndef WARPO_RECORDER_LIVE_H
#define WARPO_RECORDER_LIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WARPO_LIVE_MAGIC "WARPOLV2"
enum { warpo_live_page = 1 << 16, warpo_live_max_chunks = 16 };

typedef enum warpo_live_phase {
  warpo_live_idle,
  warpo_live_writing, /* what lies behind size_before in the record may be there in part */
  warpo_live_written, /* it is whole: drained, taken and events hold */
} warpo_live_phase;

typedef struct warpo_live_header {
  char magic[8];
  uint64_t is_ring;
  uint64_t stream_size;    /* of each stream in this file */
  _Atomic uint64_t events; /* in the record */
  _Atomic uint64_t phase;
  /* What is being written. */
  uint64_t size_before;
  uint64_t stream; /* by its place in this file */
  uint64_t drained, taken, events_then;
} warpo_live_header;

typedef struct warpo_live_stream {
  _Atomic uint64_t in_use;
  uint64_t place;                        /* where this stands in the file */
  struct warpo_live_stream *next_unused; /* of the process that records */
  uint64_t number, module_number, thread;
  uint64_t form; /* of entries */
  uint64_t has_fuel;
  uint64_t chunk_count, chunk_bytes;
  _Atomic uint64_t begun;    /* chunks so far, the one that is being filled included */
  _Atomic uint64_t drained;  /* of them in the record, or given up by a ring */
  uint64_t taken;            /* bytes of the next one that are in the record */
  _Atomic uint64_t given_up; /* events in chunks that a ring has given up */
  struct {
    uint64_t base, lost, lost_since;
  } chunks[warpo_live_max_chunks];
} warpo_live_stream;

_Static_assert(sizeof(warpo_live_header) <= warpo_live_page, "the header has a page");
_Static_assert(sizeof(warpo_live_stream) <= warpo_live_page, "the buffer lies a page behind it");

struct warpo_recorder;
struct warpo_stream_full;

/* All of what follows does nothing for a recorder that has no such file. The caller holds `lock`
 * but where it is said. */

/* Makes the file. The sink gets the error. */
void warpo_live_open(struct warpo_recorder *recorder);
/* Takes the file away: the record is whole, or never will be. */
void warpo_live_close(struct warpo_recorder *recorder);
/* In a child of a fork: the file is the parent's. */
void warpo_live_abandon(struct warpo_recorder *recorder);

/* A place for a stream, whose room on the disk is reserved; all have the same size. NULL if there
 * is none, which the sink is told. */
warpo_live_stream *warpo_live_allocate(struct warpo_recorder *recorder, size_t buffer_bytes);
static inline char *warpo_live_buffer(warpo_live_stream *live) {
  return (char *)live + warpo_live_page;
}
/* Says what the stream is; it has no chunks. */
void warpo_live_begin_stream(struct warpo_stream_full *stream);
void warpo_live_release(struct warpo_recorder *recorder, warpo_live_stream *live);

/* By the stream's thread: chunk `number` is empty and the next one to be filled. */
void warpo_live_begin_chunk(struct warpo_stream_full *stream, uint64_t number);
/* By the stream's thread: a ring has given up the chunks before number `drained`. */
void warpo_live_give_up(struct warpo_stream_full *stream, uint64_t drained);

/* The record is about to be written, up to here in the stream; and has been. */
void warpo_live_intend(struct warpo_stream_full *stream, uint64_t drained, uint64_t taken);
void warpo_live_commit(struct warpo_stream_full *stream);

#endif
