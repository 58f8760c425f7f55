// SPDX-License-Identifier: Apache-2.0
// The counts of a part of a run: counters are read when a section or phase with the part's name begins and ends, and
// the differences are added up. lib/Engine/CountedPart.cpp is the same for the other engines.

import { bytesOfCounts, countersOf } from "../recorder/artifacts/artifacts.mjs";
import { LeftCalls } from "../recorder/artifacts/left-calls.mjs";
import { sectionBuiltin } from "../recorder/calls/sections.mjs";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export class CountedPart {
  #name;
  #units;
  #left;
  #open = []; // innermost last: { look, isPart }
  #depth = 0; // how many of those are the part: a section may call itself
  #counters = new Map(); // by unit: { before, sums, isUnknown }
  #calls = { begun: new LeftCalls(), left: new LeftCalls() };
  #problems = [];

  /**
   * `units`: the program's modules, each with its `instance` once it has one; addComplete() adds more. `left`:
   * LeftCalls of the whole program.
   */
  constructor(name, units, left) {
    this.#name = name;
    this.#units = units;
    this.#left = left;
  }

  /** What could not be read: `{ unit, message }` each. */
  get problems() {
    return this.#problems;
  }

  get isEmpty() {
    return ![...this.#counters.values()].some(({ sums }) => sums?.some((count) => count > 0n));
  }

  /** Wraps `builtin`, the imports of an instance, to follow its sections. `look`: see sectionBuiltin(). */
  follow(look, builtin) {
    if (builtin?.beginSection === undefined && builtin?.endSection === undefined) return builtin;
    const begin = (bytes) => this.#begin(look, bytes === undefined ? undefined : decoder.decode(bytes.slice()));
    const heard = sectionBuiltin(look, begin, () => this.#end(look));
    return {
      ...builtin,
      beginSection(pointer, length) {
        heard.beginSection(pointer, length);
        builtin.beginSection?.(pointer, length);
      },
      endSection() {
        heard.endSection();
        builtin.endSection?.();
      },
    };
  }

  /** A phase in which the program runs; no call is open. */
  beginPhase = (name) => this.#begin(undefined, name);
  endPhase = () => this.#end(undefined);

  /** The program has returned to its host. */
  endSections() {
    while (this.#open.at(-1)?.look !== undefined) this.#end(this.#open.at(-1).look);
  }

  /**
   * Adds a complete unit, for hosts without phases, which called beginPhase("run") at the start: what its instance has
   * counted so far belongs to `start`, the rest to `run`.
   */
  addComplete(unit) {
    this.#units.push(unit);
    if (this.#name !== "start" && this.#name !== "run") return;
    const key = this.#name === "start" ? "sums" : "before";
    this.#reading(unit, () => this.#counters.set(unit, { [key]: countersOf(unit.instance, unit.module) }));
  }

  /** The program has ended; LeftCalls know which calls were open. */
  close() {
    this.#open = [];
    if (this.#depth === 0) return;
    this.#depth = 0;
    this.#read();
  }

  /** The counts file of a unit. Of several instances of a module, the first reports the open calls of all. */
  bytesOf(unit) {
    return bytesOfCounts(this.#counters.get(unit)?.sums, this.#calls, unit.instance, unit.module);
  }

  #begin(look, name) {
    const isPart = name === this.#name;
    this.#open.push({ look, isPart });
    if (isPart && ++this.#depth === 1) this.#readHere();
  }

  #end(look) {
    if (this.#open.length === 0 || this.#open.at(-1).look !== look) return;
    if (this.#open.pop().isPart && --this.#depth === 0) this.#readHere();
  }

  get #callsNow() {
    return this.#depth > 0 ? this.#calls.begun : this.#calls.left;
  }

  #readHere() {
    this.#callsNow.addCurrent();
    this.#read();
  }

  #read() {
    this.#callsNow.add(this.#left);
    for (const unit of this.#units) this.#reading(unit, () => this.#readCounters(unit));
  }

  #reading(unit, read) {
    try {
      read();
    } catch ({ message }) {
      this.#problems.push({ unit, message: `counts of ${this.#name} cannot be read: ${message}` });
    }
  }

  #readCounters(unit) {
    const begins = this.#depth > 0;
    const { before, sums, isUnknown } = this.#counters.get(unit) ?? {};
    // If reading the counters fails now, the part's counts stay unknown.
    this.#counters.set(unit, { sums, isUnknown: begins });
    const now = unit.instance && countersOf(unit.instance, unit.module);
    const added = (number, i) => number - (before?.[i] ?? 0n) + (sums?.[i] ?? 0n);
    if (begins) this.#counters.set(unit, { before: now, sums });
    else if (!isUnknown) this.#counters.set(unit, { sums: now?.map(added) });
  }
}
