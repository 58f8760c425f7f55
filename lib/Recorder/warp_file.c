/* SPDX-License-Identifier: Apache-2.0 */
/* Records in the format `warp`: a magic number, then 16 bytes an event, converted from the streams'
 * entries.
 *
 * The format has no threads, names, fuel, clock rate or losses; options that need them are refused.
 * Times have 32 bits. Readers recover the upper half by comparing runs of different streams, which
 * must not be far apart: so the tracing thread writes, and no event waits long. */
#include "files.h"

#include <errno.h>
#include <stdlib.h>

enum { converted_records = 4096, max_age_bits = 29 };

static const char magic[16] = {'_', '_', '_', 'W', 'A', 'R', 'P', '_',
                               'T', 'R', 'A', 'C', 'E', '_', '_', '_'};

static const char *lacks_option(const warpo_recorder_options *options) {
  if (options->policy != WARPO_POLICY_BLOCK)
    return "the format warp has the policy block only";
  if (options->crash_safe)
    return "the format warp cannot be crash-safe";
  if (options->clock != WARPO_CLOCK_COUNTER)
    return "the format warp has the processor's counter for its clock only";
  return NULL;
}

static const char *lacks_stream(const warpo_recorder *recorder, uint64_t module,
                                warpo_entry_form form, int *error) {
  *error = form == warpo_entry_fuel_event ? EINVAL : EBUSY;
  if (form == warpo_entry_fuel_event)
    return "the format warp has no place for fuel";
  return warpo_is_module_open(recorder, module, NULL)
             ? "a second stream of the same module at the same time"
             : NULL;
}

static void begin(warpo_recorder *recorder) {
  if (!recorder->converted)
    recorder->converted = malloc(converted_records * sizeof(*recorder->converted));
  if (recorder->converted) {
    warpo_sink_write(&recorder->sink, magic, sizeof(magic), 1);
    return;
  }
  warpo_sink_fail(&recorder->sink, "no memory for a record", ENOMEM);
  recorder->sink.broken = true;
}

static void write_records(warpo_stream_full *stream, const warpo_record *records, size_t count) {
  warpo_recorder *recorder = stream->recorder;
  uint64_t limit = recorder->options.max_bytes, size = recorder->sink.size;
  uint64_t room = limit < size ? 0 : (limit - size) / sizeof(*records);
  size_t kept = count < room ? count : (size_t)room;
  if (kept < count)
    atomic_store_explicit(&recorder->streams.stop, warpo_stop_limit, memory_order_relaxed);
  size_t bytes = kept * sizeof(*records);
  size_t written =
      warpo_sink_write(&recorder->sink, records, bytes, sizeof(*records)) / sizeof(*records);
  recorder->counts.written += written;
  stream->unrecorded.overrun += count - kept;
  stream->unrecorded.unwritten += kept - written;
  if (recorder->sink.broken)
    atomic_store_explicit(&recorder->streams.stop, warpo_stop_failed, memory_order_relaxed);
}

static int32_t id_at(const char *entry) {
  warpo_reading ignored;
  return warpo_entry(warpo_entry_event, 0, entry, &ignored);
}

/* An entry with the id that it has in its own module. */
static warpo_record record_of(const warpo_stream_full *stream, uint64_t base, const char *at,
                              const char *end) {
  warpo_reading read;
  int32_t id = warpo_entry(warpo_entry_event, base, at, &read);
  warpo_record record = {stream->module, 0, id};
  if (stream->window_count > 0) {
    /* A trap says how the call ended whose end follows, after further traps if any. */
    const char *said = at;
    while (id_at(said) == WARPO_TRAP_ID && said + sizeof(uint64_t) != end)
      said += sizeof(uint64_t);
    record = warpo_stream_resolve(stream, id_at(said));
    record.id = said == at ? record.id : id;
  }
  record.time = (uint32_t)read.time;
  return record;
}

static void write_events(warpo_stream_full *stream, uint64_t base, const char *begin,
                         const char *end) {
  warpo_record *records = stream->recorder->converted;
  while (begin != end) {
    size_t count = 0;
    for (; begin != end && count < converted_records; begin += sizeof(uint64_t), ++count)
      records[count] = record_of(stream, base, begin, end);
    write_records(stream, records, count);
  }
}

/* ---- Functions that this format does not need ---- */

static bool make_encoder(warpo_stream_full *stream) {
  (void)stream;
  return true;
}

static void pass_stream(warpo_stream_full *stream) { (void)stream; }

static void end(warpo_recorder *recorder) { (void)recorder; }

const warpo_file_format warpo_warp_format = {
    .has_names = false,
    .has_writer = false,
    .max_age = UINT64_C(1) << max_age_bits,
    .lacks_option = lacks_option,
    .lacks_stream = lacks_stream,
    .begin = begin,
    .make_encoder = make_encoder,
    .reserve = pass_stream,
    .write = write_events,
    .end_stream = pass_stream,
    .end = end,
};
