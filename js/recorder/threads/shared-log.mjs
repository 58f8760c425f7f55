// SPDX-License-Identifier: Apache-2.0
// Messages between the threads of a process that need no event loop.
//
//   log   := size:u32 0:u32 entry*              size: of all entries
//   entry := size:u32 isThere:u32 id:u64 bytes  size: of the whole entry, a multiple of 8; bytes are zero-padded

import { awaitChange } from "../engine/waiting.mjs";

const MAX_PAGES = 1 << 14;
const LOG_HEAD = 8;
const ENTRY_HEAD = 16;

export class SharedLog {
  #memory;
  #read = LOG_HEAD;

  /** `memory`: of another thread's SharedLog; default: a new, empty one. */
  constructor(memory) {
    this.#memory = memory ?? new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  }

  get memory() {
    return this.#memory;
  }

  /** `id` is a BigInt of 64 bits. If there is no memory for the entry, other threads do not see it. */
  append(id, bytes) {
    const size = ENTRY_HEAD + 8 * Math.ceil(bytes.length / 8);
    const at = LOG_HEAD + Atomics.add(new Int32Array(this.#memory.buffer), 0, size);
    if (!this.#hasRoomFor(at + size)) return;
    const { buffer } = this.#memory;
    const words = new Int32Array(buffer, at, 2);
    words[0] = size;
    new BigUint64Array(buffer, at + 8, 1)[0] = id;
    new Uint8Array(buffer, at + ENTRY_HEAD).set(bytes);
    Atomics.store(words, 1, 1);
    Atomics.notify(words, 1);
  }

  /** Calls `take(id, bytes)` with each unread entry; `bytes` is a view of the log, including the zeros behind them. */
  readNew(take) {
    for (;;) {
      const { buffer } = this.#memory;
      const end = LOG_HEAD + Atomics.load(new Int32Array(buffer), 0);
      if (this.#read >= Math.min(end, buffer.byteLength)) return;
      const words = new Int32Array(buffer, this.#read, 2);
      // Wait for a thread that has just begun to write. If it was ended there, the entries from here on stay unread.
      if (Atomics.load(words, 1) === 0 && awaitChange(words, 1, 0, 100) === "timed-out") return;
      const [size] = words;
      const [id] = new BigUint64Array(buffer, this.#read + 8, 1);
      const bytes = new Uint8Array(buffer, this.#read + ENTRY_HEAD, size - ENTRY_HEAD);
      this.#read += size;
      take(id, bytes);
    }
  }

  #hasRoomFor(size) {
    try {
      const missing = size - this.#memory.buffer.byteLength;
      if (missing > 0) this.#memory.grow(Math.ceil(missing / (1 << 16)));
      return true;
    } catch {
      return false;
    }
  }
}
