// SPDX-License-Identifier: Apache-2.0
// Packs heap events into blocks, as docs/record-format.md says; the stacks that they name are those of a StackTable.

import { Block } from "./block.mjs";
import { Contexts } from "./heap-contexts.mjs";
import { NUMBERS } from "./record-encoder.mjs";

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
/** Of an event that waits, as encoder/heap_events.c takes it: operation, time, stack, memory, address, size, old address. */
const FIELDS = 7;
const [TIME, STACK] = [1, 2];

export class HeapWriter {
  contexts;
  /** How many events have one. */
  cutStacks = 0;
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

  /** `emit(block, events)` gets each FinishedBlock. `stacks`: the record's StackTable. `every`: by how many bytes events are sampled, or undefined. */
  constructor(encoder, stream, emit, stacks, every, mostStacks = NUMBERS.maxStacks) {
    this.contexts = new Contexts(mostStacks);
    if (every !== undefined) encoder.calls.sampleHeap(every, 0);
    this.#block = new Block(encoder, NUMBERS.heapBlockSize);
    this.#stream = stream;
    this.#emit = emit;
    this.#stacks = stacks;
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
    const events = this.#events.subarray(0, count * FIELDS);
    for (let at = 0; at < events.length; at += FIELDS) {
      this.#lastTime = Math.max(this.#lastTime, this.#rounded(events[at + TIME]));
      events[at + TIME] = this.#lastTime;
      events[at + STACK] = this.#nodes[events[at + STACK]];
    }
    for (let done = 0; done < count;) {
      const packed = this.#block.heapEvents(this.#stream, events.subarray(done * FIELDS), count - done, this.#timeShift);
      this.#inBlock += packed;
      done += packed;
      if (done < count) this.flush();
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
