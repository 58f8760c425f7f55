//===- WasiErrno.h - The numbers of errors that programs of WASI know -----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_WASI_WASIERRNO_H
#define WARPO_LIB_ENGINE_WASI_WASIERRNO_H

#include <cerrno>
#include <cstdint>

namespace warpo::wasi {

/// Those that are returned here by name; a failed system call may give others (errnoOf).
enum Errno : uint16_t {
  success = 0,
  again = 6,
  badFile = 8,
  fileTooLarge = 22,
  invalid = 28,
  isFolder = 31,
  loop = 32,
  tooManyFiles = 33,
  nameTooLong = 37,
  noBufferSpace = 42,
  noSystemCall = 52,
  notFolder = 54,
  /// A place outside of the program's memory.
  overflow = 61,
  notPermitted = 63,
  notSeekable = 70,
  /// The descriptor lacks a right, or a path leads out of its folder.
  notCapable = 76,
};

/// What a system call's `errno` is for the program; as in Node's WASI, noSystemCall for one that it
/// has no number for.
Errno errnoOf(int systemError);
/// The error of the system call that has just failed.
inline Errno lastError() { return errnoOf(errno); }
/// The error of a system call that returns 0 unless it fails.
inline Errno resultOf(int failed) { return failed ? lastError() : success; }

} // namespace warpo::wasi

#endif
