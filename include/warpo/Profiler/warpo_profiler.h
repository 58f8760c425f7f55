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

/* What a profile shows first; it has all of them. */
typedef enum warpo_weight_unit {
  WARPO_WEIGHT_TIME = 0,
  WARPO_WEIGHT_FUEL = 1,
  WARPO_WEIGHT_SAMPLES = 2,
} warpo_weight_unit;

/* `module` is the module as it was instrumented, with `sample`; nothing refers to it later. `name`
 * is for messages and titles. NULL only for lack of memory: after an error the profiler does
 * nothing, and its error text says why. */
WARPO_PROFILER_API warpo_profiler *warpo_profiler_open(const void *module, size_t size,
                                                       const char *name);
WARPO_PROFILER_API void warpo_profiler_free(warpo_profiler *profiler);

/* What went wrong last, in words: "app.wasm: it is ..."; "" if nothing did. Until the next call. */
WARPO_PROFILER_API const char *warpo_profiler_error_text(const warpo_profiler *profiler);

/* What the engine calls in place of builtin.enterFrame, leaveFrame and sample. The last returns
 * what the module is to get. */
WARPO_PROFILER_API void warpo_profiler_enter_frame(warpo_profiler *profiler, int32_t id);
WARPO_PROFILER_API void warpo_profiler_leave_frame(warpo_profiler *profiler, int32_t id);
WARPO_PROFILER_API int64_t warpo_profiler_sample(warpo_profiler *profiler, int64_t fuel);

/* The same for builtin.beginSection and endSection, of programs that name parts of their run; the
 * name is where the program says, in its memory, or NULL where that is outside of it: such a
 * section is called so. */
WARPO_PROFILER_API void warpo_profiler_begin_section(warpo_profiler *profiler, const char *name,
                                                     size_t size);
WARPO_PROFILER_API void warpo_profiler_end_section(warpo_profiler *profiler);

/* Where the instance has its global `__warpo_sample_due` (--export-globals), as far as the engine
 * can say: then a timer stores there while a profile is taken, and samples are due by time more
 * exactly. NULL, as at first: nowhere. It must stay until it is another, and not change during a
 * profile. */
WARPO_PROFILER_API void warpo_profiler_set_sample_point(warpo_profiler *profiler, uint64_t *global);

/* For the profiles that begin from now on. Samples are due so many times a second (1000, if nothing
 * is said), or each time so much fuel has been burnt; what was said last counts. */
WARPO_PROFILER_API void warpo_profiler_set_frequency(warpo_profiler *profiler, uint64_t hertz);
WARPO_PROFILER_API void warpo_profiler_set_every_fuel(warpo_profiler *profiler, uint64_t fuel);
WARPO_PROFILER_API void warpo_profiler_set_weight_unit(warpo_profiler *profiler,
                                                       warpo_weight_unit unit);

/* Calls the function, which runs the instance, and returns the profile of that; it begins with
 * nothing. Frames that a trap left behind are forgotten. NULL after an error, and nothing was
 * called: a setting makes no sense, or the instance is being profiled already. */
WARPO_PROFILER_API warpo_profile *warpo_profiler_profile(warpo_profiler *profiler,
                                                         void (*function)(void *user), void *user);

/* The two halves of the same, for programs that leave a function by longjmp: what was profiled
 * until then is there at the end. begin returns 0, or -1 after an error. */
WARPO_PROFILER_API int warpo_profiler_begin(warpo_profiler *profiler);
WARPO_PROFILER_API warpo_profile *warpo_profiler_end(warpo_profiler *profiler);

/* Writes the profile in an output format of warpo-flamegraph, and returns 0; or -1. */
WARPO_PROFILER_API int warpo_profile_write(warpo_profile *profile, const char *format, FILE *file);
/* As warpo_profiler_error_text. */
WARPO_PROFILER_API const char *warpo_profile_error_text(const warpo_profile *profile);
WARPO_PROFILER_API void warpo_profile_free(warpo_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
