/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles a program that wasm2c has made C of.
 *
 * usage: host traced.wasm
 *
 * Prints three profiles as folded stacks: one of a run, by fuel; one of a run that traps; one by
 * time.
 */
#include "app.h"
#include "warpo/Profiler/warpo_profiler.h"
#include "wasm-rt-impl.h"
#include <stdlib.h>

/* What wasm2c's functions pass to the imports of `builtin`. */
struct Z_builtin_instance_t {
  warpo_profiler *profiler;
};

void Z_builtinZ_enterFrame(struct Z_builtin_instance_t *builtin, u32 id) {
  warpo_profiler_enter_frame(builtin->profiler, (int32_t)id);
}
void Z_builtinZ_leaveFrame(struct Z_builtin_instance_t *builtin, u32 id) {
  warpo_profiler_leave_frame(builtin->profiler, (int32_t)id);
}
u64 Z_builtinZ_sample(struct Z_builtin_instance_t *builtin, u64 fuel) {
  return (u64)warpo_profiler_sample(builtin->profiler, (int64_t)fuel);
}

static Z_app_instance_t app;

static void run(void *user) { Z_appZ_run(&app, *(const u32 *)user); }

/* A trap comes back to here, within the function that is profiled. */
static void fail(void *user) {
  wasm_rt_trap_t trap = wasm_rt_impl_try();
  if (trap == WASM_RT_TRAP_NONE)
    Z_appZ_fail(&app, *(const u32 *)user);
  else
    fprintf(stderr, "host: trap: %s\n", wasm_rt_strerror(trap));
}

static int profile(warpo_profiler *profiler, void (*function)(void *), u32 amount) {
  warpo_profile *profile = warpo_profiler_profile(profiler, function, &amount);
  int failed = warpo_profile_write(profile, "folded", stdout);
  if (!profile)
    fprintf(stderr, "host: %s\n", warpo_profiler_error_text(profiler));
  else if (failed)
    fprintf(stderr, "host: %s\n", warpo_profile_error_text(profile));
  warpo_profile_free(profile);
  return failed;
}

int main(int argc, char **argv) {
  static unsigned char module[1 << 16];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "usage: host traced.wasm\n");
    return 125;
  }
  size_t size = fread(module, 1, sizeof module, file);
  fclose(file);

  struct Z_builtin_instance_t builtin = {warpo_profiler_open(module, size, "app.wasm")};
  wasm_rt_init();
  Z_app_init_module();
  Z_app_instantiate(&app, &builtin);
  warpo_profiler *profiler = builtin.profiler;
  warpo_profiler_set_sample_point(profiler, Z_appZ___warpo_sample_due(&app));

  warpo_profiler_set_every_fuel(profiler, 1000);
  warpo_profiler_set_weight_unit(profiler, WARPO_WEIGHT_SAMPLES);
  int failed = profile(profiler, run, 10000);
  failed |= profile(profiler, fail, 1000);
  warpo_profiler_set_frequency(profiler, 1000);
  warpo_profiler_set_weight_unit(profiler, WARPO_WEIGHT_TIME);
  failed |= profile(profiler, run, 10000000);

  warpo_profiler_free(profiler);
  Z_app_free(&app);
  wasm_rt_free();
  return failed ? 1 : 0;
}
