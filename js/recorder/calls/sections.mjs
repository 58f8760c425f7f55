// SPDX-License-Identifier: Apache-2.0
// Sections: parts of its run that a program names by itself, with builtin.beginSection(ptr, len) and
// builtin.endSection(). In records they are calls of functions that no module has.
//
// Which section an end belongs to is found where the open calls are known: in encoder.wasm, or of a
// module that is only sampled in OpenCalls.

import { counterOf } from "../modules/counters.mjs";
import { NUMBERS } from "../record/record-encoder.mjs";

/** The ids of sections are those from here on. */
const FIRST_SECTION_ID = NUMBERS.firstSectionId;
export const isSection = (id) => id >= FIRST_SECTION_ID;
/** In the place of an id: the innermost section ends that the current function has begun. */
export const SECTION_END = NUMBERS.sectionEnd;

const MAX_NAME = NUMBERS.maxSectionName;
const MAX_NAMES = NUMBERS.maxSectionNames;
const FURTHER = "(further sections)";

// A byte order mark is a part of the name.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** The faults of a record's sections, and how often each occurred. */
export const noFaults = () => ({
  endsWithoutBegin: 0,
  neverEnded: 0,
  notUtf8: 0,
  tooLong: 0,
  outOfBounds: 0,
  tooMany: 0,
});

/** The names of the sections of a record. */
export class SectionNames {
  #ids = new Map(); // of each module's number: ids by text
  #count = 0;
  #pending = [];
  #faults;

  /** `faults`: noFaults(), in which what is wrong is counted. */
  constructor(faults) {
    this.#faults = faults;
  }

  /** The id of a name that a module with this number gave; undefined for one out of bounds. */
  idOf(module, bytes) {
    const ids = this.#ids.get(module) ?? new Map();
    this.#ids.set(module, ids);
    const text = this.#textOf(bytes);
    const known = ids.get(text);
    if (known !== undefined) return known;
    if (this.#count < MAX_NAMES) return this.#add(ids, module, text);
    ++this.#faults.tooMany;
    return ids.get(FURTHER) ?? this.#add(ids, module, FURTHER);
  }

  get hasPending() {
    return this.#pending.length > 0;
  }

  /** The names that have not been taken yet: `{ module, functions: [[id, text]] }` each. */
  takePending() {
    const pending = this.#pending;
    this.#pending = [];
    return pending;
  }

  #add(ids, module, text) {
    const id = FIRST_SECTION_ID + this.#count++;
    ids.set(text, id);
    if (this.#pending.at(-1)?.module !== module) this.#pending.push({ module, functions: [] });
    this.#pending.at(-1).functions.push([id, text]);
    return id;
  }

  #textOf(bytes) {
    if (bytes === undefined) {
      ++this.#faults.outOfBounds;
      return "(name out of bounds)";
    }
    if (bytes.length === 0) return "(unnamed section)";
    const whole = this.#cut(bytes);
    try {
      return strict.decode(whole);
    } catch {
      ++this.#faults.notUtf8;
      return lenient.decode(whole);
    }
  }

  /** Cuts no character in two. A copy: memories that are shared cannot be decoded. */
  #cut(bytes) {
    if (bytes.length <= MAX_NAME) return bytes.slice();
    ++this.#faults.tooLong;
    let end = MAX_NAME;
    while (end > MAX_NAME - 3 && (bytes[end] & 0xc0) === 0x80) --end;
    return bytes.slice(0, end);
  }
}

/** A memory that an instance exports: the one called so, or any. */
function exportedMemory(exports = {}) {
  const { memory } = exports;
  if (memory instanceof WebAssembly.Memory) return memory;
  return Object.entries(exports).find(
    ([name, value]) => value instanceof WebAssembly.Memory && !name.startsWith("__warpo_"),
  )?.[1];
}

const addressOf = (value) => (typeof value === "bigint" ? Number(BigInt.asUintN(64, value)) : value >>> 0);

/** The fuel that an instance has used; 0 if it does not count it. */
export function fuelOf(look) {
  return counterOf(look()?.exports, "fuel")?.value ?? 0n;
}

/**
 * The functions for one instance; `look()` gives what is known of it, `{ exports, memory }`: the latter is one
 * that it imports. `begin(bytes, fuel)`, with `undefined` for bytes out of bounds; `end(fuel)`.
 */
export function sectionBuiltin(look, begin, end) {
  return {
    beginSection(pointer, length) {
      const [address, size] = [addressOf(pointer), addressOf(length)];
      const { exports, memory = exportedMemory(exports) } = look() ?? {};
      const buffer = memory?.buffer ?? new ArrayBuffer(0);
      const isInside = address + size <= buffer.byteLength;
      begin(isInside ? new Uint8Array(buffer, address, size) : undefined, fuelOf(look));
    },
    endSection: () => end(fuelOf(look)),
  };
}
