// SPDX-License-Identifier: Apache-2.0
// The functions of a module as its compiler wrote it, by where their code begins: how V8's profiler names them.
// Their ids in a record are their indices, counted from the first id.

import { Module } from "../engine/own-engine.mjs";
import { FIRST_ID } from "./function-ids.mjs";
import { importsOf, nameSectionOf, readNames } from "./module-parts.mjs";
import { blake3 } from "./blake3.mjs";
import { hashBody } from "./body-hash.mjs";
import { sectionsOf } from "./wasm-reader.mjs";

export class PlainModule {
  #bytes; // undefined once all has been worked out that they are for
  #hash;
  #indices = new Map(); // by the offset of a function's code
  #bodies = []; // where they begin and end: `[at, end]`, in their order
  #firstIndex; // undefined before the functions were looked for
  #exported = new Map(); // names, by index
  #numbered = new Map(); // the same of functions without a name, as far as one was asked for
  #names; // of the name section, once one was asked for
  #fileName;

  /**
   * `bytes` may be changed afterwards. Throws if they do not consist of sections; other invalid modules have no known
   * functions. `id` is a BigInt; `fileName` is used if the module has no name.
   */
  constructor(bytes, id, fileName) {
    this.id = id;
    this.#fileName = fileName;
    Array.from(sectionsOf(bytes)); // says what is wrong
    this.#bytes = new Uint8Array(bytes);
  }

  /** Finds the functions. What it takes is not the program's time: to be done behind it. */
  #read() {
    if (this.#firstIndex !== undefined) return;
    this.#firstIndex = 0;
    try {
      this.#firstIndex = importsOf(this.#bytes).filter(({ kind }) => kind === "function").length;
      for (const { id, contents } of sectionsOf(this.#bytes)) {
        if (id === 7) this.#readExports(contents);
        if (id === 10) this.#readCode(contents);
      }
    } catch {
      // The engine has said what is wrong with them.
      this.#indices.clear();
    }
  }

  #readExports(contents) {
    for (let count = contents.number(); count > 0; --count) {
      const name = contents.name();
      const isFunction = contents.byte() === 0;
      const index = contents.number();
      if (isFunction && name !== "" && !this.#exported.has(index)) this.#exported.set(index, name);
    }
  }

  #readCode(contents) {
    for (let count = contents.number(); count > 0; --count) {
      const { at, end } = contents.part(contents.number());
      this.#indices.set(at, this.#firstIndex + this.#bodies.length);
      this.#bodies.push([at, end]);
    }
  }

  /** Of all bytes, as warpo-instrument knows the module by; as slow as #read(). */
  get hash() {
    return (this.#hash ??= blake3(this.#bytes));
  }

  get name() {
    return this.#readNames().module || this.#fileName;
  }

  /** How many bytes of the module are kept. */
  get keptBytes() {
    return this.#bytes?.length ?? 0;
  }

  /** Works out at once what the module's bytes are for, and keeps them no longer. */
  letGo() {
    if (this.#bytes === undefined) return;
    this.#read();
    void this.hash;
    this.#readNames();
    for (const index of this.#indices.values()) this.nameOf(FIRST_ID + index);
    this.#bytes = undefined;
    this.#bodies = [];
  }

  /** For V8 to know it; undefined if its bytes are no longer known, or not valid. */
  compile() {
    try {
      return this.#bytes && new Module(this.#bytes);
    } catch {
      return undefined;
    }
  }

  /** The id of the function whose code begins there, or undefined. */
  idAt(offset) {
    this.#read();
    const index = this.#indices.get(offset);
    return index === undefined ? undefined : FIRST_ID + index;
  }

  nameOf(id) {
    const index = id - FIRST_ID;
    return this.#ownNameOf(index) || this.#nameOfNumber(index);
  }

  /** Whether the module itself names the function. */
  hasNameOf(id) {
    return Boolean(this.#ownNameOf(id - FIRST_ID));
  }

  #ownNameOf(index) {
    this.#read();
    return this.#readNames().functions.get(index) || this.#exported.get(index);
  }

  /** The name of a function without a name, by which it is recognised in another build. */
  #nameOfNumber(index) {
    let name = this.#numbered.get(index);
    if (name === undefined) {
      const hash = hashBody(this.#bytes.subarray(...this.#bodies[index - this.#firstIndex]));
      this.#numbered.set(index, (name = hash === undefined ? `func[${index}]` : `func[${index}]#${hash}`));
    }
    return name;
  }

  #readNames() {
    return (this.#names ??= readNames(nameSectionOf(this.#bytes)));
  }
}
