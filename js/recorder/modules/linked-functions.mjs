// SPDX-License-Identifier: Apache-2.0
// Imports that are bound to functions of other recorded modules: a call of both is one call, see `linked` in
// docs/record-format.md.

export class LinkedFunctions {
  #expected;
  #declare;
  #moduleOf = new WeakMap(); // by traced function that a recorded instance exports: its module's number
  #declared = new Map(); // ids by number of the module

  /** `expected`: ExpectedInstances. `declare(number, ids)` writes that these functions of the module with this number are linked. */
  constructor(expected, declare) {
    this.#expected = expected;
    this.#declare = declare;
  }

  /**
   * An instance of a module (known-modules.mjs) is to be made. `instance()` returns it once it is complete. `imports` is
   * what it imports; in its place there may be `readImports(entries)`, see #entriesOf().
   */
  expect({ known, description }, { instance, imports, readImports = (entries) => readFrom(imports, entries) }) {
    readImports(this.#entriesOf(known.number, description.tracedImports));
    const names = description.tracedExports ?? [];
    if (instance === undefined || names.length === 0) return;
    this.#expected.expect(instance, (exports) => {
      for (const name of names) if (typeof exports?.[name] === "function") this.#moduleOf.set(exports[name], known.number);
    });
  }

  /**
   * Declares all links of modules, `[about, given]` each as for expect(), before any instance is made. `importedAs` in
   * `given` is the name under which the others import a module's exports; undefined if that is not certain.
   */
  declareByName(all) {
    const modules = all
      .filter(([{ known }, { importedAs }]) => known !== undefined && importedAs !== undefined)
      .map(([about, { importedAs }]) => ({ ...about, importedAs }));
    const keyOf = (module, name) => `${module}\0${name}`;
    const exported = modules.flatMap(({ importedAs, description }) => description.tracedExports.map((name) => keyOf(importedAs, name)));
    const isTraced = new Set(exported);
    for (const { known, description } of modules) {
      const linked = description.tracedImports.filter(({ module, name }) => isTraced.has(keyOf(module, name)));
      this.#declareNew(known.number, linked.map(({ id }) => id));
    }
  }

  /**
   * `imports` of an instance of the module with this number (readTraced()): `{ module, name, take }` each, where
   * `take(value)` is to be called with the import's value before the instance is made.
   */
  #entriesOf(number, imports = []) {
    const waiting = new Set(imports.map(({ id }) => id));
    const linked = [];
    const take = (id, value) => {
      if (!waiting.delete(id)) return;
      // Calls between two instances of a module stay two, so the link would only mislead where JavaScript lies between.
      if ((this.#moduleOf.get(value) ?? number) !== number) linked.push(id);
      if (waiting.size === 0) this.#declareNew(number, linked);
    };
    return imports.map(({ module, name, id }) => ({ module, name, take: (value) => take(id, value) }));
  }

  #declareNew(number, ids) {
    const declared = this.#declared.get(number) ?? new Set();
    this.#declared.set(number, declared);
    const added = ids.filter((id) => !declared.has(id));
    if (added.length > 0) this.#declare(number, added);
    for (const id of added) declared.add(id);
  }
}

/** Reads entries from an object of imports. */
function readFrom(imports, entries) {
  for (const { module, name, take } of entries) take(imports?.[module]?.[name]);
}
