// SPDX-License-Identifier: Apache-2.0
// The names of modules and their functions, for all threads of a process. A module that was posted to another thread has no code there in
// which they could be found; whoever saw its bytes tells the others, as JSON in a SharedLog.

import { SharedLog } from "./shared-log.mjs";

export class SharedNames {
  #log;
  #pending = new Map(); // descriptions by module id, until others need them
  #known = new Map(); // `{ name, functions, ids }` by module id
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
    return found === undefined
      ? description
      : { ...description, name: description.name || found.name, functions: found.functions, ids: new Map(found.ids) };
  }

  #write({ id, name, functions, ids }) {
    this.#readAll();
    if (!this.#known.has(id)) this.#log.append(id, new TextEncoder().encode(JSON.stringify({ name, functions, ids: [...ids] })));
  }

  #readAll() {
    this.#log.readNew((id, bytes) => {
      const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
      this.#known.set(id, JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))));
    });
  }
}
