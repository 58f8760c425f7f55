// SPDX-License-Identifier: Apache-2.0
// What the modules of a record do with their heaps: builtin.heap, with the calls that are open around it. All of it is of one
// stream.
//
// A program may allocate millions of times a second: its events wait, and are packed a few thousand at a time. frames.wat.in
// adds the usual ones.

import { capturedStack } from "../engine/engine-stack.mjs";
import { HeapSampling } from "./heap-sampler.mjs";
import { HeapWriter, sharedMemory } from "./heap-writer.mjs";
import { NUMBERS } from "../record/record-encoder.mjs";
import { seenBy } from "../modules/expected-instances.mjs";

/** As `builtin.heap` has them. */
const OPERATION = { allocate: 0, free: 1, reallocate: 2, size: 3, connect: 4, tableSize: 5 };
/** Is added where the innermost open call is the allocator itself, which belongs to no stack. On the engine's it always is. */
const INNERMOST_IS_ALLOCATOR = 8;
/** Is added where other threads may have the memory. */
const IS_SHARED = 16;
/** Is added where a table was found to have its size: none of the open calls has grown it. */
const IS_FOUND = 32;
const KIND_BITS = 7;
/** From this bit on is a caller that has not begun a call, minus the id of the first function, plus 1; or 0. */
const CALLER_SHIFT = 6;

const callerOf = (flags) => (flags >>> CALLER_SHIFT === 0 ? 0 : NUMBERS.firstId + (flags >>> CALLER_SHIFT) - 1);

/** So many memories of a thread, and so many tables, have numbers: code may make up any number of them. */
const MOST_NUMBERED = 0x8000;

const NOTHING = -1;

/** Most events with stacks of the engine that wait for these to be looked up. */
const MOST_UNRESOLVED = 32;

/** What operation stands for a call that may fail or ask for nothing: see docs/record-format.md. */
function understand(operation, address, size, old) {
  if (operation === OPERATION.free) return address === 0 ? NOTHING : operation;
  if (operation !== OPERATION.reallocate) return operation;
  if (old === 0) return OPERATION.allocate;
  return size === 0 && address === 0 ? OPERATION.free : operation;
}

/**
 * The numbers of an instance's memories or tables by their indices, each made by `make(index, ...more)`; undefined beyond the limit, but for memory 0.
 * `numbered.count` is how many the instances of the thread have.
 */
function numbering(numbered, make) {
  const numbers = new Map();
  return (index, ...more) => {
    let number = numbers.get(index);
    if (number === undefined && (numbered.count < MOST_NUMBERED || index === 0)) {
      ++numbered.count;
      numbers.set(index, (number = make(index, ...more)));
    }
    return number;
  };
}

/** Whether other threads may have a memory, if there is one. */
const isShared = (memory) => memory !== undefined && !(memory.buffer instanceof ArrayBuffer);

/** An instance's first memory, if it is known: it is imported, or exported under this name. */
function firstMemory(look, exported) {
  const { memory, exports } = seenBy(look) ?? {};
  return memory ?? (exported === undefined ? undefined : exports?.[exported]);
}

/** Where a reallocation becomes a free, it is one of the old block. No closure: this runs millions of times a second. */
const placeOf = (change, operation, address, old) => (change === OPERATION.free && operation === OPERATION.reallocate ? old : address);

export class RecordedHeap {
  #owner;
  #writer; // undefined before the first module that reports its heap
  #sampler;
  #every;
  #sampling;
  #memories = 0;
  #numbered = new WeakMap(); // the numbers of memories that other instances may have, too
  #tables = 0;
  #numberedMemories = { count: 0 }; // and those that threads share
  #numberedTables = { count: 0 };
  #leftOut = 0; // events of memories and tables without numbers
  // Arguments of #addResolved(), with stacks of the engine as capturedStack() has them: to look up many in turn takes
  // less time.
  #unresolved = [];
  #mayWait = true; // no instance adds events without #add()

  /**
   * Of the recorder `owner` (recorder.mjs); `sampler`: the Sampler that the frames of modules go to. Options as RecorderOptions.
   */
  constructor(owner, sampler, { heapSampleEvery: every, heapSeed: seed = 0 }) {
    this.#owner = owner;
    this.#sampler = sampler;
    this.#every = every;
    this.#sampling = new HeapSampling({ every, seed: seed + owner.worker });
  }

  #open(module) {
    const make = (memory, stream, emit, stacks) => new HeapWriter(memory, stream, emit, stacks, this.#every);
    this.#writer ??= this.#owner.openSamples(module, "heap", make);
  }

