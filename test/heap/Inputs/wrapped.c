// Allocates at random, by wrappers of the allocator (-Wl,--wrap=...) that keep a log of their own,
// and writes that.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);
void *__real_aligned_alloc(size_t, size_t);
int __real_posix_memalign(void **, size_t, size_t);

enum { most = 20000, slots = 200 };
static struct {
  char what;
  uint32_t old, address, size;
  const char *site;
} entries[most];
static int count, stopped;
static const char *site = "?";

static void note(char what, void *old, void *address, size_t size) {
  if (stopped || count == most)
    return;
  entries[count].what = what;
  entries[count].old = (uint32_t)(uintptr_t)old;
  entries[count].address = (uint32_t)(uintptr_t)address;
  entries[count].size = size;
  entries[count++].site = site;
}

void *__wrap_malloc(size_t size) {
  void *made = __real_malloc(size);
  note('a', NULL, made, size);
  return made;
}
void *__wrap_calloc(size_t n, size_t size) {
  void *made = __real_calloc(n, size);
  note('a', NULL, made, n * size);
  return made;
}
void *__wrap_realloc(void *old, size_t size) {
  void *made = __real_realloc(old, size);
  note('r', old, made, size);
  return made;
}
void __wrap_free(void *address) {
  note('f', NULL, address, 0);
  __real_free(address);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  void *made = __real_aligned_alloc(alignment, size);
  note('a', NULL, made, size);
  return made;
}
int __wrap_posix_memalign(void **out, size_t alignment, size_t size) {
  int error = __real_posix_memalign(out, alignment, size);
  note('a', NULL, error ? NULL : *out, size);
  return error;
}

static uint32_t state = 1;
static uint32_t random_below(uint32_t limit) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % limit;
}

static void *blocks[slots];

#define SITE(name) __attribute__((noinline)) static void name(int i)
SITE(by_malloc) {
  site = "by_malloc";
  blocks[i] = malloc(random_below(20) ? random_below(300) : random_below(200000));
}
SITE(by_calloc) {
  site = "by_calloc";
  blocks[i] = calloc(random_below(9), random_below(60));
}
SITE(by_aligned_alloc) {
  site = "by_aligned_alloc";
  blocks[i] = aligned_alloc(64, 64 * random_below(5));
}
SITE(by_posix_memalign) {
  site = "by_posix_memalign";
  if (posix_memalign(&blocks[i], random_below(4) ? 32 : 3, random_below(400)))
    blocks[i] = NULL;
}
SITE(too_large) {
  site = "too_large";
  // Keeps the block that is there.
  if (realloc(blocks[i], (size_t)-64 - random_below(10)))
    abort();
  if (malloc((size_t)-100 - random_below(10)))
    abort();
}
SITE(by_realloc) {
  site = "by_realloc";
  void *made = realloc(blocks[i], random_below(8) ? random_below(5000) : 0);
  blocks[i] = made;
}
SITE(by_free) {
  site = "by_free";
  free(blocks[i]);
  blocks[i] = NULL;
}

// Indirect calls and recursion around them.
static void (*const makers[])(int) = {by_malloc, by_calloc, by_aligned_alloc, by_posix_memalign,
                                      by_malloc};
__attribute__((noinline)) static void deeper(int depth, int i) {
  if (depth > 0)
    return deeper(depth - 1, i);
  makers[random_below(5)](i);
  __asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 2000;
  if (argc > 2)
    state = (uint32_t)atoi(argv[2]) + 1;
  for (int round = 0; round < rounds; ++round) {
    int i = (int)random_below(slots);
    switch (random_below(10)) {
    case 0:
      by_realloc(i);
      break;
    case 1:
      too_large(i);
      break;
    case 2:
    case 3:
    case 4:
      by_free(i);
      break;
    default:
      if (!blocks[i])
        deeper((int)random_below(4), i);
    }
  }
  stopped = 1;
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
  for (int i = 0; i < count; ++i)
    printf("%c %u %u %u %s\n", entries[i].what, entries[i].old, entries[i].address, entries[i].size,
           entries[i].site);
  printf("memory %lu\n", __builtin_wasm_memory_size(0) * 65536ul);
  return 0;
}
