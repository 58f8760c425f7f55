/* What the files of the recorder share.
 *
 * An event's way: a trace point stores it into the stream's current chunk (trace_point.c); a full
 * chunk is handed over to whoever drains (writer.c, or the tracing thread itself), which puts it
 * into the form of the file (warp_file.c, warpo_file.c) and writes that (sink.c). With
 * WARPO_POLICY_RING nobody drains: flight.c writes what the chunks hold when it is asked to.
 *
 * Locks: `lock` is held by who drains or writes, perhaps for as long as a full pipe lasts.
 * `state_lock` is held for a few instructions only, and may be taken under `lock`.
 */
#ifndef WARPO_RECORDER_INTERNAL_H
#define WARPO_RECORDER_INTERNAL_H

#include "live.h"
#include "warpo/Recorder/event_stream.h"
#include "warpo/Recorder/record_encoding.h"
#include "warpo/Recorder/section.h"
#include "warpo/Recorder/warpo_recorder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

/* The file that is written, and the first error. All of it is used under the recorder's lock. */
typedef struct warpo_sink {
  int fd;
  bool owned;    /* opened here, so closed here */
  bool regular;  /* a regular file of ours: what a full disk cut can be taken back, and be corrected
                  */
  bool broken;   /* a write failed: nothing more is written */
  uint64_t size; /* bytes written */
  char *name;    /* for messages */
  int error;     /* errno of the first error */
  char *error_text; /* NULL until there is one; if there was no memory for it, too */
} warpo_sink;

/* Opens `file`, or takes `fd` if it is NULL. */
void warpo_sink_open(warpo_sink *sink, const char *file, int fd);

/* Keeps the first error; `what` is "cannot write" or the like. */
void warpo_sink_fail(warpo_sink *sink, const char *what, int error);

/* Writes `size` bytes, returns how many are in the file as whole units of `unit` bytes; fewer than
 * `size` exactly if it failed. */
size_t warpo_sink_write(warpo_sink *sink, const void *data, size_t size, size_t unit);

/* Overwrites bytes that are in a regular file. */
void warpo_sink_correct(warpo_sink *sink, uint64_t offset, const void *data, size_t size);

void warpo_sink_close(warpo_sink *sink);

/* Writes all bytes, waiting for a full pipe, and returns 0 or the errno that stopped it; adds what
 * went out to *written. Safe in a signal handler, and raises no signal. */
int warpo_write_all(int fd, const void *data, size_t size, uint64_t *written);

/* The file of a crash-safe recorder. */
typedef struct warpo_live {
  char *path; /* NULL: there is none */
  int fd;
  uint64_t size;
  size_t stream_size;
  warpo_live_header *header; /* NULL: none, or no more */
  warpo_live_stream *unused;
} warpo_live;

/* A clock in a record. */
typedef struct warpo_clock_info {
  warpo_recorder_clock kind;
  uint64_t nanoseconds, counts; /* what a count is: their quotient */
  uint64_t origin, wall;        /* the count at the start, and what time it was */
  uint64_t begin, end;          /* what recording one takes, in 1/1024 of a count */
  uint64_t origin_nanoseconds;  /* CLOCK_MONOTONIC at the origin */
  char name[64];
} warpo_clock_info;

/* Estimates rate and costs; takes about a millisecond, but for fuel. */
void warpo_clock_start(warpo_clock_info *clock, warpo_recorder_clock kind, const char *fuel_costs);
/* The rate over all the time since the start. */
void warpo_clock_measure_rate(warpo_clock_info *clock);
/* 0 for fuel, of which nobody knows here. */
uint64_t warpo_clock_now(warpo_recorder_clock kind);
enum { warpo_clock_block_size = warpo_block_header_size + 7 * 8 + 1 + 64 };
/* The record's block of clock `number`; returns its size, at most that above. */
size_t warpo_clock_put_block(const warpo_clock_info *clock, uint64_t number, uint8_t *block);

/* What a chunk holds of an event. */
typedef enum warpo_entry_form {
  warpo_entry_record,     /* a warpo_record */
  warpo_entry_event,      /* 8 bytes: time since the base, id */
  warpo_entry_fuel_event, /* the same, and 8 bytes of fuel */
} warpo_entry_form;

static inline size_t warpo_entry_size(warpo_entry_form form) {
  return form == warpo_entry_event ? sizeof(uint64_t) : 2 * sizeof(uint64_t);
}

/* The clocks of an event as they were read, which may go back. */
typedef struct warpo_reading {
  uint64_t time, fuel;
} warpo_reading;

