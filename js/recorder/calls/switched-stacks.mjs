// SPDX-License-Identifier: Apache-2.0
// Stacks that code leaves for others by itself (`resume`, `suspend`, `switch` of the stack switching proposal), as its
// module reports it. A stack that has been left waits, under a number, until it runs again.
//
// A stack is `{ stream, resumer, number, since, starter, task, isEmpty }`:
//   stream   its stream, if it has one
//   resumer  the stack that resumed it, which a trap ends along with it
//   number   its number while it waits
//   since, starter, task  until it has an event or is left: the entry behind which it began, the stack that was left
//            for it, and its task
//   isEmpty  whether its stream has no event yet

/** The stack, the one that resumed it, and so on. */
export function* chainOf(stack) {
  for (let each = stack; each !== undefined; each = each.resumer) yield each;
}

export class SwitchedStacks {
  #left = new Map(); // by number

  /**
   * Leaves `stack`; returns the stack that runs in its place, a new one unless enter() is called next. `isReplaced`:
   * the resumer of `stack` is now that of the other one (`switch`).
   */
  leave(stack, number, entry, isReplaced) {
    stack.number = number;
    this.#left.set(number, stack);
    const resumer = isReplaced ? stack.resumer : stack;
    if (isReplaced) stack.resumer = undefined;
    return { stream: undefined, resumer, number: undefined, since: entry, starter: stack };
  }

  /** Returns the stack with this number, which runs again in place of `current`. */
  enter(number, current, entry) {
    const stack = this.#left.get(number) ?? { stream: undefined, resumer: undefined, since: entry };
    this.forget(stack);
    const chain = [...chainOf(current)];
    const place = chain.indexOf(stack);
    const [root] = [...chainOf(stack)].slice(-1);
    // Stacks that ran above it and have not ended are suspended; resuming the lowest of them resumes all.
    if (place > 0) chain[place - 1].resumer = undefined;
    else if (!chain.includes(root)) root.resumer = current.resumer;
    return stack;
  }

  /** The stack does not wait any more. */
  forget(stack) {
    this.#left.delete(stack.number);
    stack.number = undefined;
  }

  /** All waiting stacks. */
  get waiting() {
    return [...this.#left.values()];
  }
}
