// SPDX-License-Identifier: Apache-2.0
// The open calls of all modules together: the stacks of samples and heap events, and the stack that is printed when the
// program traps.
//
// They are in a memory, in which the functions that modules call (frames.wat.in) push calls that begin and pop calls
// that end.

import { moduleOf } from "../engine/clocks.mjs";
import { Instance } from "../engine/own-engine.mjs";
import { address, NUMBERS, PAGE_SIZE } from "../record/record-encoder.mjs";
import { isSection } from "./sections.mjs";
import { StreamMemory } from "./streams.mjs";

// The most calls that are remembered, as in OpenCalls.h, which also explains how ends are matched.
const LIMIT = 1 << 16;

/**
 * The state of the calls, as indices of words: the address of the next call, the limit of that address (0: every begin
 * calls JavaScript), and the address of the first call.
 */
const [NEXT, CALL_LIMIT, FIRST] = [0, 1, 2];
/** A call, in words. */
const [ID, MODULE, CONTEXT] = [0, 1, 2];
const WORDS = 4;
const BYTES = 4 * WORDS;
/** The id of a sentinel between the state and the first call, which no end matches. */
const NO_CALL = -1;
const BEFORE_CALLS = 2 * BYTES;
const SIZE = Math.ceil((BEFORE_CALLS + LIMIT * BYTES) / PAGE_SIZE) * PAGE_SIZE;

/** For modules whose heaps are not instrumented. */
const NO_HEAP = { report() {}, tick() {}, hasTime: 0, contexts: 0, memos: 0, events: 0, lastImport: 0, namesLater: 0 };

export class OpenCalls {
  #memory;
  #state; // its address
  #first;

  constructor(memory = new StreamMemory()) {
    this.#memory = memory;
    this.#state = memory.region(SIZE);
    this.#first = this.#state + BEFORE_CALLS;
    const words = this.#words;
    words[this.#state / 4 + FIRST] = this.#first;
    words.fill(NO_CALL, this.#first / 4 - WORDS, this.#first / 4);
    this.#setDepth(0);
    this.#setLimit(this.#first + LIMIT * BYTES);
  }

  /**
   * The functions by which an instance of the module with this number reports begins and ends of its functions, and its
   * heap events: the exports of frames.wat.in. `follow(id)` is called for events that need JavaScript. `heap`: see
   * HeapWriter.instanceImports().
   */
  functionsOf(module, follow, heap = NO_HEAP) {
    const { memory, encoder } = this.#memory;
    const imports = { memory, follow, ...heap, calls: this.#state, module: BigInt(module) << 32n };
    return new Instance(moduleOf(encoder.isShared ? "frames-shared" : "frames"), { recorder: imports }).exports;
  }

  get #words() {
    return this.#memory.words;
  }
  #at(depth) {
    return this.#first / 4 + depth * WORDS;
  }
  #id(depth) {
    return this.#words[this.#at(depth) + ID];
  }
  #module(depth) {
    return this.#words[this.#at(depth) + MODULE];
  }
  #isCall(depth, module, id) {
    return this.#id(depth) === id && this.#module(depth) === module;
  }

  get depth() {
    return (address(this.#words[this.#state / 4 + NEXT]) - this.#first) / BYTES;
  }
  #setDepth(depth) {
    this.#words[this.#state / 4 + NEXT] = this.#first + depth * BYTES;
  }
  /** Ends the calls beyond this depth. */
  endBeyond(depth) {
    if (depth < this.depth) this.#setDepth(depth);
  }

  #setLimit(limit) {
    this.#words[this.#state / 4 + CALL_LIMIT] = limit;
  }
  /** Makes every begin call JavaScript until wake(). */
  sleep() {
    this.#setLimit(0);
  }
  wake() {
    this.#setLimit(this.#first + LIMIT * BYTES);
  }

  /**
   * The stack of these calls without the `leftOut` innermost ones, as a node of `contexts`, which must be the same in
   * all calls of this: `child(node, module, id)` returns the node of a call within a node.
   */
  nodeWithout(leftOut, contexts) {
    const depth = Math.max(this.depth - leftOut, 0);
    let from = depth;
    while (from > 0 && this.#words[this.#at(from - 1) + CONTEXT] === 0) --from;
    let node = from === 0 ? 0 : this.#words[this.#at(from - 1) + CONTEXT];
    for (let at = from; at < depth; ++at) {
      node = contexts.child(node, this.#module(at), this.#id(at));
      this.#words[this.#at(at) + CONTEXT] = node;
    }
    return node;
  }

  follow(module, id) {
    const { depth } = this;
    if (id > 0) this.#begin(depth === LIMIT ? this.#forgetMiddle() : depth, module, id);
    else if (depth > 0 && this.#isCall(depth - 1, module, -id)) this.#setDepth(depth - 1);
    else this.#unwind(module, -id);
  }

  #begin(depth, module, id) {
    const at = this.#at(depth);
    this.#words[at + ID] = id;
    this.#words[at + MODULE] = module;
    this.#words[at + CONTEXT] = 0;
    this.#setDepth(depth + 1);
  }

  /** Ends the innermost call if it is a section of the module; otherwise no section belongs to this function. */
  endSection(module) {
    const top = this.depth - 1;
    const isInnermost = top >= 0 && this.#module(top) === module && isSection(this.#id(top));
    if (isInnermost) this.#setDepth(top);
    return isInnermost;
  }

  /**
   * To be called when no function runs: ends the calls that traps and exceptions have left. Sections stay, as they may
   * outlast a call from the host.
   */
  rest() {
    let kept = 0;
    while (kept < this.depth && isSection(this.#id(kept))) ++kept;
    this.#setDepth(kept);
  }

  /** Innermost first: `{ module, id }`. */
  list() {
    const calls = [];
    for (let at = this.depth - 1; at >= 0; --at) calls.push({ module: this.#module(at), id: this.#id(at) });
    return calls;
  }

  /** Returns the number of remaining calls. */
  #forgetMiddle() {
    const outer = LIMIT / 4;
    const kept = LIMIT / 2;
    this.#words.copyWithin(this.#at(outer), this.#at(3 * outer), this.#at(LIMIT));
    // Their callers have changed, so their contexts are invalid.
    for (let at = outer; at < kept; ++at) this.#words[this.#at(at) + CONTEXT] = 0;
    this.#setDepth(kept);
    return kept;
  }

  /** See OpenCalls.h. */
  #unwind(module, id) {
    let depth = this.depth;
    let traps = 0;
    while (traps < depth && this.#id(depth - 1 - traps) === NUMBERS.trapId) ++traps;
    depth -= traps;
    this.#setDepth(depth);
    let at = depth - 1;
    while (at >= 0 && !this.#isCall(at, module, id)) --at;
    if (at < 0) return;
    this.#setDepth(at);
    for (let outer = 0; traps > 1 && outer < at; ++outer)
      if (this.#isCall(outer, module, id)) this.#setDepth((at = outer));
  }
}
