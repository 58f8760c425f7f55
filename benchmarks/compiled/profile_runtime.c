/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime of clang's -fprofile-generate for autofdo.py, since LLVM 19 has none for WebAssembly.
 * At the end of a program the counters of its functions go to the file `raw` of the folder that it
 * sees as /, in LLVM's raw format. The compiler must be told to record no values. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <profile/InstrProfData.inc>

typedef uint32_t IntPtrT;
enum {
#define VALUE_PROF_KIND(kind, value, description) kind = value,
#include <profile/InstrProfData.inc>
};
typedef struct {
#define INSTR_PROF_DATA(type, llvmType, name, initializer) type name;
#include <profile/InstrProfData.inc>
} FunctionData;

/* The linker puts the parts of all functions side by side. */
extern const FunctionData __start___llvm_prf_data, __stop___llvm_prf_data;
extern const uint64_t __start___llvm_prf_cnts, __stop___llvm_prf_cnts;
extern const char __start___llvm_prf_names, __stop___llvm_prf_names;
/* The compiler's: the format's version, with the kind of counters in its upper bits. */
extern const uint64_t __llvm_profile_raw_version;

int __llvm_profile_runtime;
void __llvm_profile_register_function(void *data) { (void)data; }
void __llvm_profile_register_names_function(void *names, uint64_t size) { (void)names, (void)size; }

static uint64_t paddingOf(uint64_t bytes) { return (8 - bytes % 8) % 8; }

static void put(const void *bytes, uint64_t size, FILE *file) {
  static const char zeros[8];
  if (fwrite(bytes, 1, size, file) != size ||
      fwrite(zeros, 1, paddingOf(size), file) != paddingOf(size))
    abort();
}

__attribute__((destructor)) static void writeProfile(void) {
  const FunctionData *data = &__start___llvm_prf_data;
  const uint64_t *counters = &__start___llvm_prf_cnts;
  const char *names = &__start___llvm_prf_names;
  uint64_t functionCount = &__stop___llvm_prf_data - data;
  uint64_t counterCount = &__stop___llvm_prf_cnts - counters;
  uint64_t namesSize = &__stop___llvm_prf_names - names;
  uint64_t dataSize = functionCount * sizeof *data;
  const uint64_t header[] = {
      INSTR_PROF_RAW_MAGIC_32,
      __llvm_profile_raw_version,
      0, /* ids of the binary */
      functionCount,
      paddingOf(dataSize),
      counterCount,
      0, /* padding behind the counters */
      0, /* bytes of bitmaps */
      0, /* padding behind them */
      namesSize,
      (uint32_t)counters - (uint32_t)data,
      0, /* where bitmaps are */
      (uint32_t)names,
      0, /* virtual tables */
      0, /* bytes of their names */
      IPVK_Last,
  };
  FILE *file = fopen("/raw", "wb");
  if (!file)
    abort();
  put(header, sizeof header, file);
  put(data, dataSize, file);
  put(counters, counterCount * sizeof *counters, file);
  put(names, namesSize, file);
  if (fclose(file))
    abort();
}
