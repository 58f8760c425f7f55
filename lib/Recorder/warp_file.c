/* Records in the form `warp`: a magic and the entries as trace points left them. */
#include "internal.h"

static const char magic[16] = {'_', '_', '_', 'W', 'A', 'R', 'P', '_',
                               'T', 'R', 'A', 'C', 'E', '_', '_', '_'};

void warpo_warp_begin(warpo_recorder *recorder) {
  warpo_sink_write(&recorder->sink, magic, sizeof(magic), 1);
}

void warpo_warp_write(warpo_stream_full *stream, const char *begin, const char *end) {
  warpo_recorder *recorder = stream->recorder;
  size_t bytes = (size_t)(end - begin);
  size_t kept = bytes;
  uint64_t room = recorder->options.max_bytes - recorder->sink.size;
  if (recorder->options.max_bytes < recorder->sink.size)
    room = 0;
  if (kept > room) {
    kept = (size_t)room / sizeof(warpo_record) * sizeof(warpo_record);
    stream->overrun += (bytes - kept) / sizeof(warpo_record);
    atomic_store_explicit(&recorder->stop, warpo_stop_limit, memory_order_relaxed);
  }
  size_t written = warpo_sink_write(&recorder->sink, begin, kept, sizeof(warpo_record));
  recorder->counts.written += written / sizeof(warpo_record);
  stream->unwritten += (kept - written) / sizeof(warpo_record);
  if (recorder->sink.broken)
    atomic_store_explicit(&recorder->stop, warpo_stop_failed, memory_order_relaxed);
}
