//===- WasiErrno.h - WASI's error numbers ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_WASI_WASIERRNO_H
#define WARPO_LIB_ENGINE_WASI_WASIERRNO_H

#include <cerrno>
#include <cstdint>

namespace warpo::wasi {

/// The errors that are used by name here; failed system calls may return others (errnoOf).
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
  /// An address outside of the program's memory.
  overflow = 61,
  notPermitted = 63,
  notSeekable = 70,
  /// The descriptor lacks a right, or a path leads out of its folder.
  notCapable = 76,
};

/// Converts the `errno` of a system call; as in Node's WASI, unknown ones become noSystemCall.
Errno errnoOf(int systemError);
/// The error of the system call that has just failed.
inline Errno lastError() { return errnoOf(errno); }
/// The error of a system call that returns 0 unless it fails.
inline Errno resultOf(int failed) { return failed ? lastError() : success; }

} // namespace warpo::wasi

#endif
