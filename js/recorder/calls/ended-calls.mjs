// SPDX-License-Identifier: Apache-2.0
// Calls that a trap has ended and that the recorder has ended too, as their stack had to be empty, by the engine's stack,
// or with a start function. A module that was
// instrumented with `traps` reports the trap when it runs again, on any stack. By then another call of the same
// function may be open, which the report does not refer to.

// Limit of the remembered stacks, since modules without `traps`, or that never run again, report nothing.
const MOST_STACKS = 64;

export class EndedCalls {
  #moduleOf;
  #stacks = []; // sets of ids of calls that were ended together; each module reports one of its own
  #ids = new Set(); // of all

  /** `moduleOf(id)`: the module of a call, if it is known. */
  constructor(moduleOf) {
    this.#moduleOf = moduleOf;
  }

  /** Adds calls that have been ended together, on one stack or on stacks that resumed each other. */
  add(ids) {
    if (ids.length > 0) this.#stacks.push(new Set(ids));
    if (this.#stacks.length > MOST_STACKS) this.#stacks.shift();
    this.note(ids);
  }

  /** The same for calls whose modules have reported, or never will. */
  note(ids) {
    for (const id of ids) this.#ids.add(id);
  }

  /** Whether the call with this id, which a module reports as ended by a trap, was ended here. */
  take(id) {
    const stack = this.#stacks.find((ids) => ids.has(id));
    if (stack === undefined) return false;
    const own = this.#moduleOf(id);
    for (const each of stack) if (this.#moduleOf(each) === own) stack.delete(each);
    this.#stacks = this.#stacks.filter((ids) => ids.size > 0);
    return true;
  }

  /** Whether a call with this id was ever ended here. */
  hasHad(id) {
    return this.#ids.has(id);
  }
}
