/* SPDX-License-Identifier: Apache-2.0 */
/* The header is C11: this file uses it from C, for a test in RecorderTest.cpp. */
#include "warpo/Recorder/warpo_recorder.h"

int recordOneCallInC(const char *file) {
  warpo_recorder_options options = WARPO_RECORDER_OPTIONS_DEFAULT;
  options.file = file;
  options.format = WARPO_FORMAT_WARP;
  warpo_recorder *recorder = warpo_recorder_open(&options);
  warpo_stream *stream = warpo_stream_open(recorder, 7);
  warpo_trace_point(stream, 1);
  warpo_trace_point(stream, -1);
  warpo_stream_close(stream);
  warpo_recorder_close(recorder);
  int error = warpo_recorder_error(recorder);
  warpo_recorder_free(recorder);
  return error;
}
