/* SPDX-License-Identifier: Apache-2.0 */
/* Recorders in their process: open, close, fork, exit, environment. */
#ifndef WARPO_RECORDER_PROCESS_H
#define WARPO_RECORDER_PROCESS_H

#include "files.h"

/* ---- environment.c ---- */
/* Sets the file and its default format; false if no file is set. */
bool warpo_environment_file(warpo_recorder_options *options);
/* Sets max_items. Returns NULL or an error message. */
const char *warpo_environment_limit(warpo_recorder_options *options);

/* ---- recorder.c ---- */
void warpo_recorder_init_locks(warpo_recorder *recorder);
/* Begins the file and, if needed, starts the writer thread. */
void warpo_recorder_begin(warpo_recorder *recorder, const char *file, int fd);
/* Writes all buffered events and ends the file; later events are lost. */
void warpo_recorder_finish(warpo_recorder *recorder);

/* ---- process.c ---- */
void warpo_process_add(warpo_recorder *recorder);
void warpo_process_remove(warpo_recorder *recorder);
/* Begins the record of a forked child unless that has been done. The caller holds `lock`. */
void warpo_process_begin_record(warpo_recorder *recorder);
/* Called in a forked child at a stream's first trace point. */
void warpo_process_follow(warpo_stream_full *stream);

#endif
