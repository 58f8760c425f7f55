/* SPDX-License-Identifier: Apache-2.0 */
/* A record's clock: its rate, its start, and the cost of an event. */
#ifndef WARPO_RECORDER_CLOCK_H
#define WARPO_RECORDER_CLOCK_H

#include "warpo/Recorder/record_blocks.h"
#include "warpo/Recorder/warpo_recorder.h"

enum {
  warpo_clock_name_size = 64,
  warpo_clock_block_size = warpo_block_header_size + 7 * 8 + 1 + warpo_clock_name_size,
  warpo_start_size = warpo_signature_size + warpo_clock_block_size,
};

/* A clock of a record. */
typedef struct warpo_clock_info {
  warpo_recorder_clock kind;
  uint64_t nanoseconds, counts; /* what a count is: their quotient */
  uint64_t origin, wall;        /* the count at the start, and what time it was */
  uint64_t begin, end;          /* what recording one takes, in 1/1024 of a count */
  uint64_t origin_nanoseconds;  /* CLOCK_MONOTONIC at the origin */
  char name[warpo_clock_name_size];
  bool has_stacks; /* the record has streams of several modules */
} warpo_clock_info;

/* Estimates rate and costs in about a millisecond; for fuel, does nothing. */
void warpo_clock_start(warpo_clock_info *clock, warpo_recorder_clock kind, const char *fuel);
/* Measures the rate over the whole time since the start. */
void warpo_clock_measure_rate(warpo_clock_info *clock);
/* 0 for fuel, which is unknown here. */
uint64_t warpo_clock_now(warpo_recorder_clock kind);
/* Writes the block of clock `number`; returns its size, at most warpo_clock_block_size. */
size_t warpo_clock_put_block(const warpo_clock_info *clock, uint64_t number, uint8_t *block);
/* The same for a clock that is not time; returns 0 if the name is too long for a clock. */
size_t warpo_clock_put_measure_block(uint64_t number, const char *name, uint8_t *block);
/* Writes the start of a record: signature and first clock. Returns its size. */
size_t warpo_clock_put_start(const warpo_clock_info *clock, uint8_t start[warpo_start_size]);

#endif
