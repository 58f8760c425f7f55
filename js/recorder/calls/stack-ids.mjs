// SPDX-License-Identifier: Apache-2.0
// The ids of functions on a stack shared by several modules (docs/record-format.md): the first module's are unchanged,
// each further module has a window of unique ids. Sections belong to the first module.

import { NUMBERS } from "../record/record-encoder.mjs";

/** The ids of a module, `{ id, count }`: `functions` are `[id, name]`, `isMarked` is undefined if that is not known. */
function spanOf({ functions, isMarked }) {
  const { firstId, unknownIds, unknownMarkedIds } = NUMBERS;
  if (isMarked !== false) return { id: firstId, count: unknownMarkedIds };
  const ids = functions.map(([id]) => id).sort((one, other) => one - other);
  const [least, last] = [ids[0], ids.at(-1)];
  // Of a module that was optimised after it was instrumented, some are found and others are not.
  const isWhole = last - least + 1 === ids.length;
  if (!isWhole && least >= firstId && last < firstId + unknownIds)
    return { id: firstId, count: unknownIds };
  return { id: least, count: last - least + 1 };
}

export class StackIds {
  #windows = new Map(); // of each module: `{ module, id, first, count }`, undefined of the first
  #next;
  #first;
  #firstSpan; // its ids, { id, count }

  /**
   * Adds a module, given by any key. Returns its window, undefined for the first. Throws RangeError without room for
   * one.
   */
  join(module, description) {
    if (this.#windows.has(module)) return this.#windows.get(module);
    const { id, count } = spanOf(description);
    const isFirst = this.#first === undefined;
    const first = isFirst ? id : this.#next;
    const isTooMuch = this.#windows.size > NUMBERS.maxWindows || first + count > NUMBERS.firstSectionId;
    if (isTooMuch && !isFirst)
      throw new RangeError("the modules of the program are too many, or have too many functions, to be recorded together");
    this.#next = first + count;
    this.#first ??= module;
    this.#firstSpan ??= { id, count };
    const window = isFirst ? undefined : { module, id, first, count };
    this.#windows.set(module, window);
    return window;
  }

  /** What a stream of the stack has to declare. */
  get windows() {
    return [...this.#windows.values()].filter((window) => window !== undefined);
  }

  /** The stack ids of a module that has joined: `{ first, count }`. */
  rangeOf(module) {
    const { id: first, count } = this.#firstSpan;
    return this.#windows.get(module) ?? { first, count };
  }

  get firstModule() {
    return this.#first;
  }

  /** The module's number, and its own id of a function. */
  resolve(stackId) {
    const window = this.windows.find(({ first, count }) => stackId >= first && stackId < first + count);
    if (window === undefined) return { module: this.#first, id: stackId };
    return { module: window.module, id: stackId - window.first + window.id };
  }
}
