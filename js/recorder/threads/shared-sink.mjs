// SPDX-License-Identifier: Apache-2.0
// Keeps the record of a thread in shared memory, so that it outlives the thread. A flag in front of it says whether it
// is complete.

const HEAD = 8;
const STEP = 1 << 20;
const PIECE = 1 << 24;

/** Memory for a SharedSink of at most `largest` bytes. Throws a RangeError if there is no room for them. */
export const sharedMemory = (largest = 1 << 30) => new SharedArrayBuffer(HEAD, { maxByteLength: largest });

export class SharedSink {
  /** Whether this engine has shared memory that can grow. */
  static isPossible = typeof SharedArrayBuffer === "function" && typeof SharedArrayBuffer.prototype.grow === "function";

  #buffer;
  #size = 0;

  /** `buffer`: that of another thread's SharedSink. */
  constructor(buffer = sharedMemory()) {
    this.#buffer = buffer;
  }

  get buffer() {
    return this.#buffer;
  }

  /** The same, for the thread that packs in place of this one. */
  get shared() {
    return this.#buffer;
  }

  /** Whether bytes behind the last block may be overwritten. */
  takesParts = true;

  /** The end of the last write of this sink, in bytes. */
  get size() {
    return this.#size;
  }

  get #state() {
    return new Int32Array(this.#buffer, 0, 1);
  }

  get #isComplete() {
    return Atomics.load(this.#state, 0) !== 0;
  }

  write(bytes, offset) {
    if (this.#isComplete) throw new Error("the record is complete");
    const end = HEAD + offset + bytes.length;
    const { byteLength, maxByteLength } = this.#buffer;
    if (end > maxByteLength) throw new RangeError("no memory");
    if (end > byteLength) this.#buffer.grow(Math.min(maxByteLength, STEP * Math.ceil(end / STEP)));
    this.#put(bytes, offset);
    this.#size = offset + bytes.length;
  }

  /** False once the record is complete. */
  rewrite(offset, bytes) {
    if (this.#isComplete) return false;
    this.#put(bytes, offset);
    return true;
  }

  #put(bytes, offset) {
    new Uint8Array(this.#buffer, HEAD).set(bytes, offset);
  }

  /** A copy of up to `size` bytes at `offset`. */
  read(offset, size) {
    return new Uint8Array(this.#buffer, HEAD).slice(offset, Math.min(offset + size, this.#size));
  }

  /** The record, which has `size` bytes. */
  blob(size) {
    const bytes = new Uint8Array(this.#buffer, HEAD);
    const pieces = [];
    for (let at = 0; at < size; at += PIECE) pieces.push(bytes.slice(at, Math.min(at + PIECE, size)));
    return new Blob(pieces, { type: "application/octet-stream" });
  }

  /** Marks the record as complete: SharedSinks of other threads refuse to write from now on. */
  close() {
    Atomics.store(this.#state, 0, 1);
  }

  toString() {
    return "a worker's record";
  }
}
