//===- WasiErrno.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "WasiErrno.h"
#include <cerrno>

using namespace warpo::wasi;

Errno warpo::wasi::errnoOf(int systemError) {
  static constexpr struct {
    int system;
    uint16_t wasi;
  } numbers[] = {
      {0, success},
      {E2BIG, 1},
      {EACCES, 2},
      {EAGAIN, again},
      {EBADF, badFile},
      {EBUSY, 10},
      {EDQUOT, 19},
      {EEXIST, 20},
      {EFAULT, 21},
      {EFBIG, fileTooLarge},
      {EILSEQ, 25},
      {EINTR, 27},
      {EINVAL, invalid},
      {EIO, 29},
      {EISDIR, isFolder},
      {ELOOP, loop},
      {EMFILE, tooManyFiles},
      {EMLINK, 34},
      {ENAMETOOLONG, nameTooLong},
      {ENFILE, 41},
      {ENOBUFS, noBufferSpace},
      {ENODEV, 43},
      {ENOENT, 44},
      {ENOMEM, 48},
      {ENOSPC, 51},
      {ENOSYS, noSystemCall},
      {ENOTCONN, 53},
      {ENOTDIR, notFolder},
      {ENOTEMPTY, 55},
      {ENOTSUP, 58},
      {ENOTTY, 59},
      {ENXIO, 60},
      {EOVERFLOW, overflow},
      {EPERM, notPermitted},
      {EPIPE, 64},
      {ERANGE, 68},
      {EROFS, 69},
      {ESPIPE, notSeekable},
      {ESTALE, 72},
      {ETIMEDOUT, 73},
      {ETXTBSY, 74},
      {EXDEV, 75},
  };
  for (const auto &number : numbers)
    if (number.system == systemError)
      return Errno(number.wasi);
  return noSystemCall;
}
