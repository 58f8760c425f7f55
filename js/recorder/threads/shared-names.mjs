// SPDX-License-Identifier: Apache-2.0
// The names of modules and their functions, for all threads of a process. A module that was posted to another thread has no code there in
// which they could be found; whoever saw its bytes tells the others: an entry of a SharedLog has the size of the names, as JSON, and that of the
// code, 0 if it is not needed, both as u32, and then both themselves.

import { SharedLog } from "./shared-log.mjs";

const HEAD = 8;

export class SharedNames {
  #log;
  #pending = new Map(); // descriptions by module id, until others need them
  #known = new Map(); // `{ name, functions, ids, isMarked, code }` by module id
  #isNeeded;

  /** `memory`: of another thread's SharedNames; without, no other thread needs the names before share(). */
  constructor(memory) {
    this.#isNeeded = memory !== undefined;
    this.#log = new SharedLog(memory);
  }

  get memory() {
    return this.#log.memory;
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
    if (found === undefined) return description;
    const { functions, ids, isMarked, code } = found;
    return { ...description, name: description.name || found.name, functions, ids: new Map(ids), isMarked, code };
  }

  #write({ id, name, functions, ids, isMarked, code = new Uint8Array() }) {
    this.#readAll();
    if (this.#known.has(id)) return;
    const names = new TextEncoder().encode(JSON.stringify({ name, functions, ids: [...ids], isMarked }));
    const entry = new Uint8Array(HEAD + names.length + code.length);
    new Uint32Array(entry.buffer, 0, 2).set([names.length, code.length]);
    entry.set(names, HEAD);
    entry.set(code, HEAD + names.length);
    this.#log.append(id, entry);
  }

  #readAll() {
    this.#log.readNew((id, entry) => {
      const [size, codeSize] = new Uint32Array(entry.buffer, entry.byteOffset, 2);
      const names = JSON.parse(new TextDecoder().decode(entry.slice(HEAD, HEAD + size)));
      // Code may be large: threads look at that of the log.
      const code = codeSize > 0 ? entry.subarray(HEAD + size, HEAD + size + codeSize) : undefined;
      this.#known.set(id, { ...names, code });
    });
  }
}
