/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder with its file. warpo_file.c and warp_file.c convert chunks to the file's format and
 * write them; with WARPO_POLICY_RING chunks are not drained, and flight.c writes them on request.
 * Modules, sections, samples and phases are written as well. Streams are opened and closed here, as
 * the file must have room for them.
 */
#ifndef WARPO_RECORDER_FILES_H
#define WARPO_RECORDER_FILES_H

#include "sink.h"
#include "streams.h"
#include "tail.h"
#include "warpo/Recorder/heap_sampler.h"
#include "warpo/Recorder/section.h"

/* The file of a crash-safe recorder. */
typedef struct warpo_live {
  char *path; /* NULL: there is none */
  int fd;
  uint64_t size;
  size_t stream_size;
  warpo_live_header *header; /* NULL: none, or no more */
  warpo_live_header *mapped; /* the same, until the recorder is freed */
  warpo_live_stream *unused;
} warpo_live;

/* A block that stands at the start of a record. Never changed, never freed before the recorder. */
typedef struct warpo_declaration {
  struct warpo_declaration *_Atomic following;
  size_t size;
  uint8_t block[];
} warpo_declaration;

/* The names of the sections that have ids, in the order of the ids. */
typedef struct warpo_section_table {
  struct warpo_section_name *names;
  size_t count;
  uint32_t *slots; /* of a hash table: a name's place plus 1; 0: free */
  size_t slot_count;
} warpo_section_table;

/* The loss at the end of a stream that was closed when nothing could be written any more. */
typedef struct warpo_last_loss {
  uint64_t stream, since, count;
} warpo_last_loss;

/* Streams that later ones may continue. */
typedef struct warpo_ended_streams warpo_ended_streams;

/* A module that the record knows. */
typedef struct warpo_known_module {
  uint64_t id;
  int32_t first_id, last_id; /* of its functions; 0: unknown */
  bool has_marks;
} warpo_known_module;

/* The sums of a dump: events of the rings by outcome. */
typedef struct warpo_dump_sum {
  uint64_t events; /* are in the file */
  uint64_t missed; /* could not be written */
  uint64_t meaningless;
} warpo_dump_sum;

/* The functions of a file format: warp_file.c and warpo_file.c have one each. The caller holds
 * `lock`. */
typedef struct warpo_file_format {
  bool has_names;   /* and phases, sections, samples; else there are calls alone */
  bool has_writer;  /* a thread of ours drains, else those that trace do */
  uint64_t max_age; /* as of warpo_streams */
  /* Returns why a record cannot have these options, or such a stream beside the open ones, with an
   * errno; NULL if it can. NULL as the function: it can have all. */
  const char *(*lacks_option)(const warpo_recorder_options *options);
  const char *(*lacks_stream)(const warpo_recorder *recorder, uint64_t module,
                              warpo_entry_form form, int *error);
  void (*begin)(warpo_recorder *recorder);
  /* Makes the stream's encoder. False without memory. */
  bool (*make_encoder)(warpo_stream_full *stream);
  /* Reserves room in the file for the stream's declaration and end, if there is some. */
  void (*reserve)(warpo_stream_full *stream);
  /* Writes entries of a chunk whose times count from `base`. */
  void (*write)(warpo_stream_full *stream, uint64_t base, const char *begin, const char *end);
  /* Writes the losses of a drained stream; nothing of the stream may be written afterwards. */
  void (*end_stream)(warpo_stream_full *stream);
  void (*end)(warpo_recorder *recorder);
} warpo_file_format;
extern const warpo_file_format warpo_warp_format, warpo_warpo_format;

/* Calls to the layer above. */
typedef struct warpo_file_calls {
  /* In a child of a fork: begins its record, if that has not been done. The caller holds `lock`. */
  void (*begin_record)(warpo_recorder *recorder);
} warpo_file_calls;

/* The number of columns that readers support. */
enum { warpo_max_measures = 4 };

struct warpo_recorder {
  const warpo_file_calls *calls;
  struct warpo_recorder *next_open; /* list of all recorders, for fork and exit */
  const warpo_file_format *format;
  warpo_recorder_options options; /* without its texts */
  /* What entries may count beside their time: clock number n is measures[n - 1]. */
  struct {
    char name[warpo_clock_name_size]; /* empty: free */
    bool declared;
  } measures[warpo_max_measures];
  char *file; /* NULL: a descriptor */

