/* SPDX-License-Identifier: Apache-2.0 */
// What a cold start asks of the page cache: linked with the machine code of a module, this program
// reads the code of some functions, page by page, in the order in which a run first executes them.
//
//   touch_code list     each line of the list: address and size of a function, in hexadecimal
//
// Prints how many page faults that took. The code is not executed: modules from npm need their
// JavaScript for that.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct {
  uintptr_t address;
  size_t size;
} Function;

static Function *functions;
static size_t count;

static void readList(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    exit(1);
  }
  size_t capacity = 1 << 16;
  functions = calloc(capacity, sizeof *functions);
  unsigned long address, size;
  while (functions && count < capacity && fscanf(file, "%lx %lx", &address, &size) == 2) {
    functions[count].address = address;
    functions[count++].size = size;
  }
  fclose(file);
}

static long faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
  readList(argv[1]);
  long before = faults();
  unsigned sum = 0;
  for (size_t i = 0; i != count; ++i) {
    const volatile unsigned char *code = (const volatile unsigned char *)functions[i].address;
    for (size_t at = 0; at < functions[i].size; at += 4096)
      sum += code[at];
    if (functions[i].size)
      sum += code[functions[i].size - 1];
  }
  printf("%ld\n", faults() - before);
  return sum == 12345;
}
