/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a record. Writing survives signals, full or closed pipes, and full disks. */
#define _GNU_SOURCE /* asprintf, flock, sigtimedwait */
#include "sink.h"
#include "held_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void warpo_sink_fail(warpo_sink *sink, const char *what, int error) {
  if (sink->error)
    return;
  sink->error = error;
  char reason[128];
  if (asprintf(&sink->error_text, "%s: %s: %s", sink->name ? sink->name : "record", what,
               strerror_r(error, reason, sizeof(reason))) < 0)
    sink->error_text = NULL;
}

void warpo_hold_signals(warpo_held_signals *held) {
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGPIPE);
  sigaddset(&both, SIGXFSZ);
  sigpending(&held->waiting);
  pthread_sigmask(SIG_BLOCK, &both, &held->before);
}

void warpo_release_signals(const warpo_held_signals *held, int error) {
  int raised = error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
  if (raised && sigismember(&held->waiting, raised) == 0) {
    const struct timespec now = {0, 0};
    sigset_t arrived;
    sigemptyset(&arrived);
    sigaddset(&arrived, raised);
    while (sigtimedwait(&arrived, NULL, &now) < 0 && errno == EINTR)
      ;
  }
  pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}

/* One write that raises no signal if it fails with EPIPE or EFBIG. */
static ssize_t quiet_write(int fd, const char *bytes, size_t size) {
  warpo_held_signals held;
  warpo_hold_signals(&held);
  ssize_t written = write(fd, bytes, size);
  int error = errno;
  warpo_release_signals(&held, written < 0 ? error : 0);
  errno = error;
  return written;
}

int warpo_write_all(int fd, const void *data, size_t size, uint64_t *total) {
  const char *bytes = data;
  while (size != 0) {
    ssize_t written = quiet_write(fd, bytes, size);
    if (written > 0) {
      bytes += written;
      size -= (size_t)written;
      *total += (uint64_t)written;
    } else if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      struct pollfd writable = {fd, POLLOUT, 0};
      if (poll(&writable, 1, -1) < 0 && errno != EINTR)
        return errno;
    } else if (written == 0 || errno != EINTR) {
      return written == 0 ? EIO : errno;
    }
  }
  return 0;
}

/* Empties the file, unless another recorder has it locked. The lock is released with the process.
 * On file systems without locks, does not lock. When a truncated file is closed, ext4 writes it to
 * the disk: an empty one is not truncated. */
static bool take_file(warpo_sink *sink) {
  if (flock(sink->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    warpo_sink_fail(sink, "another recorder writes it", EBUSY);
    return false;
  }
  struct stat status;
  if (fstat(sink->fd, &status) != 0 || (status.st_size != 0 && ftruncate(sink->fd, 0) != 0)) {
    warpo_sink_fail(sink, "cannot open", errno);
    return false;
  }
  return true;
}

void warpo_sink_open(warpo_sink *sink, const char *file, int fd) {
  *sink = (warpo_sink){.fd = fd, .owned = file != NULL};
  if (file) {
    sink->name = strdup(file);
    sink->fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  } else if (asprintf(&sink->name, "file descriptor %d", fd) < 0) {
    sink->name = NULL;
  }
  struct stat status;
  if (sink->fd < 0 || fstat(sink->fd, &status) != 0) {
    warpo_sink_fail(sink, "cannot open", file ? errno : EBADF);
    sink->broken = true;
    return;
  }
  sink->regular = sink->owned && S_ISREG(status.st_mode);
  if (sink->regular && !take_file(sink)) {
    close(sink->fd);
    sink->fd = -1;
    sink->broken = true;
    sink->regular = false;
  }
}

bool warpo_sink_cut(warpo_sink *sink, uint64_t size) {
  if (ftruncate(sink->fd, (off_t)size) != 0 || lseek(sink->fd, (off_t)size, SEEK_SET) < 0)
    return false;
  sink->size = size;
  sink->broken = false;
  return true;
}

size_t warpo_sink_write(warpo_sink *sink, const void *data, size_t size, size_t unit) {
  if (sink->broken)
    return 0;
  uint64_t before = sink->size;
  int error = warpo_write_all(sink->fd, data, size, &sink->size);
  if (!error)
    return size;
  size_t whole = (size_t)(sink->size - before) / unit * unit;
  if (sink->regular)
    (void)warpo_sink_cut(sink, before + whole);
  warpo_sink_fail(sink, "cannot write", error);
  sink->broken = true;
  return whole;
}

void warpo_sink_correct(warpo_sink *sink, uint64_t offset, const void *data, size_t size) {
  const char *bytes = data;
  while (size != 0) {
    ssize_t written = pwrite(sink->fd, bytes, size, (off_t)offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      warpo_sink_fail(sink, "cannot correct the clock", written == 0 ? EIO : errno);
      return;
    }
    bytes += written;
    offset += (uint64_t)written;
    size -= (size_t)written;
  }
}

void warpo_sink_close(warpo_sink *sink) {
  if (!sink->owned || sink->fd < 0)
    return;
  /* Some file systems report a full disk only at close. After EINTR, Linux has closed the
   * descriptor. */
  if (close(sink->fd) != 0 && errno != EINTR)
    warpo_sink_fail(sink, "cannot close", errno);
  sink->fd = -1;
}
