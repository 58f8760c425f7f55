// SPDX-License-Identifier: Apache-2.0
// Stacks that code leaves for others by itself (`resume`, `suspend`, `switch` of the stack switching proposal), as its module tells it:
// each that has been left waits, under a number, until it runs again.
//
// A stack is `{ stream, resumer, number, since, starter, task, isEmpty }`: its stream, if it has one; the stack that resumed it, which a trap ends along with
// it; its number while it waits; until it has an event or is left, the entry behind which it began, the stack that was left for it, and the task whose it is; and whether it
// has a stream without an event.

/** The stack, those that resumed it, and so on. */
export function* chainOf(stack) {
  for (let each = stack; each !== undefined; each = each.resumer) yield each;
}

export class SwitchedStacks {
  #left = new Map(); // by number

  /**
   * `stack` is left; returns what runs in its place: a new one, unless it turns out to be one that has been left. `isReplaced`: who resumed
   * the stack has resumed the other one now (`switch`).
   */
  leave(stack, number, entry, isReplaced) {
    stack.number = number;
    this.#left.set(number, stack);
    const resumer = isReplaced ? stack.resumer : stack;
    if (isReplaced) stack.resumer = undefined;
    return { stream: undefined, resumer, number: undefined, since: entry, starter: stack };
  }

  /** The stack with this number runs again, in the place of `current`; it is returned. */
  enter(number, current, entry) {
    const stack = this.#left.get(number) ?? { stream: undefined, resumer: undefined, since: entry };
    this.forget(stack);
    const chain = [...chainOf(current)];
    const place = chain.indexOf(stack);
    const [root] = [...chainOf(stack)].slice(-1);
    // Stacks that ran above it and have not ended are suspended: resuming that one resumes all of them.
    if (place > 0) chain[place - 1].resumer = undefined;
    else if (!chain.includes(root)) root.resumer = current.resumer;
    return stack;
  }

  /** The stack does not wait any more. */
  forget(stack) {
    this.#left.delete(stack.number);
    stack.number = undefined;
  }

  /** All that wait. */
  get waiting() {
    return [...this.#left.values()];
  }
}
