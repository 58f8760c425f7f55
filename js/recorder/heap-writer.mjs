// SPDX-License-Identifier: Apache-2.0
// Packs heap events into blocks, as docs/record-format.md says; the stacks that they name are those of a StackTable.
//
// Events wait in the memory of the encoder. If their thread is ended, another one goes on with them (left-record.mjs).

import { Block } from "./block.mjs";
import { Contexts } from "./heap-contexts.mjs";
import { address, NUMBERS } from "./record-encoder.mjs";

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
/** Of an event that waits, as encoder/heap_events.c takes it: operation, time, stack, memory, address, size, old address. */
const FIELDS = 7;
const STACK = 2;

/** The heap events that wait in the memory of a thread's encoder, and the block that they are packed into. */
export class WaitingHeap {
  #calls;
  #block;
  #emit;

  /** `emit(block, events)` gets each FinishedBlock. */
  constructor(encoder, block, emit) {
    this.#calls = encoder.calls;
    this.#block = block;
    this.#emit = emit;
  }

  /** What a thread that has ended has left; undefined if it has none. */
  static left(encoder, emit) {
    const pointer = encoder.calls.heapBlock();
    if (pointer === 0) return undefined;
    encoder.calls.resumeBlock(pointer);
    return new WaitingHeap(encoder, new Block(encoder, undefined, pointer), emit);
  }

  get count() {
    return this.#calls.heapWaits();
  }

  /** Packs the first `count`, and forgets the others. */
  pack(count) {
    for (let left = count; left > 0;) {
      left -= this.#calls.packHeap(left);
      if (left > 0) this.flush();
    }
    this.drop();
  }

  drop() {
    this.#calls.emptyHeap();
  }

  flush() {
    if (this.#block.size === 0) return;
    const events = this.#calls.blockEvents(this.#block.pointer);
    this.#emit(this.#block.finish(), events);
    this.#calls.forgetBlock(this.#block.pointer);
  }
}

export class HeapWriter {
  contexts;
  /** How many events have one. */
  cutStacks = 0;
  #memory;
  #stacks;
  #waiting;
  #first; // where they wait, in doubles
  #countAt; // and where their number stands, in words
  #count = 0;
  #nodes = [0]; // the record's, by those of #contexts
  #hasUndeclared = false; // events that wait

  /**
   * `memory`: a StreamMemory. `emit(block, events)` gets each FinishedBlock. `stacks`: the record's StackTable.
   * `every`: by how many bytes events are sampled, or undefined.
   */
  constructor(memory, stream, emit, stacks, every, mostStacks = NUMBERS.maxStacks) {
    const { encoder } = memory;
    this.contexts = new Contexts(mostStacks);
    if (every !== undefined) encoder.calls.sampleHeap(every, 0);
    const block = new Block(encoder, NUMBERS.heapBlockSize);
    encoder.made(encoder.calls.openHeap(stream, block.pointer, MOST_WAITING));
    this.#memory = memory;
    this.#stacks = stacks;
    this.#first = address(encoder.calls.heapEvents()) / Float64Array.BYTES_PER_ELEMENT;
    this.#countAt = address(encoder.calls.heapCount()) / Int32Array.BYTES_PER_ELEMENT;
    this.#waiting = new WaitingHeap(encoder, block, (...finished) => {
      // Stacks come before the events that name them.
      this.#stacks.flush();
      emit(...finished);
    });
  }

  /** Threads share a memory: from now on times are exact, as they order the events of all. */
  keepTimes() {
    this.#memory.encoder.calls.keepHeapTimes();
  }

  /** Whether the record knows a stack, which is one of contexts. */
  hasDeclared(stack) {
    return (stack < 0 ? ~stack : stack) < this.#nodes.length;
  }
  /** Makes it know all of them. */
  declareStacks() {
    for (let node = this.#nodes.length; node < this.contexts.size; ++node) {
      const { parent, frame } = this.contexts.at(node);
      this.#nodes.push(this.#stacks.childOf(this.#nodes[parent], frame));
    }
  }

  /** `time` in counts. A stack that the record does not know is known to this thread alone, until the event is packed. */
  add(operation, time, stack, memory, address, size, old) {
    const { numbers, words } = this.#memory;
    const context = stack < 0 ? ~stack : stack;
    this.cutStacks += stack < 0;
    const isDeclared = this.hasDeclared(context);
    this.#hasUndeclared ||= !isDeclared;
    let at = this.#first + this.#count * FIELDS;
    numbers[at++] = operation;
    numbers[at++] = time;
    numbers[at++] = isDeclared ? this.#nodes[context] : ~context;
    numbers[at++] = memory;
    numbers[at++] = address;
    numbers[at++] = size;
    numbers[at] = old;
    // The event is there.
    words[this.#countAt] = ++this.#count;
  }

  /** Events that are not in a block yet. */
  get waiting() {
    return this.#count;
  }
  get isFull() {
    return this.#count === MOST_WAITING;
  }
  drop() {
    this.#count = 0;
    this.#waiting.drop();
  }

  /** Puts the first `count` of those that wait into blocks, and forgets the others. */
  pack(count) {
    if (this.#hasUndeclared) this.#resolve(count);
    this.#waiting.pack(count);
    this.#count = 0;
  }

  #resolve(count) {
    this.declareStacks();
    const { numbers } = this.#memory;
    for (let at = this.#first + STACK; at < this.#first + count * FIELDS; at += FIELDS)
      if (numbers[at] < 0) numbers[at] = this.#nodes[~numbers[at]];
    this.#hasUndeclared = false;
  }

  flush() {
    this.#stacks.flush();
    this.#waiting.flush();
  }
}
