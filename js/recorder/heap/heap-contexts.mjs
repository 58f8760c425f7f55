// SPDX-License-Identifier: Apache-2.0
// The stacks of heap events, as a tree. There may be millions of look-ups a second, so nodes are found by a hash table
// of numbers. Both are in a memory that frames.wat.in uses as well.

import { PAGE_SIZE } from "../record/record-encoder.mjs";

/** Sizes are whole pages, also when doubled. */
const FIRST_NODES = 1 << 13;
/** Instead of a module's number: the frame is an object, given by its number. */
const IS_OBJECT = -1;

/**
 * The state, in words: the addresses of the nodes and of their table, and the table's size (a power of two) minus 1.
 */
const [NODES, TABLE, MASK] = [0, 1, 2];
/** Where the memos begin in the page of the state. */
const MEMOS = 1024;
/** A node, in words. STACK is the number in the record, 0 until it has one. */
const [ID, MODULE, PARENT, STACK] = [0, 1, 2, 3];
const WORDS = 4;
/** Table entries per node; 0 marks a free one. At most half of the table is used. */
const ENTRIES_PER_NODE = 2;

/**
 * A node is a number; 0 is the empty stack. Once the record has no room for more, stacks are cut: a cut `node` is
 * `~node`, and so are all stacks within it, because further frames would seem to have the wrong caller.
 */
export class Contexts {
  /** The addresses of the state and the memos for frames.wat.in. */
  state;
  memos;
  #memory;
  #size = 1;
  #room;
  #nodes;
  #table; // in words, like #nodes
  #objects = [];
  #numbers = new Map(); // of objects
  #mostStacks;

  /** `memory`: a StreamMemory. */
  constructor(memory, mostStacks) {
    this.#memory = memory;
    this.#mostStacks = mostStacks;
    this.state = memory.region(PAGE_SIZE);
    this.memos = this.state + MEMOS;
    this.#open(FIRST_NODES);
  }

  /**
   * Makes room for this many nodes, with an empty table. Throws RangeError, without a change, if there is no memory.
   */
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

  /** The record's number of a node that has one. */
  stackOf(node) {
    return this.#word(node, STACK);
  }
  setStack(node, stack) {
    this.#memory.words[this.#nodes + WORDS * node + STACK] = stack;
  }

  /** The stack of a function of this module within another stack. */
  child(parent, module, id) {
    if (parent < 0) return parent;
    const at = this.#placeOf(parent, module, id);
    return this.#memory.words[at] || this.#add(at, parent, module, id);
  }

  /** The stack of frames, outermost first; a frame must always be the same object. */
  of(frames) {
    let node = 0;
    for (const frame of frames) node = this.child(node, IS_OBJECT, this.#numberOf(frame));
    return node;
  }

  #numberOf(frame) {
    if (!this.#numbers.has(frame)) this.#numbers.set(frame, this.#objects.push(frame) - 1);
    return this.#numbers.get(frame);
  }

  /** The table's slot for a node, in words of the memory; frames.wat.in uses the same. */
  #placeOf(parent, module, id) {
    const { words } = this.#memory;
    const mask = ENTRIES_PER_NODE * this.#room - 1;
    const hash = (Math.imul(parent, 0x2c1b3c6d) + id + module) | 0;
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

  /**
   * Moves to a region of twice the size; false without memory. Old regions are not reused: together they take less than
   * the last one.
   */
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
