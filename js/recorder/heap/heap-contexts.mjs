// SPDX-License-Identifier: Apache-2.0
// The stacks that heap events have, as a tree. A program may enter it millions of times a second: nodes are found by one table of numbers,
// which lies with them in a memory, where frames.wat.in finds them too.

import { PAGE_SIZE } from "../record/record-encoder.mjs";

/** Their room is whole pages, and so is that of twice as many. */
const FIRST_NODES = 1 << 13;
/** In the place of a module's number: the frame is an object, by its number. */
const IS_OBJECT = -1;

/** The state, in words: the addresses of the nodes and of their table, whose size is a power of two, and that minus 1. */
const [NODES, TABLE, MASK] = [0, 1, 2];
/** A node, in words. The stack is the record's number of it, which is 0 until it has one. */
const [ID, MODULE, PARENT, STACK] = [0, 1, 2, 3];
const WORDS = 4;
/** Entries of the table, by what nodes are called in; 0: none. At most half of it is full. */
const ENTRIES_PER_NODE = 2;

/**
 * A node is a number, that without frames 0. Where the record has room for no more, a stack is cut: of
 * `node` that is `~node`, and so are all within it, as further frames would seem to be called by the wrong one.
 */
export class Contexts {
  /** The address of what frames.wat.in knows of them. */
  state;
  #memory;
  #size = 1;
  #room;
  #nodes;
  #table; // in words, as the former
  #objects = [];
  #numbers = new Map(); // of these
  #mostStacks;

  /** `memory`: a StreamMemory. */
  constructor(memory, mostStacks) {
    this.#memory = memory;
    this.#mostStacks = mostStacks;
    this.state = memory.region(PAGE_SIZE);
    this.#open(FIRST_NODES);
  }

  /** Room for so many nodes, none of which is in the table. Throws a RangeError, and changes nothing, if there is no memory for it. */
  #open(room) {
    const nodesSize = 4 * WORDS * room;
    const nodes = this.#memory.region(nodesSize + 4 * ENTRIES_PER_NODE * room);
    const table = nodes + nodesSize;
    this.#room = room;
    const { words } = this.#memory;
    const state = this.state / 4;
    words[state + NODES] = nodes;
    words[state + TABLE] = table;
    words[state + MASK] = ENTRIES_PER_NODE * room - 1;
    [this.#nodes, this.#table] = [nodes / 4, table / 4];
  }

  get size() {
    return this.#size;
  }
  #word(node, which) {
    return this.#memory.words[this.#nodes + WORDS * node + which];
  }
  at(node) {
    const [module, id] = [this.#word(node, MODULE), this.#word(node, ID)];
    return { parent: this.#word(node, PARENT), frame: module === IS_OBJECT ? this.#objects[id] : { module, id } };
  }

  /** The record's number of a node, which it has been given. */
  stackOf(node) {
    return this.#word(node, STACK);
  }
  setStack(node, stack) {
    this.#memory.words[this.#nodes + WORDS * node + STACK] = stack;
  }

  /** The stack of a function of this module within another one. */
  child(parent, module, id) {
    if (parent < 0) return parent;
    const at = this.#placeOf(parent, module, id);
    return this.#memory.words[at] || this.#add(at, parent, module, id);
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

  /** Where a node stands in the table, or is to stand, in words of the memory. frames.wat.in looks there too. */
  #placeOf(parent, module, id) {
    const { words } = this.#memory;
    const mask = ENTRIES_PER_NODE * this.#room - 1;
    const hash = Math.imul(Math.imul(parent, 0x2c1b3c6d) ^ Math.imul(id + module, 0x297a2d39), 0x7feb352d);
    for (let at = (hash ^ (hash >>> 15)) & mask; ; at = (at + 1) & mask) {
      const node = words[this.#table + at];
      if (node === 0) return this.#table + at;
      const isIt = this.#word(node, PARENT) === parent && this.#word(node, ID) === id && this.#word(node, MODULE) === module;
      if (isIt) return this.#table + at;
    }
  }

  #add(at, parent, module, id) {
    if (this.#size > this.#mostStacks) return ~parent;
    if (this.#size === this.#room) {
      if (!this.#grow()) return ~parent;
      at = this.#placeOf(parent, module, id);
    }
    const node = this.#size++;
    this.#memory.words.set([id, module, parent, 0], this.#nodes + WORDS * node);
    this.#memory.words[at] = node;
    return node;
  }

  /** Into a region of twice the size; false if there is no memory for it. The one before is not used again: all of them take less than twice the room of the last. */
  #grow() {
    const before = this.#nodes;
    try {
      this.#open(2 * this.#room);
    } catch {
      return false;
    }
    const { words } = this.#memory;
    words.copyWithin(this.#nodes, before, before + WORDS * this.#size);
    for (let node = 1; node < this.#size; ++node)
      words[this.#placeOf(this.#word(node, PARENT), this.#word(node, MODULE), this.#word(node, ID))] = node;
    return true;
  }
}
