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
  #nodes = new Int32Array(LIMIT); // of the outermost calls, as far as they are known
  #known = 0;

  #setDepth(depth) {
    this.#depth = depth;
    if (this.#known > depth) this.#known = depth;
  }

  /** The stack of these calls but for so many innermost ones, as a node of `contexts`, always the same ones: `child(node, module, id)` gives that of a call within a node. */
  nodeWithout(leftOut, contexts) {
    const depth = Math.max(this.#depth - leftOut, 0);
    let at = Math.min(this.#known, depth);
    let node = at === 0 ? 0 : this.#nodes[at - 1];
    for (; at < depth; ++at) this.#nodes[at] = node = contexts.child(node, this.#modules[at], this.#ids[at]);
    if (depth > this.#known) this.#known = depth;
    return node;
  }

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
      this.#setDepth(this.#depth - 1);
    } else {
      this.#unwind(module, -id);
    }
  }

  /** A section of the module ends, if one is innermost; otherwise it does not belong to this function. */
  endSection(module) {
    const top = this.#depth - 1;
    const isInnermost = top >= 0 && this.#modules[top] === module && isSection(this.#ids[top]);
    if (isInnermost) this.#setDepth(top);
    return isInnermost;
  }

  /** Nothing runs: what is left was ended by traps and exceptions, but for sections, which may outlast a call from the host. */
  rest() {
    let kept = 0;
    while (kept < this.#depth && isSection(this.#ids[kept])) ++kept;
    this.#setDepth(kept);
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
    this.#known = 0;
  }

  /**
   * An end that matches deeper ends what lies above too; one that matches nothing is ignored. Behind two traps it is that of the
   * outermost call of its function.
   */
  #unwind(module, id) {
    let traps = 0;
    while (traps < this.#depth && this.#ids[this.#depth - 1 - traps] === NUMBERS.trapId) ++traps;
    this.#setDepth(this.#depth - traps);
    const isIt = (at) => this.#ids[at] === id && this.#modules[at] === module;
    let at = this.#depth - 1;
    while (at >= 0 && !isIt(at)) --at;
    if (at < 0) return;
    this.#setDepth(at);
    for (let outer = 0; traps > 1 && outer < at; ++outer)
      if (isIt(outer)) this.#setDepth((at = outer));
  }
}
