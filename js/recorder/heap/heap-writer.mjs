// SPDX-License-Identifier: Apache-2.0
// Packs heap events into blocks, as docs/record-format.md says; the stacks that they name are those of a StackTable.
//
// Events wait in the memory of the encoder. If their thread is ended, another one goes on with them (left-record.mjs).

import { Block } from "../record/block.mjs";
import { Contexts } from "./heap-contexts.mjs";
import { address, NUMBERS } from "../record/record-encoder.mjs";

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
/** The last that there is room for is JavaScript's, which then has them packed. */
const MOST_STORED = MOST_WAITING - 1;
/**
 * The events that wait, as encoder/heap_events.c has them, in words: how many there are, how many frames.wat.in may store, their address, how many more get the
 * last time, and whether the record does not know the stack of one; and that time, in doubles.
 */
const [COUNT, MOST, EVENTS, SAME_TIME, HAS_UNDECLARED] = [0, 1, 2, 6, 7];
const TIME = 2;
/** An event that waits: in words the operation, the stack, and the memory; behind these, in doubles, the time, the address, the size, and the old address. */
const DOUBLES = 6;
const [OPERATION, STACK, MEMORY] = [0, 1, 2];
const FIRST_DOUBLE = 2;
/**
 * To read the clock costs more than all else of an event. While events take less than SHORT counts each, those of about SAME_SPAN get the time of the first, but
 * not more than MOST_OF_SAME_TIME beside it.
 */
const SHORT = 1024;
const SAME_SPAN = 16 * SHORT;
const MOST_OF_SAME_TIME = 63;

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
  #state; // of those that wait: its address
  #declared = 1; // so many contexts are in the record
  #isPacking = false;
  #isClosed = false;
  #sameTime = 0; // so many events got the time before the last one
  #keepsTimes = false;

  /**
   * `memory`: a StreamMemory. `emit(block, events)` gets each FinishedBlock. `stacks`: the record's StackTable.
   * `every`: by how many bytes events are sampled, or undefined.
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
      // Stacks come before the events that name them.
      this.#stacks.flush();
      emit(...finished);
    });
  }

  #setMost(count) {
    this.#memory.words[this.#state / 4 + MOST] = count;
  }
  /** Instances store nothing more by themselves. */
  close() {
    this.#isClosed = true;
    this.#setMost(0);
  }

  /**
   * What functionsOf() in open-calls.mjs needs for instances that store events. `tell` of what only JavaScript can; `now()` gives the time; `imports`: how many functions the module imports;
   * `namesLater`: whether the record may hear of stacks when events that have them are packed.
   */
  instanceImports(tell, { hasTime, now, imports, namesLater }) {
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
    return { tell, tick, hasTime: Number(hasTime), namesLater: Number(namesLater), lastImport, contexts: this.contexts.state, events: this.#state };
  }

  /** Threads share a memory: from now on times are exact, as they order the events of all. */
  keepTimes() {
    this.#keepsTimes = true;
    this.#memory.words[this.#state / 4 + SAME_TIME] = 0;
    this.#memory.encoder.calls.keepHeapTimes();
  }

  /** Whether the record knows a stack, which is one of contexts. */
  hasDeclared(stack) {
    return (stack < 0 ? ~stack : stack) < this.#declared;
  }
  /** Makes it know all of them. */
  declareStacks() {
    const { contexts } = this;
    for (; this.#declared < contexts.size; ++this.#declared) {
      const { parent, frame } = contexts.at(this.#declared);
      contexts.setStack(this.#declared, this.#stacks.childOf(contexts.stackOf(parent), frame));
    }
  }

  /** `time` in counts. A stack that the record does not know is known to this thread alone, until the event is packed. */
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
    // The event is there.
    ++words[this.#state / 4 + COUNT];
  }

  /** In doubles. */
  #eventAt(number) {
    return address(this.#memory.words[this.#state / 4 + EVENTS]) / 8 + number * DOUBLES;
  }

  /** Events that are not in a block yet. */
  get waiting() {
    return this.#memory.words[this.#state / 4 + COUNT];
  }
  get isFull() {
    return this.waiting === MOST_WAITING;
  }
  /** Then nothing can be added, packed or dropped: what writes the blocks may run code of the program. */
  get isPacking() {
    return this.#isPacking;
  }
  drop() {
    this.#waiting.drop();
  }

  /** Puts the first `count` of those that wait into blocks, and forgets the others. */
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
