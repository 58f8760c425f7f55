// SPDX-License-Identifier: Apache-2.0
// The instances that are being made, and what is to be done once they are complete.

/**
 * What `look()` returns: `{ exports, memory }` of an instance, or undefined. It is the program's, which may not be ready
 * for it while its instance is being made.
 */
export function seenBy(look) {
  try {
    return look?.();
  } catch {
    return undefined;
  }
}

export class ExpectedInstances {
  #expected = []; // { look, use }
  #complete = new WeakSet(); // the exports of those that were expected

  /** Calls `use(exports)` once the instance is complete that `look()` returns then; `use()` if it cannot be made. */
  expect(look, use) {
    this.#expected.push({ look, use });
  }

  /** To be called when instances may have become complete. */
  addComplete() {
    this.#take(({ look }) => seenBy(look)?.exports);
  }

  /** This instance is complete. If nobody can look it up, it is the only one that is expected. */
  attach({ exports }) {
    this.addComplete();
    const isOnly = new Set(this.#expected.map(({ look }) => look)).size === 1;
    if (isOnly && !this.#complete.has(exports)) this.#take(() => exports);
  }

  /** The instance that `look` was to return could not be made. */
  drop(look) {
    for (const each of this.#expected) if (each.look === look) each.use();
    this.#expected = this.#expected.filter((each) => each.look !== look);
  }

  #take(exportsOf) {
    this.#expected = this.#expected.filter((each) => {
      const exports = exportsOf(each);
      if (exports === undefined) return true;
      this.#complete.add(exports);
      each.use(exports);
      return false;
    });
  }
}