  /**
   * The functions of `builtin` for an instance of a module. `keepsStack`: it reports its frames; else they are the engine's, with `ids` by their indices.
   * Of those that report theirs, most events get into the record without JavaScript, unless they are to be sampled. `look()`, if it is
   * known, says what the instance is, with the `memory` that it imports, if it does, and its `exports` once it is made. `imports`: how many functions the module
   * imports; `memoryExport`: the name of its first memory among its exports, if it is known to export it; `mayLeaveOut`: see leavesOutHeap().
   */
  builtinOf(known, { keepsStack, look, imports, memoryExport, mayLeaveOut }) {
    const { number: module } = known;
    this.#open(module);
    const chooser = this.#sampling.chooser(mayLeaveOut);
    const memoryOf = this.#memoriesOf(module, look, memoryExport);
    const stackOf = keepsStack ? (leftOut, below, pending = 0, caller = 0) => this.#ownStack(leftOut, module, pending, caller) : this.#engineStackOf(known);
    if (!keepsStack || chooser !== undefined) {
      const heap = this.#reporterOf(memoryOf, chooser, keepsStack, stackOf);
      return { ...(keepsStack && this.#sampler.framesOf(module)), heap };
    }
    // The instance stores events at once, behind those that wait.
    this.#resolve();
    this.#mayWait = false;
    const report = this.#reporterOf(memoryOf, undefined, true, stackOf, (memory) => {
      functions.memoryNumber.value = memory;
      functions.hasMemoryNumber.value = 1;
    });
    const hasTime = this.#owner.clock.isTime;
    const given = this.#writer.instanceImports(report, { hasTime, now: () => this.#owner.now(), imports, namesLater: !this.#owner.isAnnounced });
    const functions = this.#sampler.functionsOf(module, given);
    const { enterFrame, leaveFrame, heap } = functions;
    return { enterFrame, leaveFrame, heap };
  }

