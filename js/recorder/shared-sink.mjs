// SPDX-License-Identifier: Apache-2.0
// Keeps the record of a thread where other threads see it and it outlives the thread. In front of it stands whether it is complete.

const HEAD = 8;
const LARGEST = 1 << 30;
const STEP = 1 << 20;

export class SharedSink {
  #buffer;
  #size = 0;

  /** `buffer`: that of another thread's SharedSink. */
  constructor(buffer = new SharedArrayBuffer(HEAD, { maxByteLength: LARGEST })) {
    this.#buffer = buffer;
  }

  get buffer() {
    return this.#buffer;
  }

  /** Bytes up to the end of what this one has written last. */
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
    if (end > LARGEST) throw new RangeError("no memory");
    if (end > this.#buffer.byteLength) this.#buffer.grow(Math.min(LARGEST, STEP * Math.ceil(end / STEP)));
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

  /** A copy, as many bytes as there are. */
  read(offset, size) {
    return new Uint8Array(this.#buffer, HEAD).slice(offset, Math.min(offset + size, this.#size));
  }

  /** The record is complete: from now on SharedSinks of other threads refuse what they are given. */
  close() {
    Atomics.store(this.#state, 0, 1);
  }

  toString() {
    return "a worker's record";
  }
}
