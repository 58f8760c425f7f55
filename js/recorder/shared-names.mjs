// SPDX-License-Identifier: Apache-2.0
// The names of modules and their functions, for all threads of a process. A module that was posted to another thread has no code there in
// which they could be found; whoever saw its bytes tells the others, which need no turn of an event loop to hear of it.
//
//   log   := size:u32 0:u32 entry*              size: of all entries
//   entry := size:u32 isThere:u32 id:u64 JSON   size: of all of it, a multiple of 8

import { awaitChange } from "./waiting.mjs";

const MAX_PAGES = 1 << 14;
const LOG_HEAD = 8;
const ENTRY_HEAD = 16;

export class SharedNames {
  #memory;
  #pending = new Map(); // descriptions by module id, until others need them
  #known = new Map(); // `{ name, functions, ids }` by module id, undefined of those that this thread has published
  #read = LOG_HEAD;
  #isNeeded;

  /** `memory`: of another thread's SharedNames; without, no other thread needs the names before share(). */
  constructor(memory) {
    this.#isNeeded = memory !== undefined;
    this.#memory = memory ?? new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  }

  get memory() {
    return this.#memory;
  }

  /** What describeModule() (recorded-module.mjs) said of bytes. */
  add(description) {
    if (description.id === undefined || description.functions.length === 0) return;
    if (this.#isNeeded) this.#write(description);
    else this.#pending.set(description.id, description);
  }

  /** From now on there are other threads. */
  share() {
    this.#isNeeded = true;
    for (const description of this.#pending.values()) this.#write(description);
    this.#pending.clear();
  }

  /** `description` of a module without its code, with the names that any thread knows. */
  complete(description) {
    if (description.functions.length > 0) return description;
    this.#readAll();
    const found = this.#known.get(description.id);
    return found === undefined
      ? description
      : { ...description, name: description.name || found.name, functions: found.functions, ids: new Map(found.ids) };
  }

  #write({ id, name, functions, ids }) {
    this.#readAll();
    if (this.#known.has(id)) return;
    const text = new TextEncoder().encode(JSON.stringify({ name, functions, ids: [...ids] }));
    const size = ENTRY_HEAD + 8 * Math.ceil(text.length / 8);
    const at = LOG_HEAD + Atomics.add(new Int32Array(this.#memory.buffer), 0, size);
    // Names without memory for them are missing in other threads.
    if (!this.#hasRoomFor(at + size)) return;
    const { buffer } = this.#memory;
    const words = new Int32Array(buffer, at, 2);
    words[0] = size;
    new BigUint64Array(buffer, at + 8, 1)[0] = id;
    new Uint8Array(buffer, at + ENTRY_HEAD, size - ENTRY_HEAD).fill(0x20).set(text);
    Atomics.store(words, 1, 1);
    Atomics.notify(words, 1);
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

  #readAll() {
    for (;;) {
      const { buffer } = this.#memory;
      const end = LOG_HEAD + Atomics.load(new Int32Array(buffer), 0);
      if (this.#read >= Math.min(end, buffer.byteLength)) return;
      const words = new Int32Array(buffer, this.#read, 2);
      // A thread that has just begun to write is waited for; one that was ended then leaves the rest to itself.
      if (Atomics.load(words, 1) === 0 && awaitChange(words, 1, 0, 100) === "timed-out") return;
      const [size] = words;
      const [id] = new BigUint64Array(buffer, this.#read + 8, 1);
      const text = new Uint8Array(buffer, this.#read + ENTRY_HEAD, size - ENTRY_HEAD).slice();
      this.#known.set(id, JSON.parse(new TextDecoder().decode(text)));
      this.#read += size;
    }
  }
}
