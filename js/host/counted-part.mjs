// SPDX-License-Identifier: Apache-2.0
// What instances count while a section or a phase of a name is open: their counters are read where it begins and where it ends, each
// time, and differences are added up. lib/Engine/CountedPart.cpp does the same for the other engines.

import { bytesOfCounts, countersOf } from "../recorder/artifacts/artifacts.mjs";
import { LeftCalls } from "../recorder/artifacts/left-calls.mjs";
import { sectionBuiltin } from "../recorder/calls/sections.mjs";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export class CountedPart {
  #name;
  #units;
  #open = []; // innermost last: { unit, isPart }
  #depth = 0; // how many of those are the part: a section may call itself
  #counters = new Map(); // by unit: { before, sums }
  #calls = { begun: new LeftCalls(), left: new LeftCalls() };
  #problems = [];

  /** `units`: all modules of the program, those that have an instance yet and others. */
  constructor(name, units) {
    this.#name = name;
    this.#units = units;
  }

  /** What could not be read, as messages. */
  get problems() {
    return this.#problems;
  }

  /** The functions of `builtin` of a unit: those of its sections are heard. */
  follow(unit, builtin) {
    if (builtin?.beginSection === undefined && builtin?.endSection === undefined) return builtin;
    const look = () => ({ exports: unit.instance?.exports, memory: unit.memory });
    const begin = (bytes) => this.#begin(unit, bytes === undefined ? undefined : decoder.decode(bytes.slice()));
    const heard = sectionBuiltin(look, begin, () => this.#end(unit));
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
    while (this.#open.at(-1)?.unit !== undefined) this.#end(this.#open.at(-1).unit);
  }

  /** The program has ended: what is open ends by what `left` knows. */
  close(left) {
    this.#open = [];
    if (this.#depth > 0) {
      this.#depth = 0;
      this.#read(left);
    }
  }

  /** The file of counts of a unit. Of several of one module, the first has the open calls of all. */
  bytesOf(unit) {
    return bytesOfCounts(this.#counters.get(unit)?.sums, this.#calls, unit.instance, unit.module);
  }

  #begin(unit, name) {
    const isPart = name === this.#name;
    this.#open.push({ unit, isPart });
    if (isPart && ++this.#depth === 1) this.#read();
  }

  #end(unit) {
    if (this.#open.length === 0 || this.#open.at(-1).unit !== unit) return;
    if (this.#open.pop().isPart && --this.#depth === 0) this.#read();
  }

  #read(left) {
    const { begun, left: ended } = this.#calls;
    if (this.#depth > 0) begun.addCurrent();
    else if (left === undefined) ended.addCurrent();
    else ended.add(left);
    for (const unit of this.#units)
      try {
        this.#readCounters(unit);
      } catch ({ message }) {
        this.#problems.push(`${unit.path}: counts of ${this.#name} cannot be read: ${message}`);
      }
  }

  #readCounters(unit) {
    const now = unit.instance && countersOf(unit.instance, unit.module);
    const { before, sums } = this.#counters.get(unit) ?? {};
    const added = (number, i) => number - (before?.[i] ?? 0n) + (sums?.[i] ?? 0n);
    this.#counters.set(unit, this.#depth > 0 ? { before: now, sums } : { sums: now?.map(added) });
  }
}
