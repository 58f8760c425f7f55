/* For LD_PRELOAD: closing a file that was open for writing fails, as network file systems report a
 * full disk or a lost server.
 *
 *   FAILING_CLOSE        the beginning of the paths of such files
 *   FAILING_CLOSE_ERROR  the number of the error
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int error_of(int fd) {
  const char *wanted = getenv("FAILING_CLOSE"), *error = getenv("FAILING_CLOSE_ERROR");
  int flags = fcntl(fd, F_GETFL);
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, sizeof path);
  if (!wanted || !error || flags < 0 || (flags & O_ACCMODE) == O_RDONLY || size < 0)
    return 0;
  size_t length = strlen(wanted);
  return (size_t)size >= length && memcmp(path, wanted, length) == 0 ? atoi(error) : 0;
}

static long after(long result, int error) {
  if (error == 0 || result != 0)
    return result;
  errno = error;
  return -1;
}

/* As with Linux's own, the descriptor is closed whatever is reported. */
int close(int fd) {
  int error = error_of(fd);
  return (int)after(((int (*)(int))dlsym(RTLD_NEXT, "close"))(fd), error);
}

/* How Node's libuv calls it. */
long syscall(long number, ...) {
  va_list list;
  long values[6];
  va_start(list, number);
  for (int i = 0; i < 6; ++i)
    values[i] = va_arg(list, long);
  va_end(list);
  int error = number == SYS_close ? error_of((int)values[0]) : 0;
  long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  long result = real(number, values[0], values[1], values[2], values[3], values[4], values[5]);
  return after(result, error);
}
