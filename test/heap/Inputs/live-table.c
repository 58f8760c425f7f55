// Wrappers of the allocator (-Wl,--wrap=...) that keep a table of what is live, without allocating,
// and print it when the program ends: `live ADDRESS SIZE`, and how many addresses were usable for
// less than was asked for.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);
void *__real_aligned_alloc(size_t, size_t);
int __real_posix_memalign(void **, size_t, size_t);
size_t malloc_usable_size(void *);

// Blocks are multiples of 16: each has a place of its own, for so much of the memory.
enum { step = 16, most = 1 << 22 };
static uint32_t sizes[most]; // plus 1
// The places that were ever used: an interpreter is slow.
static size_t first = most, end;
static unsigned calls, too_small;

static void add(void *address, size_t size) {
  ++calls;
  if (!address)
    return;
  uintptr_t place = (uintptr_t)address / step;
  if (place >= most || (uintptr_t)address % step)
    abort();
  sizes[place] = (uint32_t)size + 1;
  if (place < first)
    first = place;
  if (place >= end)
    end = place + 1;
  too_small += malloc_usable_size(address) < size;
}
static void take(void *address) {
  ++calls;
  if (address)
    sizes[(uintptr_t)address / step] = 0;
}

void *__wrap_malloc(size_t size) {
  void *made = __real_malloc(size);
  add(made, size);
  return made;
}
void *__wrap_calloc(size_t count, size_t size) {
  void *made = __real_calloc(count, size);
  add(made, count * size);
  return made;
}
void *__wrap_realloc(void *old, size_t size) {
  void *made = __real_realloc(old, size);
  if (made || size == 0)
    take(old);
  add(made, size);
  return made;
}
void __wrap_free(void *address) {
  take(address);
  __real_free(address);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  void *made = __real_aligned_alloc(alignment, size);
  add(made, size);
  return made;
}
int __wrap_posix_memalign(void **out, size_t alignment, size_t size) {
  int error = __real_posix_memalign(out, alignment, size);
  add(error ? NULL : *out, size);
  return error;
}

__attribute__((destructor)) static void print_table(void) {
  // Its buffer is not allocated.
  setvbuf(stderr, NULL, _IONBF, 0);
  for (size_t place = first; place < end; ++place)
    if (sizes[place])
      fprintf(stderr, "live %zu %u\n", place * step, sizes[place] - 1);
  fprintf(stderr, "calls %u\ntoo small %u\n", calls, too_small);
}
