// SPDX-License-Identifier: Apache-2.0
// The functions of a module as its compiler wrote it, by where their code begins: how V8's profiler names them.
// Their ids in a record are their indices, counted from the first id.

import { FIRST_ID, importsOf, nameSectionOf, readNames } from "./recorded-module.mjs";
import { blake3 } from "./blake3.mjs";
import { hashBody } from "./body-hash.mjs";
import { sectionsOf } from "./wasm-reader.mjs";

export class PlainModule {
  #bytes;
  #hash;
  #indices = new Map(); // by the offset of a function's code
  #bodies = new Map(); // where that begins and ends, by index
  #exported = new Map(); // names, by index
  #nameSection;
  #names; // of the section, once one was asked for
  #fileName;

  /**
   * `bytes` of a valid module are the caller's again afterwards; `id` is a BigInt; `fileName` is for a
   * module that does not say what it is called.
   */
  constructor(bytes, id, fileName) {
    this.id = id;
    this.#fileName = fileName;
    this.#bytes = new Uint8Array(bytes);
    this.#nameSection = nameSectionOf(bytes)?.slice();
    const firstIndex = importsOf(bytes).length;
    for (const { id, contents } of sectionsOf(bytes)) {
      if (id === 7) this.#readExports(contents);
      if (id === 10) this.#readCode(contents, firstIndex);
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

  #readCode(contents, firstIndex) {
    const count = contents.number();
    for (let index = firstIndex; index < firstIndex + count; ++index) {
      const { at, end } = contents.part(contents.number());
      this.#indices.set(at, index);
      this.#bodies.set(index, [at, end]);
    }
  }

  /** Of all bytes, as warpo-instrument knows the module by. What it takes is not the program's time: to be asked for behind it. */
  get hash() {
    return (this.#hash ??= blake3(this.#bytes));
  }

  get name() {
    return this.#readNames().module || this.#fileName;
  }

  /** The id of the function whose code begins there, or undefined. */
  idAt(offset) {
    const index = this.#indices.get(offset);
    return index === undefined ? undefined : FIRST_ID + index;
  }

  nameOf(id) {
    const index = id - FIRST_ID;
    return this.#readNames().functions.get(index) || this.#exported.get(index) || this.#numbered(index);
  }

  /** What a function is called that has no name, so that it is known again in another build. */
  #numbered(index) {
    const hash = hashBody(this.#bytes.subarray(...this.#bodies.get(index)));
    return hash === undefined ? `func[${index}]` : `func[${index}]#${hash}`;
  }

  #readNames() {
    return (this.#names ??= readNames(this.#nameSection));
  }
}
