/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program that wasm2c has made C of, and records its trace points.
 *
 * usage: host MODULE-ID [arguments of the program...]
 *
 * WARPO_RECORDER_FILE names the record; without it nothing is recorded. The module id is the
 * one that warpo-instrument printed. The exit code is the program's; 134 after a trap.
 */
#include "program.h"
#include "warpo/Recorder/warpo_recorder.h"
#include "wasi.h"
#include "wasm-rt-impl.h"
#include <stdio.h>
#include <stdlib.h>

/* What wasm2c's functions pass to the imports of each module. */
struct Z_builtin_instance_t {
  warpo_stream *stream;
};
struct Z_env_instance_t {
  wasm_rt_memory_t *memory;
};

void Z_builtinZ_tracePoint(struct Z_builtin_instance_t *builtin, u32 id) {
  warpo_trace_point(builtin->stream, (int32_t)id);
}

/* AssemblyScript's failed assertion. */
void Z_envZ_abort(struct Z_env_instance_t *env, u32 message, u32 file, u32 line, u32 column) {
  (void)env, (void)message, (void)file;
  fprintf(stderr, "host: abort at %u:%u\n", line, column);
  wasm_rt_trap(WASM_RT_TRAP_UNREACHABLE);
}

/* Runs the program; whether it returns, exits or traps, we come back here and the record is written
 * whole. */
static int run(Z_program_instance_t *program, struct Z_wasi_snapshot_preview1_instance_t *wasi) {
  wasm_rt_trap_t trap = wasm_rt_impl_try();
  if (trap != WASM_RT_TRAP_NONE) {
    fprintf(stderr, "host: trap: %s\n", wasm_rt_strerror(trap));
    return 134;
  }
  if (setjmp(wasi->exit) == 0)
    Z_programZ__start(program);
  return (int)wasi->exitCode;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: host MODULE-ID [arguments]\n");
    return 125;
  }
  warpo_recorder *recorder = warpo_recorder_open_from_environment();
  struct Z_builtin_instance_t builtin = {warpo_stream_open(recorder, strtoull(argv[1], NULL, 0))};
  struct Z_env_instance_t env;
  /* The program sees its own name first, as everywhere. */
  struct Z_wasi_snapshot_preview1_instance_t wasi = {.argc = argc - 1, .argv = argv + 1};

  static Z_program_instance_t program;
  wasm_rt_init();
  Z_program_init_module();
  Z_program_instantiate(&program, &builtin, &env, &wasi);
  env.memory = wasi.memory = Z_programZ_memory(&program);
  int code = run(&program, &wasi);
  Z_program_free(&program);
  wasm_rt_free();

  warpo_stream_close(builtin.stream);
  warpo_recorder_close(recorder);
  if (recorder && warpo_recorder_error(recorder)) {
    fprintf(stderr, "host: %s\n", warpo_recorder_error_text(recorder));
    code = 125;
  }
  warpo_recorder_free(recorder);
  return code;
}
