// SPDX-License-Identifier: Apache-2.0
// The stacks that heap events have, as a tree. A program may enter it millions of times a second: nodes are found by one table of numbers.

const FIRST_NODES = 1024;
/** In the place of a module's number: the frame is an object, by its number. */
const IS_OBJECT = -1;

/** A longer copy of an Int32Array. */
function twice(numbers) {
  const longer = new Int32Array(2 * numbers.length);
  longer.set(numbers);
  return longer;
}

/**
 * A node is a number, that without frames 0. Where the record has room for no more, a stack is cut: of
 * `node` that is `~node`, and so are all within it, as further frames would seem to be called by the wrong one.
 */
export class Contexts {
  #size = 1;
  #parents = new Int32Array(FIRST_NODES);
  #modules = new Int32Array(FIRST_NODES);
  #ids = new Int32Array(FIRST_NODES);
  #table = new Int32Array(2 * FIRST_NODES); // nodes by what they are called in, at most half full; 0: none
  #objects = [];
  #numbers = new Map(); // of these
  #mostStacks;

  constructor(mostStacks) {
    this.#mostStacks = mostStacks;
  }

  get size() {
    return this.#size;
  }
  at(node) {
    const [module, id] = [this.#modules[node], this.#ids[node]];
    return { parent: this.#parents[node], frame: module === IS_OBJECT ? this.#objects[id] : { module, id } };
  }

  /** The stack of a function of this module within another one. */
  child(parent, module, id) {
    if (parent < 0) return parent;
    const at = this.#placeOf(parent, module, id);
    return this.#table[at] || this.#add(at, parent, module, id);
  }

  /** That of frames, outermost first, each of which is always the same object. */
  of(frames) {
    let node = 0;
    for (const frame of frames) node = this.child(node, IS_OBJECT, this.#numberOf(frame));
    return node;
  }

  #numberOf(frame) {
    if (!this.#numbers.has(frame)) this.#numbers.set(frame, this.#objects.push(frame) - 1);
    return this.#numbers.get(frame);
  }

  /** Where a node stands in the table, or is to stand. */
  #placeOf(parent, module, id) {
    const mask = this.#table.length - 1;
    const hash = Math.imul(Math.imul(parent, 0x2c1b3c6d) ^ Math.imul(id + module, 0x297a2d39), 0x7feb352d);
    for (let at = (hash ^ (hash >>> 15)) & mask; ; at = (at + 1) & mask) {
      const node = this.#table[at];
      if (node === 0) return at;
      if (this.#parents[node] === parent && this.#ids[node] === id && this.#modules[node] === module) return at;
    }
  }

  #add(at, parent, module, id) {
    if (this.#size > this.#mostStacks) return ~parent;
    if (this.#size === this.#parents.length) {
      this.#grow();
      at = this.#placeOf(parent, module, id);
    }
    const node = this.#size++;
    this.#parents[node] = parent;
    this.#modules[node] = module;
    this.#ids[node] = id;
    this.#table[at] = node;
    return node;
  }

  #grow() {
    this.#parents = twice(this.#parents);
    this.#modules = twice(this.#modules);
    this.#ids = twice(this.#ids);
    this.#table = new Int32Array(2 * this.#table.length);
    for (let node = 1; node < this.#size; ++node)
      this.#table[this.#placeOf(this.#parents[node], this.#modules[node], this.#ids[node])] = node;
  }
}
