// SPDX-License-Identifier: Apache-2.0
// Adds the record of a thread to its process's record: copies its blocks, with numbers and times adapted to that
// record.

import { adoptMemory, StackSlots } from "../heap/heap-writer.mjs";
import { KIND, Payload } from "../record/payload.mjs";
import { NUMBERS } from "../record/record-encoder.mjs";

/** By operation of a heap event: the number of numbers that follow its stack or memory. */
const NUMBERS_OF_HEAP_EVENT = [2, 1, 3, 1, 0, 1];
// Limit for all adopted records together: readers accept four times as many as one recorder writes.
const MOST_STACKS = 3 * NUMBERS.maxStacks;

/** What the modules count it by is said beside. */
const isOfFuel = ({ name }) => name === "fuel" || name.startsWith("fuel:");

class Adoption {
  #part;
  #writer;
  #shift; // of its times
  #modules = new Map(); // our numbers by its own
  #streams = new Map();
  #firstStack = 0n;

  constructor(part, writer) {
    const since = ({ origin, wall }) => BigInt(wall) - BigInt(origin);
    this.#part = part;
    this.#writer = writer;
    this.#shift = since(part.clock) - since(writer.clock);
  }

  /** Throws if the declarations cannot be written, unlike the recorder's own ones. */
  declareModules(modules) {
    const { clock, fuel } = this.#part;
    const [number, name] = isOfFuel(clock) ? [NUMBERS.timeClock, clock.name] : [NUMBERS.fuelClock, fuel];
    if (name !== undefined) modules.adoptFuel(name, (declared) => this.#writer.fuelClock(number, declared));
    const declare = (description) => this.#writer.module(description);
    const declareFunctions = (...of) => this.#writer.functions(...of);
    for (const [number, module] of this.#part.modules)
      this.#modules.set(number, modules.adopt(module, { declare, declareFunctions }));
  }

  /** `thread`: the name of the streams, and their thread number if the operating system's is unknown. */
  declareStreams(thread) {
    for (const [number, { module, thread: known, name, windows }] of this.#part.streams) {
      const first = this.#module(module);
      const system = known || thread.number;
      const stream = this.#writer.stream(first, system, name === "" ? thread.name : `${thread.name}: ${name}`);
      if (windows.length > 0)
        this.#writer.joinStream(stream, first, system, windows.map((window) => ({ ...window, module: this.#module(window.module) })));
      this.#streams.set(number, BigInt(stream));
      // No other stream is the first one of a record.
      this.#firstStack ||= BigInt(stream) * BigInt(NUMBERS.maxStacks);
    }
  }

  #module(number) {
    return known(this.#modules, number);
  }
  #stream(number) {
    return known(this.#streams, number);
  }
  #stack(number) {
    return number === 0n ? 0n : this.#firstStack + number;
  }
  #time(count) {
    return BigInt.asUintN(64, count + this.#shift);
  }

  write(block) {
    const fields = this.#part.fieldsOf(block);
    const payload = new Payload();
    if (block.kind === KIND.events) this.#events(fields, payload);
    else if (block.kind === KIND.stacks) this.#stacks(fields, payload);
    else if (block.kind === KIND.offsets) payload.u(this.#stack(fields.u())).bytes(fields.rest());
    else if (block.kind === KIND.switches) this.#switches(fields, payload);
    else if (block.kind === KIND.linked) payload.u(BigInt(this.#module(fields.u()))).bytes(fields.rest());
    else if (block.kind === KIND.heap) this.#heap(fields, payload);
    else this.#samples(fields, payload);
    this.#writer.adopt(block.kind, payload.pieces, block.entry && this.#entry(block.entry));
  }

  #entry({ stream, first, last }) {
    return { stream: this.#stream(stream), first: this.#time(first), last: this.#time(last) };
  }

  #events(fields, payload) {
    payload.u(this.#stream(fields.u())).u64(this.#time(fields.u64())).bytes(fields.rest());
  }

  #stacks(fields, payload) {
    payload.u(this.#stack(fields.u()));
    while (!fields.isAtEnd) {
      payload.u(this.#stack(fields.u()));
      const module = fields.u();
      if (module === 0n) payload.u(0n).sized(fields.sized());
      else payload.u(BigInt(this.#module(module - 1n)) + 1n).u(fields.u());
    }
  }

  #samples(fields, payload) {
    payload.u(this.#stream(fields.u())).u(fields.u()).u(fields.u()).u64(this.#time(fields.u64())).u64(fields.u64());
    while (!fields.isAtEnd) payload.u(fields.u()).u(fields.u()).u(this.#stack(fields.u()));
  }

  #heap(fields, payload) {
    const stream = this.#stream(fields.u());
    const memoryOf = (number) => BigInt(adoptMemory(Number(number), Number(stream), (module) => this.#module(BigInt(module))));
    payload.u(stream).u(fields.u()).u(memoryOf(fields.u())).u(fields.u()).u(fields.u()).u64(this.#time(fields.u64()));
    const [read, written] = [new StackSlots(), new StackSlots()];
    while (!fields.isAtEnd) {
      const code = fields.u();
      const operation = Number(code & 7n);
      payload.u(code);
      if (operation === NUMBERS.heapMemory) payload.u(memoryOf(fields.u()));
      else written.write(payload, this.#stack(read.read(fields)));
      for (let more = NUMBERS_OF_HEAP_EVENT[operation]; more > 0; --more) payload.u(fields.u());
    }
  }

  #switches(fields, payload) {
    payload.u64(this.#time(fields.u64()));
    while (!fields.isAtEnd)
      payload.u(fields.u()).u(this.#stream(fields.u())).u(fields.u()).u(this.#stream(fields.u())).u(fields.u()).u(this.#stack(fields.u()));
  }
}

function known(numbers, number) {
  if (!numbers.has(number)) throw new RangeError(`it does not declare its number ${number}`);
  return numbers.get(number);
}

const beyondLimit = () => new RangeError("the one of the process would become larger than its limit");

/**
 * Adds the record that `part`, a RecordReader, has read to that of `writer`, whose KnownModules are `modules`.
 * `thread`: `{ number, name }` of the part's thread. `fits()`: whether the record is not too large. Throws if the part
 * cannot be added. The record is unchanged then, but `modules` may contain modules that are not in it, so nothing more
 * may be declared.
 */
function adoptRecord(part, { writer, modules, thread, fits }) {
  if (part.clock === undefined || isOfFuel(part.clock) !== isOfFuel(writer.clock)) throw new RangeError("it has another clock");
  const { size, eventCount } = writer;
  try {
    const adoption = new Adoption(part, writer);
    adoption.declareModules(modules);
    adoption.declareStreams(thread);
    for (const block of part.blocks) adoption.write(block);
    if (!part.hasIndex) writer.leaveOutIndex();
    if (!fits()) throw beyondLimit();
    writer.adoptEvents(Number(part.events));
  } catch (error) {
    writer.takeBack(size, eventCount);
    throw error;
  }
}

/** The records of other threads in the one of the recorder `owner` (recorder.mjs). */
export class AdoptedRecords {
  #owner;
  #kinds = new Set(); // of their blocks
  #stacks = 0;
  /** False while one is added, and for good once that has failed. */
  mayGrow = true;
  /** The number of their lost events. */
  lost = 0;
  /** The cost of one of their events, and of a step of their clock; undefined if there are none. */
  cost;
  step;

  constructor(owner) {
    this.#owner = owner;
  }

  /** Whether they have blocks of this kind. */
  has(kind) {
    return this.#kinds.has(kind);
  }

  /**
   * Adds the record that `part`, a RecordReader, has read; `writer`, `thread`: see adoptRecord(). Throws if it cannot
   * be added; the record is unchanged then, and accepts no others from then on.
   */
  add(part, thread, writer) {
    const owner = this.#owner;
    owner.drain.end();
    // If there is not room for all events, the thread's own ones have priority.
    owner.flush();
    if (owner.error !== undefined) throw new Error(owner.error);
    if (!owner.canAdopt) throw new Error("those before it could not be added to the one of the process");
    // Smaller ones may have room.
    if (!owner.hasRoomFor(part.size)) throw beyondLimit();
    const stacks = this.#stacks + part.countStacks();
    if (stacks > MOST_STACKS || !owner.adoptSwitches(part.countSwitches()))
      throw new RangeError("its stacks or switches are too many for the one of the process");
    this.mayGrow = false;
    // A record of fuel alone says nothing of the run that it was.
    const about = owner.clock.isFuel ? { ...thread, number: 0n } : thread;
    const fits = () => owner.hasRoomFor(0);
    owner.within(() => adoptRecord(part, { writer, modules: owner.modules, thread: about, fits }));
    this.mayGrow = true;
    this.#stacks = stacks;
    for (const { kind } of part.blocks) this.#kinds.add(kind);
    this.lost += Number(part.lost);
    this.cost ??= Number(part.clock.cost) / 1024;
    this.step ??= Number(part.clock.step) / 1024;
  }
}
