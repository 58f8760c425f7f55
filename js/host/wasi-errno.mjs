// SPDX-License-Identifier: Apache-2.0
// WASI's error numbers.

export const SUCCESS = 0;
export const BAD_FILE = 8;
export const BUSY = 10;
export const EXISTS = 20;
export const INVALID = 28;
export const IS_FOLDER = 31;
export const LOOP = 32;
export const NAME_TOO_LONG = 37;
export const NO_ENTRY = 44;
export const NO_MEMORY = 48;
export const NOT_FOLDER = 54;
/** An address outside the program's memory. */
export const OVERFLOW = 61;
export const NOT_PERMITTED = 63;
export const NOT_SEEKABLE = 70;
/** The descriptor lacks a right, or a path leads out of its folder. */
export const NOT_CAPABLE = 76;

/** Node's error codes that map to WASI's. */
const BY_CODE = {
  EACCES: 2,
  EBUSY: BUSY,
  EDQUOT: 19,
  EEXIST: EXISTS,
  EINVAL: INVALID,
  EIO: 29,
  ELOOP: LOOP,
  EMFILE: 33,
  ENAMETOOLONG: NAME_TOO_LONG,
  ENFILE: 41,
  ENOENT: NO_ENTRY,
  ENOMEM: NO_MEMORY,
  ENOSPC: 51,
  ENOTDIR: NOT_FOLDER,
  ENOTSUP: 58,
  EPERM: NOT_PERMITTED,
  EROFS: 69,
  ESTALE: 72,
};
const NO_SYSTEM_CALL = 52;

/** An error to return to the program. */
export class WasiError extends Error {
  constructor(errno) {
    super(`WASI's error ${errno}`);
    this.errno = errno;
  }
}

/** Calls `action` and returns its number; if it throws an error meant for the program, the number of that error. */
export function errnoOf(action) {
  try {
    return action();
  } catch (error) {
    if (error instanceof WasiError) return error.errno;
    if (typeof error.syscall !== "string") throw error;
    return BY_CODE[error.code] ?? NO_SYSTEM_CALL;
  }
}