/* Some events of a stream in the order of time. */
typedef struct warpo_chunk {
  uint64_t base; /* what the times of its entries count from */
  char *end;     /* behind the last entry, once the chunk has been handed over */
  uint64_t lost; /* how many are missing in front of the first, and since when */
  uint64_t lost_since;
} warpo_chunk;

/* Events that are missing at the end of a stream. Written by the stream's thread, read by any. */
typedef struct warpo_loss {
  _Atomic uint64_t count;
  _Atomic uint64_t since;
} warpo_loss;

/* A stream. Chunks are used in turn; chunk number n stands at n % chunk_count. Those from `drained`
 * up to `filled` wait to be written; number `filled` is being filled if head.next is not NULL. */
typedef struct warpo_stream_full {
  union {
    warpo_stream records;
    warpo_event_stream events;
  } head;
  bool has_records; /* head.records was handed out, else head.events */
  warpo_entry_form form;
  size_t entry_size; /* of this form */
  bool has_fuel;     /* beside another clock */
  bool one_by_one;   /* each trace point comes by its slow function */
  bool refused;      /* records nothing, all is lost */
  bool has_place;    /* the file has room for what is to be said of it in the end */
  bool is_free;      /* of a ring: closed, its events still count until it is used again */
  uint64_t closed;   /* how many streams had been closed before, if is_free */
  struct warpo_recorder *recorder;
  struct warpo_stream_full *_Atomic following; /* list of the recorder's streams */
  uint64_t module;
  uint64_t module_number; /* in the file, */
  uint64_t number;        /* as this */
  uint64_t thread;
  pid_t process; /* whose events these are; 0: of a child that has no record yet */

  _Atomic uint64_t filled;
  _Atomic uint64_t drained;
  atomic_bool turning; /* a ring's oldest chunk is being given up */
  warpo_loss dropped;  /* since the last event, as the buffer was full */
  warpo_loss lost_to_limit;
  warpo_loss lost_to_failure;
  _Atomic uint64_t lost_to_buffer;
  _Atomic uint64_t overwritten; /* of them, those in front of the oldest chunk of a ring */

  /* Of who drains. */
  char *taken; /* up to where the chunk number `drained` has been read; NULL: it has not */
  bool declared;
  warpo_event_encoder encoder;
  warpo_event_encoder parents_encoder; /* in a child of a fork: that of the parent, not used */
  warpo_reading last_read;             /* of the last event */
  uint64_t unwritten;                  /* events that were drained and could not be written */
  uint64_t overrun;                    /* the same, since that was beyond max_bytes */
  uint64_t missing_since;              /* the first of both */

  size_t chunk_count;
  size_t chunk_bytes;
  warpo_chunk *chunks;
  char *buffer;
  warpo_live_stream *live; /* where the buffer lies; NULL: in memory of its own */
} warpo_stream_full;

/* A block that stands at the start of a record. Never changed, never freed before the recorder. */
typedef struct warpo_declaration {
  struct warpo_declaration *_Atomic following;
  size_t size;
  uint8_t block[];
} warpo_declaration;

/* The names of sections that were given ids, in the order of those. */
typedef struct warpo_section_table {
  struct warpo_section_name *names;
  size_t count;
  uint32_t *slots; /* of a hash table: a name's place plus 1; 0: free */
  size_t slot_count;
} warpo_section_table;

/* Where a block of events lies. */
typedef struct warpo_index_entry {
  uint64_t offset, stream, first, last;
} warpo_index_entry;

/* What is missing at the end of a stream that was closed when nothing could be written any more. */
typedef struct warpo_last_loss {
  uint64_t stream, since, count;
} warpo_last_loss;

/* Why no stream records any more. */
typedef enum warpo_stop { warpo_running, warpo_stop_failed, warpo_stop_limit } warpo_stop;

struct warpo_recorder {
  struct warpo_recorder *next_open; /* list of all recorders, for fork and exit */
  warpo_recorder_options options;   /* without its texts */
  char *fuel_costs;                 /* or NULL */
  bool has_fuel_clock;              /* it is declared */
  char *file;                       /* NULL: a descriptor */
  pid_t process;                    /* who writes the file */

