// SPDX-License-Identifier: Apache-2.0
// What the modules of a record do with their heaps: builtin.heap, with the calls that are open around it. All of it is of one
// stream.
//
// A program may allocate millions of times a second: what it tells waits, and is packed a few thousand at a time.

import { HeapSampling } from "./heap-sampler.mjs";
import { HeapWriter, sharedMemory } from "./heap-writer.mjs";

/** As `builtin.heap` has them. */
const OPERATION = { allocate: 0, free: 1, reallocate: 2, size: 3, connect: 4 };
/** Is added where the innermost open call is the allocator itself, which belongs to no stack. On the engine's it always is. */
const INNERMOST_IS_ALLOCATOR = 8;
/** Is added where other threads may have the memory. */
const IS_SHARED = 16;
const KIND_BITS = 7;

const NOTHING = -1;

/** What operation stands for a call that may fail or ask for nothing: see docs/record-format.md. */
function understand(operation, address, size, old) {
  if (operation === OPERATION.free) return address === 0 ? NOTHING : operation;
  if (operation !== OPERATION.reallocate) return operation;
  if (old === 0) return OPERATION.allocate;
  return size === 0 && address === 0 ? OPERATION.free : operation;
}

/** Where a reallocation becomes a free, it is one of the old block. No closure: this runs millions of times a second. */
const placeOf = (change, operation, address, old) => (change === OPERATION.free && operation === OPERATION.reallocate ? old : address);

export class RecordedHeap {
  #owner;
  #writer; // undefined before the first module that tells of its heap
  #calls;
  #engineStack;
  #every;
  #sampling;
  #memories = 0;

  /**
   * Of the recorder `owner` (recorder.mjs); `calls`: the OpenCalls that the frames of modules go to, `engineStack`: the EngineStack of modules
   * that tell none. Options as RecorderOptions.
   */
  constructor(owner, { calls, engineStack }, { heapSampleEvery: every, heapSeed: seed = 0 }) {
    this.#owner = owner;
    this.#calls = calls;
    this.#engineStack = engineStack;
    this.#every = every;
    this.#sampling = new HeapSampling({ every, seed: seed + owner.worker });
  }

  #open(module) {
    const make = (memory, stream, emit, stacks) => new HeapWriter(memory, stream, emit, stacks, this.#every);
    this.#writer ??= this.#owner.openSamples(module, "heap", make);
  }

  /** The function of `builtin` for an instance of a module. `keepsStack`: it tells its frames; else they are the engine's, with `ids` by their indices. */
  builtinOf({ number: module, ids, hasPlaces }, keepsStack) {
    this.#open(module);
    let isLearned = keepsStack;
    const stackOf = (leftOut) => {
      if (keepsStack) return this.#calls.nodeWithout(leftOut, this.#writer.contexts);
      if (!isLearned) this.#engineStack.learn(module, ids, hasPlaces);
      isLearned = true;
      return this.#writer.contexts.of(this.#engineStack.frames(leftOut > 0));
    };
    const numbers = new Map();
    const memoryOf = (index, isShared) => {
      if (!numbers.has(index)) numbers.set(index, isShared ? sharedMemory(module, index) : this.#memories++);
      return numbers.get(index);
    };
    let first;
    const chooser = this.#sampling.chooser();
    return {
      heap: (told, address, size, old) => {
        const operation = told & KIND_BITS;
        if (operation === OPERATION.connect) this.#sampling.connect(chooser, address);
        if (operation > OPERATION.size) return;
        const isShared = (told & IS_SHARED) !== 0;
        if (isShared) this.#writer.keepTimes();
        if (operation === OPERATION.size) {
          this.#add(operation, 0, size, 0, memoryOf(address, isShared), stackOf(0));
          return;
        }
        first ??= memoryOf(0, isShared);
        let change = understand(operation, address, size, old);
        if (change === NOTHING) return;
        if (chooser !== undefined) {
          change = chooser.choose(change, first, placeOf(change, operation, address, old), size, old, isShared);
          if (change === NOTHING) return;
        }
        // To ask for a stack takes long, and who frees a sampled object is of no use to anyone.
        const hasStack = keepsStack || chooser === undefined || change !== OPERATION.free;
        const stack = hasStack ? stackOf(!keepsStack || told & INNERMOST_IS_ALLOCATOR ? 1 : 0) : 0;
        this.#add(change, placeOf(change, operation, address, old), size, old, first, stack);
      },
    };
  }

  /** An instance is complete. */
  attach(instance) {
    this.#sampling.attach(instance);
  }

  #add(operation, address, size, old, memory, stack) {
    if (this.#owner.closed) return;
    const writer = this.#writer;
    // A thread that finishes the record after this one does not know of others.
    if (this.#owner.isAnnounced && !writer.hasDeclared(stack)) this.#owner.whileWriting(() => writer.declareStacks());
    writer.add(operation, this.#owner.now(), stack, memory, address, size, old);
    if (writer.isFull) this.#pack();
  }

  /** Events that do not fit into the record, or cannot be packed now, are lost. */
  #pack() {
    const owner = this.#owner;
    if (!owner.keepSamples(this.#writer.waiting, (count) => this.#writer.pack(count))) this.#writer.drop();
  }

  /** What is missing in the record, as text for people. */
  get problems() {
    const cut = this.#writer?.cutStacks;
    if (!cut) return [];
    const events = cut === 1 ? "1 heap event has a cut stack" : `${cut} heap events have cut stacks`;
    return [`${events}: the record is out of room for stacks`];
  }

  flush() {
    if (this.#writer === undefined) return;
    if (this.#writer.waiting > 0) this.#pack();
    this.#owner.whileWriting(() => this.#writer.flush());
  }
}
