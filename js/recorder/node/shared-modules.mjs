// SPDX-License-Identifier: Apache-2.0
// The modules that a process's threads have compiled, for its main thread. An entry of a SharedLog has the sizes of the
// file's name and of the module, both as u32, followed by the two.

import { sha256 } from "./sha256.mjs";
import { SharedLog } from "../threads/shared-log.mjs";

const HEAD = 8;

export class SharedModules {
  #log;
  #known = new Set(); // by hash

  /** `memory`: of the main thread's, in the others. */
  constructor(memory) {
    this.#log = new SharedLog(memory);
  }

  get memory() {
    return this.#log.memory;
  }

  add(bytes, fileName) {
    const hash = sha256(bytes).readBigUInt64LE();
    this.#log.readNew((id) => this.#known.add(id));
    if (this.#known.has(hash)) return;
    const name = new TextEncoder().encode(fileName);
    const entry = new Uint8Array(HEAD + name.length + bytes.length);
    const sizes = new DataView(entry.buffer);
    sizes.setUint32(0, name.length, true);
    sizes.setUint32(4, bytes.length, true);
    entry.set(name, HEAD);
    entry.set(bytes, HEAD + name.length);
    this.#log.append(hash, entry);
  }

  /** Calls `take(bytes, fileName)` with each that was not taken before. */
  takeAll(take) {
    this.#log.readNew((_, entry) => {
      const sizes = new DataView(entry.buffer, entry.byteOffset);
      const end = HEAD + sizes.getUint32(0, true);
      take(entry.slice(end, end + sizes.getUint32(4, true)), new TextDecoder().decode(entry.slice(HEAD, end)));
    });
  }
}