  pthread_mutex_t lock;
  warpo_sink sink;
  warpo_live live;
  bool finished;                /* the file is whole and closed */
  bool waits_for_event;         /* a child of a fork: the file is made with its first event */
  warpo_recorder_counts counts; /* without what open streams lost */
  warpo_clock_info clock;
  uint64_t next_stream; /* numbers of streams that were given */
  uint64_t closed_streams;
  warpo_index_entry *index;
  warpo_index_entry *parents_index; /* as parents_encoder */
  size_t index_size, index_capacity;
  bool without_index; /* there was no memory for it */
  bool is_full;       /* max_bytes leave no place for further modules and streams */
  warpo_last_loss *last_losses;
  size_t last_loss_count;

  bool limited;          /* max_items was given */
  _Atomic uint64_t room; /* events that may still be taken, if limited */
  _Atomic int stop;      /* warpo_stop */

  pthread_mutex_t state_lock;
  warpo_stream_full *_Atomic streams;
  warpo_declaration *_Atomic declarations;
  warpo_declaration *last_declaration;
  uint64_t *modules; /* ids, by number */
  size_t module_count;
  warpo_section_table sections;
  warpo_section_counts section_counts;
  pthread_cond_t work;  /* for the writer thread: something has been handed over, or it shall end */
  pthread_cond_t space; /* for trace points: something has been drained */
  bool has_work, ending;
  bool has_writer; /* else each thread drains for itself */
  pthread_t writer;

  struct warpo_stacks *stacks;         /* NULL before the first stream of samples */
  struct warpo_stacks *parents_stacks; /* as parents_encoder */
  struct warpo_sample_stream *sample_streams;

  /* Of a ring. */
  atomic_bool dumping;
  bool has_dump;   /* in its own file, */
  uint64_t dumped; /* with so many events */
  warpo_event_encoder dump_encoder;
};

/* ---- stream.c ---- */
/* What was handed out is the first part of the whole. */
static inline warpo_stream_full *warpo_full(warpo_stream *stream) {
  return (warpo_stream_full *)stream;
}
static inline warpo_stream_full *warpo_full_of_events(warpo_event_stream *stream) {
  return (warpo_stream_full *)stream;
}
/* Makes its encoder anew. False without memory. */
bool warpo_stream_make_encoder(warpo_stream_full *stream);
/* Says once in the record what its further clock is. False without memory. */
bool warpo_declare_fuel(warpo_recorder *recorder);
/* Writes what waits in a stream, takes it out of its recorder and frees it. The caller holds
 * `lock`. */
void warpo_stream_remove(warpo_stream_full *stream);
void warpo_stream_release(warpo_stream_full *stream);

/* ---- trace_point.c ---- */
/* What the times of the current chunk count from. */
uint64_t *warpo_stream_base(warpo_stream_full *stream);
/* Where the stream's thread writes next; NULL outside of a chunk. */
char *warpo_stream_next(const warpo_stream_full *stream);
/* Ends the current chunk. By the stream's thread, or when that does not run. */
void warpo_stream_hand_over(warpo_stream_full *stream);
static inline warpo_chunk *warpo_stream_chunk(warpo_stream_full *stream, uint64_t number) {
  return &stream->chunks[number % stream->chunk_count];
}
static inline char *warpo_chunk_begin(warpo_stream_full *stream, uint64_t number) {
  return stream->buffer + number % stream->chunk_count * stream->chunk_bytes;
}
/* The clocks and the id of an entry of a chunk; fuel is 0 where it has none. */
static inline int32_t warpo_entry(warpo_entry_form form, uint64_t base, const char *entry,
                                  warpo_reading *read) {
  if (form != warpo_entry_record) {
    const uint64_t *event = (const uint64_t *)entry;
    read->time = base + (*event >> 32);
    read->fuel = form == warpo_entry_fuel_event ? event[1] : 0;
    return (int32_t)*event;
  }
  const warpo_record *record = (const warpo_record *)entry;
  read->time = base + (uint32_t)(record->time - (uint32_t)base);
  read->fuel = 0;
  return record->id;
}

/* ---- drain.c: the caller holds `lock` ---- */
/* Takes the chunks that were handed over. */
void warpo_drain(warpo_stream_full *stream);
/* The same, and what the current chunk holds. */
void warpo_drain_all(warpo_stream_full *stream);

/* ---- pack.c ---- */
/* Encodes entries of a chunk until the encoder's block is full, and returns how far it came. Begins
 * a block if there is none. `last_read` is of the stream's last event. */
const char *warpo_pack(const warpo_stream_full *stream, warpo_event_encoder *encoder,
                       warpo_reading *last_read, uint64_t base, const char *begin, const char *end);
