/* SPDX-License-Identifier: Apache-2.0 */
/* The part of WASI that the example program calls, for modules that wasm2c has translated. */
#ifndef C_HOST_WASI_H
#define C_HOST_WASI_H

#include "wasm-rt.h"
#include <setjmp.h>

/* The instance that wasm2c's functions pass to every import of module wasi_snapshot_preview1. */
struct Z_wasi_snapshot_preview1_instance_t {
  wasm_rt_memory_t *memory;
  int argc;
  char **argv;
  /* Where proc_exit jumps to, and the code that it was given. */
  jmp_buf exit;
  uint32_t exitCode;
};

#endif
