/* SPDX-License-Identifier: Apache-2.0 */
/* Recorders in their process: opening, closing, forks and exits, the environment. */
#ifndef WARPO_RECORDER_PROCESS_H
#define WARPO_RECORDER_PROCESS_H

#include "files.h"

/* ---- environment.c ---- */
/* Sets the file and its usual format; false if none is named. */
bool warpo_environment_file(warpo_recorder_options *options);
/* Sets max_items. NULL, or in words what is wrong. */
const char *warpo_environment_limit(warpo_recorder_options *options);

/* ---- recorder.c ---- */
void warpo_recorder_init_locks(warpo_recorder *recorder);
/* Begins the file, and the writer thread if there is to be one. */
void warpo_recorder_begin(warpo_recorder *recorder, const char *file, int fd);
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