/* Encodes a loss; begins a block if there is none. The block has room for it. */
void warpo_pack_lost(warpo_event_encoder *encoder, uint64_t time, uint64_t count,
                     warpo_loss_cause cause);

/* ---- writer.c ---- */
void warpo_writer_start(warpo_recorder *recorder);
void warpo_writer_stop(warpo_recorder *recorder);
void warpo_writer_wake(warpo_recorder *recorder);
/* Waits until one of the stream's chunks is free. */
void warpo_writer_wait(warpo_stream_full *stream);

/* ---- warp_file.c, warpo_file.c: the caller holds `lock` ---- */
void warpo_warp_begin(warpo_recorder *recorder);
/* Entries of one chunk, whole ones. */
void warpo_warp_write(warpo_stream_full *stream, const char *begin, const char *end);

/* Takes one from the limit of all streams, max_items; false if nothing is left. */
bool warpo_take_one(warpo_recorder *recorder);

void warpo_file_begin(warpo_recorder *recorder);
/* Whether so many bytes leave room below max_bytes for all that must come at the end. */
bool warpo_file_fits(const warpo_recorder *recorder, size_t size);
void warpo_file_declare(warpo_recorder *recorder, const warpo_declaration *declaration);
/* Keeps room in the file for what is to be said of the stream, if there is some. */
void warpo_file_reserve(warpo_stream_full *stream);
void warpo_file_write(warpo_stream_full *stream, const warpo_chunk *chunk, const char *begin,
                      const char *end);
void warpo_file_write_lost(warpo_stream_full *stream, uint64_t time, uint64_t count,
                           warpo_loss_cause cause);
/* Writes the block that is being filled, if there is one. */
void warpo_file_finish_block(warpo_stream_full *stream);
void warpo_file_end_stream(warpo_stream_full *stream);
void warpo_file_end(warpo_recorder *recorder);
/* The block that declares a stream; returns its size, at most that: */
enum { warpo_stream_block_size = warpo_block_header_size + 64 };
size_t warpo_file_stream_block(const warpo_stream_full *stream, uint8_t *block);

/* ---- flight.c ---- */
/* How many events a ring holds. */
uint64_t warpo_ring_count(warpo_stream_full *stream);

/* ---- samples.c: the caller holds `lock` ---- */
void warpo_samples_flush(warpo_recorder *recorder);
/* Closes all streams of samples. */
void warpo_samples_free(warpo_recorder *recorder);
/* In a child of a fork. */
void warpo_samples_forget(warpo_recorder *recorder);

/* ---- sections.c ---- */
/* In the place of an id: the innermost section ends that the current function has begun. */
enum { warpo_section_end_id = -INT32_MAX };
/* Adds what an encoder has found wrong by the end of its stream. The caller holds `lock`. */
void warpo_sections_count(warpo_recorder *recorder, warpo_event_encoder *encoder);
void warpo_sections_free(warpo_section_table *table);

/* ---- modules.c ---- */
/* Keeps a block for the start of the record, which it is written to unless that is left to a dump.
 */
void warpo_declare(warpo_recorder *recorder, warpo_declaration *made);
/* Declares one more function of a module, unless the file has no room for that. The caller holds
 * `lock`. */
void warpo_module_add_name(warpo_recorder *recorder, uint64_t module, int32_t id, const char *name,
                           size_t size);
/* The number of a module, which is declared if it was not; UINT64_MAX without memory. */
uint64_t warpo_module_number(warpo_recorder *recorder, uint64_t id);

/* ---- environment.c ---- */
/* Sets max_items. NULL, or in words what is wrong. */
const char *warpo_environment_limit(warpo_recorder_options *options);

/* ---- recorder.c ---- */
void warpo_recorder_init_locks(warpo_recorder *recorder);
/* Begins the file, and the writer thread if there is to be one. */
void warpo_recorder_begin(warpo_recorder *recorder, const char *file, int fd);
/* What became of all events. The caller holds `lock`. */
warpo_recorder_counts warpo_recorder_sum(const warpo_recorder *recorder);
/* Writes all that is there and ends the file; streams lose what comes from now on. */
void warpo_recorder_finish(warpo_recorder *recorder);

/* ---- process.c ---- */
void warpo_process_add(warpo_recorder *recorder);
void warpo_process_remove(warpo_recorder *recorder);
/* In a child of a fork: begins its record, if that has not been done. The caller holds `lock`. */
void warpo_process_begin_record(warpo_recorder *recorder);
/* In a child of a fork, at a stream's first trace point. */
void warpo_process_follow(warpo_stream_full *stream);

#endif
