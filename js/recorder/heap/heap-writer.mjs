// SPDX-License-Identifier: Apache-2.0
// Packs heap events into blocks (docs/record-format.md); their stacks are in a StackTable.
//
// Events wait in the encoder's memory. If their thread is terminated, another one continues with them
// (left-record.mjs).

import { Block } from "../record/block.mjs";
import { Contexts } from "./heap-contexts.mjs";
import { address, NUMBERS } from "../record/record-encoder.mjs";

// Shared memories have numbers from here on, by the module's number: a process rarely has two modules with one number.
const FIRST_SHARED = 0x80000000;
const MOST_MEMORIES = 0x8000;

/** The number of a shared memory, the same in all threads. */
export const sharedMemory = (module, index) => FIRST_SHARED + (module % 0x10000) * MOST_MEMORIES + (index % MOST_MEMORIES);
/**
 * The same in another record: `moduleOf(number)` maps the numbers of modules; other memories get the stream's number.
 */
export function adoptMemory(memory, stream, moduleOf) {
  if (memory < FIRST_SHARED) return (stream % 0x10000) * MOST_MEMORIES + (memory % MOST_MEMORIES);
  const number = memory - FIRST_SHARED;
  return sharedMemory(moduleOf(Math.floor(number / MOST_MEMORIES)), number % MOST_MEMORIES);
}

/** The stacks that a block's events name by one byte, for its writer or reader. */
export class StackSlots {
  #stacks = Array.from({ length: NUMBERS.heapSlots }, (_, slot) => BigInt(slot));

  #slotOf(stack) {
    return Number(stack % BigInt(NUMBERS.heapSlots));
  }

  /** Reads the next stack from the WasmReader `fields`. */
  read(fields) {
    const code = fields.u();
    if (code !== 0n) return this.#stacks[Number(code) - 1];
    const stack = fields.u();
    this.#stacks[this.#slotOf(stack)] = stack;
    return stack;
  }
  /** Appends a stack to a Payload. */
  write(payload, stack) {
    const slot = this.#slotOf(stack);
    if (this.#stacks[slot] === stack) return payload.u(BigInt(slot + 1));
    this.#stacks[slot] = stack;
    return payload.u(0n).u(stack);
  }
}

const MOST_WAITING = 4096;
/** JavaScript stores the last event that fits, and then has all packed. */
const MOST_STORED = MOST_WAITING - 1;
/**
 * The state of the waiting events, in words (encoder/heap_events.c): their number, how many frames.wat.in may store,
 * their address, how many more get the last time, and whether the record lacks the stack of one; then that time, a
 * double.
 */
const [COUNT, MOST, EVENTS, SAME_TIME, HAS_UNDECLARED] = [0, 1, 2, 6, 7];
const TIME = 2;
/** A waiting event: operation, stack and memory in words; then time, address, size and old address in doubles. */
const DOUBLES = 6;
const [OPERATION, STACK, MEMORY] = [0, 1, 2];
const FIRST_DOUBLE = 2;
/**
 * Reading the clock costs more than the rest of an event. While events take less than SHORT counts each, those within
 * about SAME_SPAN get the time of the first, but at most MOST_OF_SAME_TIME of them.
 */
const SHORT = 1024;
const SAME_SPAN = 16 * SHORT;
const MOST_OF_SAME_TIME = 63;

