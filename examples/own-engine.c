/* SPDX-License-Identifier: Apache-2.0 */
/* How an engine of your own records: link libwarpo_recorder, and call it where the module calls
 * builtin.tracePoint. */
#include "warpo/Recorder/warpo_recorder.h"
#include <stdio.h>

/* Stands for the engine that runs the module: function 16777216 calls function 16777217. */
static void runModule(warpo_stream *stream) {
  static const int32_t points[] = {16777216, 16777217, -16777217, -16777216};
  for (size_t i = 0; i < sizeof points / sizeof *points; ++i)
    warpo_trace_point(stream, points[i]); /* the engine's import builtin.tracePoint(id) */
}

int main(void) {
  warpo_recorder *recorder = warpo_recorder_open_from_environment(); /* NULL: recording is off */
  warpo_stream *stream = warpo_stream_open(recorder, 42);            /* the module's id */
  runModule(stream);
  warpo_stream_close(stream);
  warpo_recorder_close(recorder);
  if (recorder && warpo_recorder_error(recorder))
    fprintf(stderr, "%s\n", warpo_recorder_error_text(recorder));
  warpo_recorder_free(recorder);
}