  /** New contexts may need memory. `pending` and, within it, `caller`: ids of open calls that have not been reported; 0: none. */
  #ownStack(leftOut, module, pending, caller) {
    const { contexts } = this.#writer;
    return this.#owner.within(() => {
      const reported = this.#sampler.calls.nodeWithout(leftOut, contexts);
      const node = pending === 0 ? reported : contexts.child(reported, module, pending);
      return caller === 0 ? node : contexts.child(node, module, caller);
    });
  }

  #engineStackOf({ number: module, ids, hasPlaces }) {
    const { engineStack } = this.#sampler;
    let isLearned = false;
    return (leftOut, below) => {
      if (!isLearned) engineStack.learn(module, ids, hasPlaces);
      isLearned = true;
      return { stack: capturedStack(below), isCaller: leftOut > 0, context: undefined };
    };
  }

  /** The numbers of an instance's memories. Its first one may be one that others have too: Emscripten's side modules import that of their main module. */
  #memoriesOf(module, look, memoryExport) {
    const first = { module, memory: () => firstMemory(look, memoryExport), number: undefined };
    if (look !== undefined) this.#owner.expected.expect(look, (exports) => exports && this.#see(first));
    return numbering(this.#numberedMemories, (index, hasThreads) => {
      const memory = index === 0 ? first.memory() : undefined;
      const number = this.#numbered.get(memory) ?? (hasThreads ? sharedMemory(module, index) : this.#memories++);
      if (memory !== undefined) this.#numbered.set(memory, number);
      else if (index === 0) first.number = number;
      return number;
    });
  }

  /**
   * The instance with this first memory is complete. Threads cannot know that a memory which they share is the same: each gives it the number of the module
   * that it loads first, whichever allocates first. They agree if they begin with the same one.
   */
  #see({ module, memory, number }) {
    const seen = memory();
    const known = number ?? (isShared(seen) ? sharedMemory(module, 0) : undefined);
    if (seen !== undefined && known !== undefined && !this.#numbered.has(seen)) this.#numbered.set(seen, known);
  }

  /** The function `report` that handles all events of an instance; `hasMemory(number)` is called with the memory that its allocators use. */
  #reporterOf(memoryOf, chooser, keepsStack, stackOf, hasMemory = () => {}) {
    const tableOf = numbering(this.#numberedTables, () => this.#tables++);
    const growths = keepsStack ? undefined : this.#sampling.growths();
    let first;
    const report = (flags, address, size, oldOrPending) => {
      if (this.#owner.closed) return;
      const operation = flags & KIND_BITS;
      const hasOld = operation === OPERATION.reallocate;
      const old = hasOld ? oldOrPending : 0;
      const pending = hasOld ? 0 : oldOrPending >>> 0;
      if (operation === OPERATION.connect) this.#sampling.connect(chooser, address);
      if (operation === OPERATION.tableSize) this.#add(operation, 0, size, 0, tableOf(address), flags & IS_FOUND ? 0 : stackOf(0, report));
      if (operation > OPERATION.size) return;
      const isShared = (flags & IS_SHARED) !== 0;
      if (isShared) this.#writer.keepTimes();
      if (operation === OPERATION.size) {
        if (flags & IS_FOUND) growths?.find(address, size);
        const hasGrown = () => growths?.stackOf(address, size, () => stackOf(0, report)) ?? stackOf(0, report);
        this.#add(operation, 0, size, 0, memoryOf(address, isShared), flags & IS_FOUND ? 0 : hasGrown());
        return;
      }
      if (first === undefined) hasMemory((first = memoryOf(0, isShared)));
      let change = understand(operation, address, size, old);
      if (change === NOTHING) return;
      if (chooser !== undefined) {
        change = chooser.choose(change, first, placeOf(change, operation, address, old), size, old, isShared);
        if (change === NOTHING) return;
      }
      // To ask for a stack takes long, and who frees a sampled object is of no use to anyone.
      const hasStack = keepsStack || chooser === undefined || change !== OPERATION.free;
      const stack = hasStack ? stackOf(!keepsStack || flags & INNERMOST_IS_ALLOCATOR ? 1 : 0, report, pending, callerOf(flags)) : 0;
      this.#add(change, placeOf(change, operation, address, old), size, old, first, stack);
    };
    return report;
  }

  /** An instance is complete. */
  attach(instance) {
    this.#sampling.attach(instance);
  }

  /** `stack`: its context, or one of the engine's (#engineStackOf()). */
  #add(operation, address, size, old, memory, stack) {
    if (memory === undefined) {
      ++this.#leftOut;
      return;
    }
    if (this.#writer.isPacking) {
      ++this.#owner.counts.lostToBuffer;
      return;
    }
    const unresolved = this.#unresolved;
    const time = this.#owner.now();
    if (unresolved.length === 0 && typeof stack === "number") {
      this.#addResolved(operation, time, stack, memory, address, size, old);
      return;
    }
    unresolved.push([operation, time, stack, memory, address, size, old]);
    // If another thread may have to finish the record, it knows only of what is in the memory.
    if (unresolved.length === MOST_UNRESOLVED || !this.#mayWait || this.#owner.isAnnounced) this.#resolve();
  }

  #resolve() {
    const events = this.#unresolved;
    if (events.length === 0) return;
    this.#unresolved = [];
    const isNew = (stack) => typeof stack !== "number" && stack.context === undefined;
    const stacks = new Set(events.map(([, , stack]) => stack).filter(isNew));
    const frames = this.#sampler.engineStack.framesOf([...stacks]);
    this.#owner.within(() => {
      let next = 0;
      for (const stack of stacks) {
        stack.context = this.#writer.contexts.of(frames[next++]);
        stack.stack = undefined;
      }
    });
    for (const [operation, time, stack, ...rest] of events) this.#addResolved(operation, time, typeof stack === "number" ? stack : stack.context, ...rest);
  }

  #addResolved(operation, time, stack, memory, address, size, old) {
    const writer = this.#writer;
    // A thread that finishes the record after this one does not know of others.
    if (this.#owner.isAnnounced && !writer.hasDeclared(stack)) this.#owner.whileWriting(() => writer.declareStacks());
    writer.add(operation, time, stack, memory, address, size, old);
    if (writer.isFull) this.#pack();
  }

  /** Events that do not fit into the record, or cannot be packed now, are lost. */
  #pack() {
    const owner = this.#owner;
    if (this.#writer.isPacking) return;
    if (!owner.keepSamples(this.#writer.waiting, (count) => this.#writer.pack(count))) this.#writer.drop();
  }

  /** What is missing in the record, as text for people. */
  get problems() {
    const cut = this.#writer?.cutStacks ?? 0;
    const left = this.#leftOut;
    const problems = [];
    const cutEvents = cut === 1 ? "1 heap event has a cut stack" : `${cut} heap events have cut stacks`;
    if (cut > 0) problems.push(`${cutEvents}: the record is out of room for stacks`);
    const leftEvents = left === 1 ? "1 heap event is missing" : `${left} heap events are missing`;
    if (left > 0) problems.push(`${leftEvents}: ${MOST_NUMBERED} memories and as many tables are told apart`);
    return problems;
  }

  flush() {
    if (this.#writer === undefined) return;
    this.#resolve();
    if (this.#owner.closed) this.#writer.close();
    if (this.#writer.waiting > 0) this.#pack();
    this.#owner.whileWriting(() => this.#writer.flush());
  }
}
