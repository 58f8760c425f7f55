// SPDX-License-Identifier: Apache-2.0
// Calls that a trap took and that the recorder has ended, since their stack had to be empty. A module that was instrumented with
// `traps` says it once more when it runs again, on whichever stack: by then the same function may be open in another call, which lives.

// Modules that say nothing, or never run again, leave what they might have said.
const MOST_STACKS = 64;

export class EndedCalls {
  #stacks = []; // sets of ids: the calls that were ended together; a module names one of them
  #ids = new Set(); // of all

  /** These calls have been ended, of one stack or of some that resumed each other. */
  add(ids) {
    if (ids.length > 0) this.#stacks.push(new Set(ids));
    if (this.#stacks.length > MOST_STACKS) this.#stacks.shift();
    this.note(ids);
  }

  /** The same, where their module has said so. */
  note(ids) {
    for (const id of ids) this.#ids.add(id);
  }

  get isAny() {
    return this.#ids.size > 0;
  }

  /** A module says that a trap took a call of this id: whether that is one of these. */
  take(id) {
    const stack = this.#stacks.findIndex((ids) => ids.has(id));
    if (stack >= 0) this.#stacks.splice(stack, 1);
    return stack >= 0;
  }

  /** Whether such a call has ever been ended. Of several instances whose calls were ended together each may name one. */
  hasHad(id) {
    return this.#ids.has(id);
  }
}