  warpo_streams streams;
  warpo_sink sink;
  warpo_live live;
  bool finished;                /* the file is whole and closed */
  bool waits_for_event;         /* a child of a fork: the file is made with its first event */
  warpo_recorder_counts counts; /* without what open streams lost */
  _Atomic uint64_t gone;        /* the sum of what is lost in `counts` */
  warpo_clock_info clock;
  uint64_t next_stream; /* numbers of streams that were given */
  uint64_t declared_streams;
  warpo_ended_streams *ended_streams;         /* NULL: none */
  warpo_ended_streams *parents_ended_streams; /* as parents_encoder */
  uint64_t closed_streams;
  warpo_index_entry *index;
  warpo_index_entry *parents_index; /* as parents_encoder */
  size_t index_size, index_capacity;
  bool without_index; /* there was no memory for it */
  bool is_full;       /* max_bytes leave no place for further modules and streams */
  warpo_last_loss *last_losses;
  size_t last_loss_count;
  warpo_record *converted; /* of WARPO_FORMAT_WARP: events that are being written */
  warpo_tail tail;

  warpo_declaration *_Atomic declarations;
  warpo_declaration *last_declaration;
  warpo_known_module *modules; /* by number */
  size_t module_count;
  warpo_section_table sections;
  warpo_section_counts section_counts;

  struct warpo_stacks *stacks;         /* NULL before the first stream of samples */
  struct warpo_stacks *parents_stacks; /* as parents_encoder */
  struct warpo_sample_stream *sample_streams;
  uint64_t heap_streams; /* that there have been */
  warpo_heap_sampler heap_sampler;

  /* For dumps of a ring. */
  warpo_event_encoder dump_encoder;
  bool has_dump;       /* in its own file */
  warpo_dump_sum dump; /* of the last one */
};

/* ---- losses.c ---- */
/* Adds to `counts` what the stream has lost. */
void warpo_stream_add_losses(const warpo_stream_full *stream, warpo_recorder_counts *counts);
/* The sum of what is lost in `counts`. */
uint64_t warpo_lost(const warpo_recorder_counts *counts);
/* The counts of all events by outcome. The caller holds `lock`. */
warpo_recorder_counts warpo_recorder_sum(const warpo_recorder *recorder);

/* ---- stream.c ---- */
/* Declares another clock in the record, once. False without memory. */
bool warpo_declare_measure(warpo_recorder *recorder, uint64_t clock);
/* The operating system's number of this thread, for its streams; 0 if the record must not have it.
 */
uint64_t warpo_thread_number(const warpo_recorder *recorder);
/* Writes the stream's buffered events, removes it from its recorder and frees it. The caller holds
 * `lock`. */
void warpo_stream_remove(warpo_stream_full *stream);
void warpo_stream_release(warpo_stream_full *stream);

/* ---- ended_streams.c: the caller holds `lock` ---- */
/* Call when all of a stream has been written: if nothing is open on it, another may continue it. */
void warpo_stream_has_ended(warpo_stream_full *stream);
/* Gives a new stream, which has its module and thread, the number of one that has ended. False if
 * the record has few streams, or if there is none. */
bool warpo_stream_continues(warpo_stream_full *stream);
void warpo_ended_streams_free(warpo_ended_streams *ended);

/* ---- warpo_file.c: the caller holds `lock` ---- */
/* Whether `size` more bytes leave room below max_bytes for the end of the record. */
bool warpo_file_fits(const warpo_recorder *recorder, size_t size);
void warpo_file_declare(warpo_recorder *recorder, const warpo_declaration *declaration);
/* Whether the record can have one more stream. */
static inline bool warpo_has_stream_left(const warpo_recorder *recorder) {
  return recorder->declared_streams < warpo_max_streams;
}
/* Declares the stream, unless that has been done. Not if the record has no stream left. */
void warpo_file_declare_stream(warpo_stream_full *stream);
void warpo_file_write_lost(warpo_stream_full *stream, uint64_t time, uint64_t count,
                           warpo_loss_cause cause);
/* Writes the block that is being filled, if there is one. */
void warpo_file_finish_block(warpo_stream_full *stream);
static inline warpo_stream_fields warpo_stream_fields_of(const warpo_stream_full *stream) {
  return (warpo_stream_fields){stream->number, stream->module_number, stream->thread};
}

/* See warpo_stream_calls. */
void warpo_file_take(warpo_stream_full *stream, const warpo_chunk *chunk, bool is_first,
                     const char *begin, const char *end, uint64_t chunks, size_t taken);

