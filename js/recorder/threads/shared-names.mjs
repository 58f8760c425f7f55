// SPDX-License-Identifier: Apache-2.0
// The names of modules and their functions, for all threads of a process. A module that was posted to another thread
// has no bytes there from which names could be read; the thread that saw its bytes shares them as an entry of a
// SharedLog:
//
//   entry := namesSize:u32 codeSize:u32 names code   names: JSON; codeSize: 0 if the code is not needed

import { SharedLog } from "./shared-log.mjs";

const HEAD = 8;

export class SharedNames {
  #log;
  #pending = new Map(); // descriptions by module id, until others need them
  #known = new Map(); // `{ name, functions, ids, isMarked, tracedImports, tracedExports, code }` by module id
  #isNeeded;

  /** `memory`: of another thread's SharedNames; without it, names are shared only after share(). */
  constructor(memory) {
    this.#isNeeded = memory !== undefined;
    this.#log = new SharedLog(memory);
  }

  get memory() {
    return this.#log.memory;
  }

  /** `description`: a result of describeModule() (recorded-module.mjs) for the bytes of a module. */
  add(description) {
    if (description.id === undefined || description.functions.length === 0) return;
    if (this.#isNeeded) this.#write(description);
    else this.#pending.set(description.id, description);
  }

  /** To be called when another thread starts. */
  share() {
    this.#isNeeded = true;
    for (const description of this.#pending.values()) this.#write(description);
    this.#pending.clear();
  }

  /** Adds the names that any thread knows to the `description` of a module whose bytes are unknown here. */
  complete(description) {
    if (description.functions.length > 0) return description;
    this.#readAll();
    const found = this.#known.get(description.id);
    if (found === undefined) return description;
    return { ...description, ...found, name: description.name || found.name, ids: new Map(found.ids) };
  }

  #write({ id, name, functions, ids, isMarked, tracedImports, tracedExports, code = new Uint8Array() }) {
    this.#readAll();
    if (this.#known.has(id)) return;
    const names = new TextEncoder().encode(JSON.stringify({ name, functions, ids: [...ids], isMarked, tracedImports, tracedExports }));
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
      // Code may be large, so threads use that of the log without a copy.
      const code = codeSize > 0 ? entry.subarray(HEAD + size, HEAD + size + codeSize) : undefined;
      this.#known.set(id, { ...names, code });
    });
  }
}