/** The waiting heap events of a thread, and the block that they are packed into. */
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

  /** The events that a terminated thread left; undefined if it has none. */
  static left(encoder, emit) {
    const pointer = encoder.calls.heapBlock();
    if (pointer === 0) return undefined;
    encoder.calls.resumeBlock(pointer);
    return new WaitingHeap(encoder, new Block(encoder, undefined, pointer), emit);
  }

  get count() {
    return this.#calls.heapWaits();
  }

  /** Packs the first `count` events and drops the others. */
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
  /** How many events have a cut stack. */
  cutStacks = 0;
  #memory;
  #stacks;
  #waiting;
  #state; // its address
  #declared = 1; // the number of contexts in the record
  #isPacking = false;
  #isClosed = false;
  #sameTime = 0; // how many events got the previous time
  #keepsTimes = false;

  /**
   * `memory`: a StreamMemory. `emit(block, events)` gets each FinishedBlock. `stacks`: the record's StackTable.
   * `every`: the sampling interval in bytes, or undefined.
   */
  constructor(memory, stream, emit, stacks, every, mostStacks = NUMBERS.maxStacks) {
    const { encoder } = memory;
    this.contexts = new Contexts(memory, mostStacks);
    if (every !== undefined) encoder.calls.sampleHeap(every, 0);
    const block = new Block(encoder, NUMBERS.heapBlockSize);
    encoder.made(encoder.calls.openHeap(stream, block.pointer, MOST_WAITING));
    this.#memory = memory;
    this.#stacks = stacks;
    this.#state = address(encoder.calls.heapEvents());
    this.#setMost(MOST_STORED);
    this.#waiting = new WaitingHeap(encoder, block, (...finished) => {
      // Stacks precede the events that name them.
      this.#stacks.flush();
      emit(...finished);
    });
  }

  #setMost(count) {
    this.#memory.words[this.#state / 4 + MOST] = count;
  }
  /** From now on instances store no events themselves. */
  close() {
    this.#isClosed = true;
    this.#setMost(0);
  }

  /**
   * What OpenCalls.functionsOf() needs for instances that store events. `report`: handles what only JavaScript can;
   * `now()` returns the time; `imports`: how many functions the module imports; `namesLater`: whether stacks may be
   * named when their events are packed.
   */
  instanceImports(report, { hasTime, now, imports, namesLater }) {
    const [time, same] = [this.#state / 8 + TIME, this.#state / 4 + SAME_TIME];
    const tick = () => {
      const { numbers, words } = this.#memory;
      const last = numbers[time];
      numbers[time] = now();
      const each = (numbers[time] - last) / (this.#sameTime + 1);
      const more = Math.min(SAME_SPAN / each - 1, MOST_OF_SAME_TIME);
      words[same] = this.#sameTime = each < SHORT && !this.#keepsTimes ? Math.floor(more) : 0;
    };
    const lastImport = imports === 0 ? 0 : NUMBERS.firstId + imports - 1;
    return { report, tick, hasTime: Number(hasTime), namesLater: Number(namesLater), lastImport, contexts: this.contexts.state, memos: this.contexts.memos, events: this.#state };
  }

  /** Memory is shared now: times must be exact, because they order the events of all threads. */
  keepTimes() {
    this.#keepsTimes = true;
    this.#memory.words[this.#state / 4 + SAME_TIME] = 0;
    this.#memory.encoder.calls.keepHeapTimes();
  }

  /** Whether the record has a stack of these contexts. */
  hasDeclared(stack) {
    return (stack < 0 ? ~stack : stack) < this.#declared;
  }
  /** Adds all stacks to the record. */
  declareStacks() {
    const { contexts } = this;
    for (; this.#declared < contexts.size; ++this.#declared) {
      const { parent, frame } = contexts.at(this.#declared);
      contexts.setStack(this.#declared, this.#stacks.childOf(contexts.stackOf(parent), frame));
    }
  }

  /** `time` is in counts. A stack that the record lacks is known only to this thread until the event is packed. */
  add(operation, time, stack, memory, address, size, old) {
    const { numbers, words } = this.#memory;
    const context = stack < 0 ? ~stack : stack;
    this.cutStacks += stack < 0;
    const isDeclared = this.hasDeclared(context);
    if (!isDeclared) words[this.#state / 4 + HAS_UNDECLARED] = 1;
    const at = this.#eventAt(this.waiting);
    words[2 * at + OPERATION] = operation;
    words[2 * at + STACK] = isDeclared ? this.contexts.stackOf(context) : ~context;
    words[2 * at + MEMORY] = memory;
    let double = at + FIRST_DOUBLE;
    numbers[double++] = time;
    numbers[double++] = address;
    numbers[double++] = size;
    numbers[double] = old;
    numbers[this.#state / 8 + TIME] = time;
    words[this.#state / 4 + SAME_TIME] = 0;
    // Now the event counts as stored.
    ++words[this.#state / 4 + COUNT];
  }

  /** The index in doubles. */
  #eventAt(number) {
    return address(this.#memory.words[this.#state / 4 + EVENTS]) / 8 + number * DOUBLES;
  }

  /** The events that are not in a block yet. */
  get waiting() {
    return this.#memory.words[this.#state / 4 + COUNT];
  }
  get isFull() {
    return this.waiting === MOST_WAITING;
  }
  /** Nothing may be added, packed or dropped meanwhile: writing blocks may run code of the program. */
  get isPacking() {
    return this.#isPacking;
  }
  drop() {
    this.#waiting.drop();
  }

  /** Packs the first `count` waiting events into blocks and drops the others. */
  pack(count) {
    this.#isPacking = true;
    this.#setMost(0);
    try {
      if (this.#memory.words[this.#state / 4 + HAS_UNDECLARED] !== 0) this.#resolve(count);
      this.#waiting.pack(count);
    } finally {
      this.#isPacking = false;
      this.#setMost(this.#isClosed ? 0 : MOST_STORED);
    }
  }

  #resolve(count) {
    this.declareStacks();
    const { words } = this.#memory;
    for (let event = 0; event < count; ++event) {
      const at = 2 * this.#eventAt(event) + STACK;
      if (words[at] < 0) words[at] = this.contexts.stackOf(~words[at]);
    }
    words[this.#state / 4 + HAS_UNDECLARED] = 0;
  }

  flush() {
    this.#stacks.flush();
    this.#waiting.flush();
  }
}
