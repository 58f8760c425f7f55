// SPDX-License-Identifier: Apache-2.0
#include "FailingCalls.h"

#include <atomic>
#include <cerrno>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/types.h>

static Failure failure;
static std::atomic<uint64_t> calls;

void setFailure(const Failure &wanted) {
  calls = 0;
  failure = wanted;
}

/// Whether this call is to fail; `isFirst` if none has before.
static bool fails(Call call, bool *isFirst = nullptr) {
  if (failure.call != call)
    return false;
  uint64_t number = calls++;
  if (isFirst)
    *isFirst = number == failure.first;
  return number >= failure.first && number - failure.first < failure.times;
}

static int failed() {
  errno = failure.error;
  return -1;
}

extern "C" {
ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t offset);
int __real_ftruncate(int fd, off_t size);
off_t __real_lseek(int fd, off_t offset, int from);
int __real_posix_fallocate(int fd, off_t offset, off_t size);
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
int __real_close(int fd);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);

ssize_t __wrap_write(int fd, const void *bytes, size_t size) {
  bool isFirst;
  if (!fails(Call::write, &isFirst))
    return __real_write(fd, bytes, size);
  // As a full disk does: what there is room for is written, and the next call fails.
  if (isFirst && failure.takesHalf && size > 1) {
    --calls;
    failure.takesHalf = false;
    return __real_write(fd, bytes, size / 2);
  }
  return failed();
}

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  return fails(Call::pwrite) ? failed() : __real_pwrite(fd, bytes, size, offset);
}

int __wrap_ftruncate(int fd, off_t size) {
  return fails(Call::ftruncate) ? failed() : __real_ftruncate(fd, size);
}

off_t __wrap_lseek(int fd, off_t offset, int from) {
  return fails(Call::lseek) ? failed() : __real_lseek(fd, offset, from);
}

int __wrap_posix_fallocate(int fd, off_t offset, off_t size) {
  return fails(Call::fallocate) ? failure.error : __real_posix_fallocate(fd, offset, size);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
  if (!fails(Call::mmap))
    return __real_mmap(at, size, protection, flags, fd, offset);
  failed();
  return MAP_FAILED;
}

// As on Linux: the descriptor is closed nevertheless.
int __wrap_close(int fd) {
  int result = __real_close(fd);
  return fails(Call::close) ? failed() : result;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument) {
  return fails(Call::thread) ? failure.error
                             : __real_pthread_create(thread, attributes, run, argument);
}

// `operator new` is not among these.
void *__wrap_malloc(size_t size) {
  return fails(Call::malloc) ? (failed(), nullptr) : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  return fails(Call::malloc) ? (failed(), nullptr) : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
  return fails(Call::malloc) ? (failed(), nullptr) : __real_realloc(memory, size);
}
}
