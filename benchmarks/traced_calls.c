/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a small function so many times and prints nanoseconds of CPU time a call: compiled with and
 * without what other tracers put into functions, for benchmarks/recording.py. */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

volatile uint64_t sum;

__attribute__((noinline)) void traced(uint64_t value) { sum += value; }

#ifdef __clang__
__attribute__((xray_never_instrument))
#endif
int main(int argc, char **argv) {
  uint64_t calls = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  struct timespec start, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  for (uint64_t i = 0; i < calls; ++i)
    traced(i);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  double took = (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
  printf("%.3f\n", took / (double)calls);
  return 0;
}
