// SPDX-License-Identifier: Apache-2.0
// Imports that are bound to functions of other recorded instances: a call of both is one call, see `linked` in
// docs/record-format.md.

export class LinkedFunctions {
  #declare;
  #functions = new WeakSet(); // traced functions that recorded instances export
  #expected = []; // `{ look, names }` of instances that may not be complete yet
  #declared = new Map(); // ids by number of the module

  /** `declare(number, ids)` writes that these functions of the module with this number are linked. */
  constructor(declare) {
    this.#declare = declare;
  }

  /** `look()` returns an instance with these exports (readTraced() in recorded-module.mjs) once it is complete. */
  expect(look, names = []) {
    if (names.length > 0) this.#expected.push({ look, names });
  }

  /** The instance expected with this `look` could not be made. */
  drop(look) {
    this.#expected = this.#expected.filter((each) => each.look !== look);
  }

  /**
   * `imports` of an instance of the module with this number (readTraced()), with a function `take(value)` each, to be
   * called with the import's value before the instance is made.
   */
  entriesOf(number, imports = []) {
    if (imports.length === 0) return [];
    this.#addComplete();
    const linked = new Set();
    let taken = 0;
    const take = (id, value) => {
      if (this.#functions.has(value)) linked.add(id);
      // A name that is imported twice is taken more often.
      if (++taken >= imports.length) this.#declareNew(number, linked);
    };
    return imports.map(({ module, name, id }) => ({ module, name, take: (value) => take(id, value) }));
  }

  #addComplete() {
    this.#expected = this.#expected.filter(({ look, names }) => {
      const exports = look()?.exports;
      if (exports === undefined) return true;
      for (const name of names) this.#functions.add(exports[name]);
      return false;
    });
  }

  #declareNew(number, ids) {
    const declared = this.#declared.get(number) ?? new Set();
    this.#declared.set(number, declared);
    const added = [...ids].filter((id) => !declared.has(id));
    if (added.length > 0) this.#declare(number, added);
    for (const id of added) declared.add(id);
  }
}
