// SPDX-License-Identifier: Apache-2.0
// Writes a record to a file or to a descriptor, in Node.

import { closeSync, ftruncateSync, writeSync } from "node:fs";
import { openRecordFile } from "./record-file.mjs";
import { systemMessage } from "./system-message.mjs";

/** Adds the operating system's message to an error, as its `reason`. */
function withReason(error) {
  error.reason = systemMessage(error);
  return error;
}

/** The files that this thread writes, by device and number: Node knows no locks. */
const written = new Set();

/** Opens a file and truncates it to `size` bytes, unless another recorder writes it. */
function openFile(target, size) {
  let key;
  const fd = openRecordFile(target, size, ({ dev, ino }) => {
    key = `${dev}:${ino}`;
    if (written.has(key)) throw new Error("another recorder writes it");
  });
  if (key !== undefined) written.add(key);
  return { fd, key };
}

export class FileSink {
  #fd;
  #key;
  #owned;
  #hasPlaces; // it is a file of ours, in which blocks are put where they belong

  /**
   * `{ file }`, perhaps with its `fd`, or `{ fd }`: written from where it stands and left open. `size`: bytes of a file
   * that stay. Throws if it cannot be opened. `shared`: that of another thread's FileSink, which is open as long as
   * this one is used.
   */
  constructor({ file, fd, size = 0, shared }) {
    if (shared !== undefined) {
      ({ fd: this.#fd, owned: this.#owned, hasPlaces: this.#hasPlaces } = shared);
      return;
    }
    this.#owned = file !== undefined;
    try {
      this.#fd = fd;
      if (this.#owned) ({ fd: this.#fd, key: this.#key } = openFile({ file, fd }, size));
    } catch (error) {
      throw withReason(error);
    }
    this.#hasPlaces = this.#key !== undefined;
  }

  /** Whether cut() can take back what was written. */
  get takesParts() {
    return this.#hasPlaces;
  }

  /** The argument for a FileSink of another thread of the process. */
  get shared() {
    return { fd: this.#fd, owned: this.#owned, hasPlaces: this.#hasPlaces };
  }

  /** Writes all bytes, of a file at `offset`; what was written of them before a failure is taken back, if it can be. */
  write(bytes, offset) {
    try {
      for (let at = 0; at < bytes.length;) at += this.#writeSome(bytes, at, offset);
    } catch (error) {
      this.cut(offset);
      throw withReason(error);
    }
  }

  #writeSome(bytes, at, offset) {
    try {
      // What a failure has left behind the last whole block is written over.
      const place = this.#hasPlaces ? offset + at : null;
      return writeSync(this.#fd, bytes, at, bytes.length - at, place);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      // A pipe that is full and does not block: wait a little for its reader.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      return 0;
    }
  }

  /** Truncates the record to `size` bytes, if the file can be truncated. */
  cut(size) {
    if (!this.#owned) return;
    try {
      ftruncateSync(this.#fd, size);
    } catch {
      // A pipe or a device by name: the cut block at its end stays.
    }
  }

  /** Returns false if it is not our own file, or can be written at its end only, like a pipe. */
  rewrite(offset, bytes) {
    try {
      return this.#owned && writeSync(this.#fd, bytes, 0, bytes.length, offset) === bytes.length;
    } catch {
      return false;
    }
  }

  close() {
    if (!this.#owned) return;
    this.#owned = false;
    written.delete(this.#key);
    try {
      closeSync(this.#fd);
    } catch (error) {
      throw withReason(error);
    }
  }
}
