/* SPDX-License-Identifier: Apache-2.0 */
/* A host of its own for a module that counts, which wasm2c has made C of: fetches the counters and
 * writes them for warpo-annotate.
 *
 * usage: own-counts counted.wasm app.counts
 */
#include "counted.h"
#include "warpo/Recorder/count_file.h"

/* Of another engine: call the export __warpo_counter. */
static uint64_t counterOf(void *instance, uint32_t number) {
  return Z_countedZ___warpo_counter(instance, number);
}

int main(int argc, char **argv) {
  static uint8_t module[1 << 16];
  FILE *input = argc == 3 ? fopen(argv[1], "rb") : NULL;
  FILE *output = input ? fopen(argv[2], "wb") : NULL;
  if (!output)
    return fprintf(stderr, "usage: own-counts counted.wasm app.counts\n"), 1;
  size_t size = fread(module, 1, sizeof module, input);

  static Z_counted_instance_t instance;
  wasm_rt_init();
  Z_counted_init_module();
  Z_counted_instantiate(&instance);
  printf("%u primes\n", Z_countedZ_primes(&instance, 1000));
  const char *error =
      warpo_counts_write(output, module, size, counterOf, &instance, /*within_calls=*/0);
  Z_counted_free(&instance);
  if (error)
    fprintf(stderr, "%s: %s\n", argv[2], error);
  return error || fclose(output);
}
