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
  #expected = []; // { look, use }, `look` undefined if nobody can look it up
  #complete = new WeakSet(); // the exports of those that were expected

  /**
   * Calls `use(exports)` once the instance is complete that `look()` returns then; `use()` if it cannot be made. Without
   * `look`, the next attached instance that nothing looks up is taken for it, unless others are expected so.
   */
  expect(look, use) {
    this.#expected.push({ look, use });
  }

  /** To be called when instances may have become complete. */
  addComplete() {
    this.#take(({ look }) => seenBy(look)?.exports);
  }

  /**
   * This instance is complete. If it was not looked up, it may be the only one that nobody can look up. It is none of
   * the others: a start function may make and attach instances that were not expected before its own is complete.
   */
  attach({ exports }) {
    this.addComplete();
    if (this.#complete.has(exports)) return;
    const unknown = this.#expected.filter(({ look }) => look === undefined);
    if (unknown.length === 1) this.#take((each) => (each === unknown[0] ? exports : undefined));
  }

  /** The instance that `look` was to return could not be made. */
  drop(look) {
    if (look === undefined) return;
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
