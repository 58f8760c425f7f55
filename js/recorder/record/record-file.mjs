// SPDX-License-Identifier: Apache-2.0
// The file of a record, in Node.

import { closeSync, constants, fstatSync, ftruncateSync, openSync } from "node:fs";

function openToWrite(file) {
  const { O_WRONLY, O_CREAT } = constants;
  return openSync(file, O_WRONLY | O_CREAT, 0o666);
}

/**
 * Opens `file`, unless `fd` is a descriptor of it already, and leaves so many bytes in it. `check(status)` may
 * throw before that. Returns the descriptor.
 */
export function openRecordFile({ file, fd = openToWrite(file) }, size = 0, check = () => {}) {
  try {
    const status = fstatSync(fd, { bigint: true });
    if (status.isFile()) {
      check(status);
      // When a truncated file is closed, ext4 writes it to the disk: an empty one is not truncated.
      if (status.size !== BigInt(size)) ftruncateSync(fd, size);
    }
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