/* ---- flight.c ---- */
/* The number of events in a ring. */
uint64_t warpo_ring_count(warpo_stream_full *stream);
/* See warpo_recorder_dump. *has_begun is false if the file is unchanged. */
int warpo_ring_dump(warpo_recorder *recorder, int fd, bool *has_begun);
/* Brackets writes to the recorder's own file other than dumps: removes an earlier dump, and no dump
 * runs in between. The caller holds `lock`. */
void warpo_ring_begin_write(warpo_recorder *recorder);
void warpo_ring_end_write(warpo_recorder *recorder);

/* ---- samples.c: the caller holds `lock` ---- */
void warpo_samples_flush(warpo_recorder *recorder);
/* Closes all sample streams. */
void warpo_samples_free(warpo_recorder *recorder);
/* In a child of a fork. */
void warpo_samples_forget(warpo_recorder *recorder);

/* ---- sections.c ---- */
/* Adds the faults that an encoder has found by the end of its stream. The caller holds `lock`. */
void warpo_sections_count(warpo_stream_full *stream);
/* The id of the section that a stream is in while recording is switched off. */
int32_t warpo_name_pause(warpo_stream_full *stream);
void warpo_sections_free(warpo_section_table *table);

/* ---- modules.c ---- */
/* Room for a block of `size` bytes; NULL without memory. */
warpo_declaration *warpo_declaration_new(size_t size);
/* Keeps a block for the start of the record and writes it, unless a dump will. */
void warpo_declare(warpo_recorder *recorder, warpo_declaration *made);
/* Whether declarations are written now, rather than by a dump or at a child's first event. */
bool warpo_writes_now(const warpo_recorder *recorder);
/* Declares one more function of a module if the file has room. The caller holds `lock`. */
void warpo_module_add_name(warpo_recorder *recorder, uint64_t module, int32_t id, const char *name,
                           size_t size);
/* NULL if the record does not have the module. */
const warpo_known_module *warpo_module_find(const warpo_recorder *recorder, uint64_t id);
/* The module's number; declares the module if necessary. UINT64_MAX without memory. */
uint64_t warpo_module_number(warpo_recorder *recorder, uint64_t id);

/* ---- stack_modules.c: the caller holds `lock` ---- */
/* Whether an open stream other than `but`, which may be NULL, has calls of the module. */
bool warpo_is_module_open(const warpo_recorder *recorder, uint64_t module,
                          const warpo_stream_full *but);
/* NULL if there is none. */
const warpo_stream_window *warpo_stream_find_window(const warpo_stream_full *stream,
                                                    uint64_t module);
/* Frees the stream's joined modules. */
void warpo_stream_forget_modules(warpo_stream_full *stream);
/* The module and id of an entry with this id; the result has no time. */
warpo_record warpo_stream_resolve(const warpo_stream_full *stream, int32_t id);

/* ---- live.c ---- */
/* The functions below do nothing for a recorder without such a file. The caller holds `lock` unless
 * stated otherwise. */

/* Creates the file. The record's clock must be known. Errors go to the sink. */
void warpo_live_open(warpo_recorder *recorder);
/* Removes the file: the record is complete, or can never be. */
void warpo_live_close(warpo_recorder *recorder);
/* In a forked child: the file is the parent's. */
void warpo_live_abandon(warpo_recorder *recorder);

/* Allocates a place for a stream and reserves it on the disk; all places have the same size. On
 * failure returns NULL and sets the sink's error. */
warpo_live_stream *warpo_live_allocate(warpo_recorder *recorder, size_t buffer_bytes);
static inline char *warpo_live_buffer(warpo_live_stream *live) {
  return (char *)live + warpo_live_page;
}
/* Declares the stream, which has no chunks yet. */
void warpo_live_begin_stream(warpo_stream_full *stream);
void warpo_live_release(warpo_recorder *recorder, warpo_live_stream *live);

/* Brackets each write of the record: call warpo_live_intend before it, and warpo_live_commit after
 * it, with the place in the stream that the record has reached. */
void warpo_live_intend(warpo_stream_full *stream);
void warpo_live_commit(warpo_stream_full *stream, uint64_t chunks, uint64_t taken);
/* Like warpo_live_commit, at the end of the stream. `lost`: the number of its missing events. */
void warpo_live_commit_end(warpo_stream_full *stream, uint64_t lost);

#endif
