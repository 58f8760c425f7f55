// SPDX-License-Identifier: Apache-2.0
// The calls that have begun and not ended, of all modules together: what is printed when the
// program traps.

import { NUMBERS } from "./record-encoder.mjs";
import { isSection } from "./sections.mjs";

// Frames that an exception leaves behind stay until an enclosing call ends, so a program may pile
// up any number. The half in the middle is forgotten then, as in OpenCalls.h.
const LIMIT = 1 << 16;

export class OpenCalls {
  #ids = new Int32Array(LIMIT);
  #modules = new Uint16Array(LIMIT);
  #depth = 0;

  /** Follows trace point `id` of the module with this number. */
  follow(module, id) {
    if (id > 0) {
      if (this.#depth === LIMIT) this.#forgetMiddle();
      this.#ids[this.#depth] = id;
      this.#modules[this.#depth++] = module;
    } else if (
      this.#depth > 0 &&
      this.#ids[this.#depth - 1] === -id &&
      this.#modules[this.#depth - 1] === module
    ) {
      --this.#depth;
    } else {
      this.#unwind(module, -id);
    }
  }

  /** A section of the module ends, if one is innermost: else it is none of this function's. */
  endSection(module) {
    const top = this.#depth - 1;
    const isInnermost = top >= 0 && this.#modules[top] === module && isSection(this.#ids[top]);
    if (isInnermost) this.#depth = top;
    return isInnermost;
  }

  /** Nothing runs: what is left was ended by traps and exceptions, but for sections, which may outlast a call from the host. */
  rest() {
    let kept = 0;
    while (kept < this.#depth && isSection(this.#ids[kept])) ++kept;
    this.#depth = kept;
  }

  /** Innermost first: `{ module, id }`. */
  list() {
    const calls = [];
    for (let at = this.#depth - 1; at >= 0; --at)
      calls.push({ module: this.#modules[at], id: this.#ids[at] });
    return calls;
  }

  #forgetMiddle() {
    const outer = LIMIT / 4;
    const inner = 3 * outer;
    this.#ids.copyWithin(outer, inner);
    this.#modules.copyWithin(outer, inner);
    this.#depth = LIMIT / 2;
  }

  /**
   * An end that matches deeper ends what lies above too; one that matches nothing is ignored. Behind two traps it is that of the
   * outermost call of its function.
   */
  #unwind(module, id) {
    let traps = 0;
    while (traps < this.#depth && this.#ids[this.#depth - 1 - traps] === NUMBERS.trapId) ++traps;
    this.#depth -= traps;
    const isIt = (at) => this.#ids[at] === id && this.#modules[at] === module;
    let at = this.#depth - 1;
    while (at >= 0 && !isIt(at)) --at;
    if (at < 0) return;
    this.#depth = at;
    for (let outer = 0; traps > 1 && outer < at; ++outer)
      if (isIt(outer)) this.#depth = at = outer;
  }
}
