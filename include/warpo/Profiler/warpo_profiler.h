/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of what an embedder runs, in C: link libwarpo_profiler.
 *
 *     warpo_profiler *profiler = warpo_profiler_open(module, size, "app.wasm");
 *     ... the engine calls it where the module calls its imports from `builtin` ...
 *     warpo_profiler_set_frequency(profiler, 1000);
 *     warpo_profile *profile = warpo_profiler_profile(profiler, run, &program);
 *     warpo_profile_write(profile, "folded", stdout);
 *     warpo_profile_free(profile);
 *     warpo_profiler_free(profiler);
 *
 * A profiler belongs to one instance of a module and to the thread that runs it; there may be any
 * number. See docs/embedding.md.
 */
#ifndef WARPO_PROFILER_WARPO_PROFILER_H
#define WARPO_PROFILER_WARPO_PROFILER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPO_PROFILER_API __attribute__((visibility("default")))

typedef struct warpo_profiler warpo_profiler;
typedef struct warpo_profile warpo_profile;

/* The weight that a profile shows first; it has all of them. */
typedef enum warpo_weight_unit {
  WARPO_WEIGHT_TIME = 0,
  WARPO_WEIGHT_FUEL = 1,
  WARPO_WEIGHT_SAMPLES = 2,
} warpo_weight_unit;

/* `module` is the module instrumented with `sample`; it need not outlive the call. `name` is for
 * messages and titles. NULL only without memory: after an error the profiler does nothing, and its
 * error text says why. */
WARPO_PROFILER_API warpo_profiler *warpo_profiler_open(const void *module, size_t size,
                                                       const char *name);
WARPO_PROFILER_API void warpo_profiler_free(warpo_profiler *profiler);

/* The last error, as in "app.wasm: it is ..."; "" without one. Valid until the next call. */
WARPO_PROFILER_API const char *warpo_profiler_error_text(const warpo_profiler *profiler);

/* Call these for builtin.enterFrame, leaveFrame and sample. The last one's result is the module's.
 */
WARPO_PROFILER_API void warpo_profiler_enter_frame(warpo_profiler *profiler, int32_t id);
WARPO_PROFILER_API void warpo_profiler_leave_frame(warpo_profiler *profiler, int32_t id);
WARPO_PROFILER_API int64_t warpo_profiler_sample(warpo_profiler *profiler, int64_t fuel);

/* Call these for builtin.beginSection and endSection, in programs that name parts of their run.
 * `name` points into the program's memory, or is NULL if the program's address is outside it; the
 * section is then named accordingly. */
WARPO_PROFILER_API void warpo_profiler_begin_section(warpo_profiler *profiler, const char *name,
                                                     size_t size);
WARPO_PROFILER_API void warpo_profiler_end_section(warpo_profiler *profiler);

/* Sets the address of the instance's global `__warpo_sample_due` (--export-globals), if the engine
 * knows it. While a profile is taken, a timer then stores there, which makes samples by time more
 * exact. NULL (default): unknown. The address must stay valid until it is replaced, and must not
 * change during a profile. */
WARPO_PROFILER_API void warpo_profiler_set_sample_point(warpo_profiler *profiler, uint64_t *global);

/* For profiles that begin later. A number of samples per second (default: 1000), or an amount of
 * fuel between samples; the last call counts. */
WARPO_PROFILER_API void warpo_profiler_set_frequency(warpo_profiler *profiler, uint64_t hertz);
WARPO_PROFILER_API void warpo_profiler_set_every_fuel(warpo_profiler *profiler, uint64_t fuel);
WARPO_PROFILER_API void warpo_profiler_set_weight_unit(warpo_profiler *profiler,
                                                       warpo_weight_unit unit);

/* Calls the function, which runs the instance, and returns its profile, which starts from zero.
 * Frames that a trap left behind are forgotten. NULL on error, without calling the function: a
 * setting is invalid, or the instance is already being profiled. */
WARPO_PROFILER_API warpo_profile *warpo_profiler_profile(warpo_profiler *profiler,
                                                         void (*function)(void *user), void *user);

/* The two halves of it, for programs that leave the function by longjmp: the end returns what was
 * profiled until then. begin returns 0, or -1 on error. */
WARPO_PROFILER_API int warpo_profiler_begin(warpo_profiler *profiler);
WARPO_PROFILER_API warpo_profile *warpo_profiler_end(warpo_profiler *profiler);

/* Writes the profile in an output format of warpo-flamegraph. Returns 0, or -1 on error. */
WARPO_PROFILER_API int warpo_profile_write(warpo_profile *profile, const char *format, FILE *file);
/* See warpo_profiler_error_text. */
WARPO_PROFILER_API const char *warpo_profile_error_text(const warpo_profile *profile);
WARPO_PROFILER_API void warpo_profile_free(warpo_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
