// SPDX-License-Identifier: Apache-2.0
// Functions of WebAssembly that others stand in for, until that is undone.

export class Replacements {
  #original = {};

  /** `handler(original)` returns a Proxy's handler. Ignores what the engine lacks or the program has removed. */
  replace(name, handler) {
    const descriptor = Object.getOwnPropertyDescriptor(WebAssembly, name);
    if (typeof descriptor?.value !== "function") return;
    this.#original[name] = descriptor;
    const value = new Proxy(descriptor.value, handler(descriptor.value));
    Object.defineProperty(WebAssembly, name, { ...descriptor, value });
    if (value.prototype !== undefined) value.prototype.constructor = value;
  }

  undo() {
    for (const [name, descriptor] of Object.entries(this.#original)) {
      Object.defineProperty(WebAssembly, name, descriptor);
      const { value } = descriptor;
      if (value.prototype !== undefined) value.prototype.constructor = value;
    }
  }
}
