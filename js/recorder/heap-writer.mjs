// SPDX-License-Identifier: Apache-2.0
// Packs heap events into blocks, as docs/record-format.md says; the stacks that they name are those of a StackTable.

import { Block } from "./block.mjs";
import { NUMBERS, RecordEncoder } from "./record-encoder.mjs";

// Memories that threads share have numbers from here on: by the module's number, as one process has seldom two of one module.
const FIRST_SHARED = 0x80000000;
const MOST_MEMORIES = 0x8000;

/** The number of a memory that threads share, as all of them know it. */
export const sharedMemory = (module, index) => FIRST_SHARED + (module % 0x10000) * MOST_MEMORIES + (index % MOST_MEMORIES);
/** The same in a record where `moduleOf(number)` gives the numbers of modules, and of another memory that of the stream's. */
export function adoptMemory(memory, stream, moduleOf) {
  if (memory < FIRST_SHARED) return (stream % 0x10000) * MOST_MEMORIES + (memory % MOST_MEMORIES);
  const number = memory - FIRST_SHARED;
  return sharedMemory(moduleOf(Math.floor(number / MOST_MEMORIES)), number % MOST_MEMORIES);
}

const TIME_UNIT = 2 ** NUMBERS.heapTimeShift;

/** The stacks that the events of a block name by one byte, as writer or reader of it. */
export class StackSlots {
  #stacks = Array.from({ length: NUMBERS.heapSlots }, (_, slot) => BigInt(slot));

  #slotOf(stack) {
    return Number(stack % BigInt(NUMBERS.heapSlots));
  }

  /** The stack that the WasmReader `fields` has next. */
  read(fields) {
    const code = fields.u();
    if (code !== 0n) return this.#stacks[Number(code) - 1];
    const stack = fields.u();
    this.#stacks[this.#slotOf(stack)] = stack;
    return stack;
  }
  /** Puts a stack into a Payload. */
  write(payload, stack) {
    const slot = this.#slotOf(stack);
    if (this.#stacks[slot] === stack) return payload.u(BigInt(slot + 1));
    this.#stacks[slot] = stack;
    return payload.u(0n).u(stack);
  }
}

const MOST_WAITING = 4096;
/** Of an event that waits: operation, time, stack, memory, address, size, old address. */
const FIELDS = 7;
// Where a block ends: before what may be the largest event.
const LAST_EVENT = NUMBERS.heapBlockSize - NUMBERS.maxHeapEventSize;

/**
 * A tree of the stacks that events have; a node is a number, that without frames 0. Where the record has room for no more, a stack is cut: of
 * `node` that is `~node`, and so are all within it, as further frames would seem to be called by the wrong one.
 */
class Contexts {
  #parents = [0];
  #frames = [{}];
  #children = [new Map()];
  #mostStacks;

  constructor(mostStacks) {
    this.#mostStacks = mostStacks;
  }

  /** The stack of a function of this module within another one. */
  child(parent, module, id) {
    if (parent < 0) return parent;
    const key = module * 0x80000000 + id;
    return this.#children[parent].get(key) ?? this.#add(parent, key, { module, id });
  }

  /** That of frames, outermost first, each of which is always the same object. */
  of(frames) {
    let node = 0;
    for (let i = 0; i < frames.length && node >= 0; ++i) node = this.#children[node].get(frames[i]) ?? this.#add(node, frames[i], frames[i]);
    return node;
  }

  #add(parent, key, frame) {
    if (this.#parents.length > this.#mostStacks) return ~parent;
    const node = this.#parents.length;
    this.#parents.push(parent);
    this.#frames.push(frame);
    this.#children.push(new Map());
    this.#children[parent].set(key, node);
    return node;
  }

  get size() {
    return this.#parents.length;
  }
  at(node) {
    return { parent: this.#parents[node], frame: this.#frames[node] };
  }
}

export class HeapWriter {
  contexts;
  /** How many events have one. */
  cutStacks = 0;
  #sampler; // its own encoder; undefined: everything is recorded
  #stream;
  #emit;
  #stacks;
  #block;
  #inBlock = 0;
  #nodes = [0]; // the record's, by those of #contexts
  #events = new Float64Array(MOST_WAITING * FIELDS);
  #at = 0;
  #lastTime = 0;
  #timeShift = NUMBERS.heapTimeShift;

  /** `emit(block, events)` gets each FinishedBlock. `stacks`: the record's StackTable. `sampling`: `{ every, seed }`, or undefined. */
  constructor(encoder, stream, emit, stacks, sampling, mostStacks = NUMBERS.maxStacks) {
    this.contexts = new Contexts(mostStacks);
    if (sampling !== undefined) {
      const { every, seed } = sampling;
      // The other one may be at work in another thread whenever the program allocates.
      this.#sampler = new RecordEncoder().calls;
      this.#sampler.sampleHeap(every, seed);
      encoder.calls.sampleHeap(every, seed);
    }
    this.#block = new Block(encoder, NUMBERS.heapBlockSize);
    this.#stream = stream;
    this.#emit = emit;
    this.#stacks = stacks;
  }

  /**
   * The operation that is to be recorded of an event, of the old address where a reallocation has become a free; -1: none. `isShared`: other threads may
   * have chosen what is freed.
   */
  choose(operation, memory, address, size, old, isShared) {
    return this.#sampler === undefined ? operation : this.#sampler.chooseHeapEvent(operation, memory, address, size, old, isShared);
  }

  /** Threads share a memory: from now on times are exact, as they order the events of all. */
  keepTimes() {
    this.#timeShift = 0;
  }

  /** `stack` is one of contexts; `time` in counts. */
  add(operation, time, stack, memory, address, size, old) {
    const events = this.#events;
    let at = this.#at;
    events[at++] = operation;
    events[at++] = time;
    events[at++] = stack < 0 ? ~stack : stack;
    this.cutStacks += stack < 0;
    events[at++] = memory;
    events[at++] = address;
    events[at++] = size;
    events[at++] = old;
    this.#at = at;
  }

  /** Events that are not in a block yet. */
  get waiting() {
    return this.#at / FIELDS;
  }
  get isFull() {
    return this.#at === this.#events.length;
  }
  drop() {
    this.#at = 0;
  }

  /** Puts the first `count` of those that wait into blocks, and forgets the others. */
  pack(count) {
    this.#declareStacks();
    const events = this.#events;
    for (let at = 0; at < count * FIELDS;) {
      const operation = events[at++];
      this.#lastTime = Math.max(this.#lastTime, this.#rounded(events[at++]));
      const stack = this.#nodes[events[at++]];
      const event = [this.#stream, operation, this.#lastTime, stack, events[at++], events[at++], events[at++], events[at++], this.#timeShift];
      if (!this.#block.heapEvent(...event)) {
        this.flush();
        this.#block.heapEvent(...event);
      }
      ++this.#inBlock;
      if (this.#block.size > LAST_EVENT) this.flush();
    }
    this.#at = 0;
  }

  #rounded(time) {
    return this.#timeShift === 0 ? time : Math.floor(time / TIME_UNIT) * TIME_UNIT;
  }

  #declareStacks() {
    for (let node = this.#nodes.length; node < this.contexts.size; ++node) {
      const { parent, frame } = this.contexts.at(node);
      this.#nodes.push(this.#stacks.childOf(this.#nodes[parent], frame));
    }
  }

  /** Stacks come before the events that name them. */
  flush() {
    this.#stacks.flush();
    if (this.#block.size !== 0) this.#emit(this.#block.finish(), this.#inBlock);
    this.#inBlock = 0;
  }
}
