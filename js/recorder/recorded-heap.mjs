// SPDX-License-Identifier: Apache-2.0
// What the modules of a record do with their heaps: builtin.heap, with the calls that are open around it. All of it is of one
// stream.
//
// A program may allocate millions of times a second: what it tells waits in plain arrays, and is packed a few thousand at a time.

import { HeapWriter, sharedMemory } from "./heap-writer.mjs";

/** As `builtin.heap` has them. */
const OPERATION = { allocate: 0, free: 1, reallocate: 2, size: 3 };
/** Is added where the innermost open call is the allocator itself, which belongs to no stack. */
const INNERMOST_IS_ALLOCATOR = 8;
/** Is added where other threads may have the memory. */
const IS_SHARED = 16;
const KIND_BITS = 7;

export class RecordedHeap {
  #owner;
  #writer; // undefined before the first module that tells of its heap
  #calls;
  #memories = 0;

  /** Of the recorder `owner` (recorder.mjs); `calls`: the OpenCalls that the frames of modules go to. */
  constructor(owner, calls) {
    this.#owner = owner;
    this.#calls = calls;
  }

  /** The function of `builtin` for an instance of the module with this number. */
  builtinOf(module) {
    this.#writer ??= this.#owner.openSamples(
      module,
      "heap",
      (encoder, stream, emit, stacks) => new HeapWriter(encoder, stream, emit, stacks),
    );
    const numbers = new Map();
    const memoryOf = (index, isShared) => {
      if (!numbers.has(index)) numbers.set(index, isShared ? sharedMemory(module, index) : this.#memories++);
      return numbers.get(index);
    };
    let first;
    return {
      heap: (told, address, size, old) => {
        const operation = told & KIND_BITS;
        if (operation > OPERATION.size) return;
        const isShared = (told & IS_SHARED) !== 0;
        if (isShared) this.#writer.keepTimes();
        if (operation === OPERATION.size) {
          this.#add(operation, 0, size, 0, memoryOf(address, isShared), 0);
        } else {
          first ??= memoryOf(0, isShared);
          this.#change(operation, address, size, old, first, told & INNERMOST_IS_ALLOCATOR ? 1 : 0);
        }
      },
    };
  }

  /** docs/record-format.md says what stands for calls that fail or ask for nothing. */
  #change(operation, address, size, old, memory, leftOut) {
    if (operation === OPERATION.reallocate) {
      if (old === 0) operation = OPERATION.allocate;
      else if (size === 0 && address === 0) {
        operation = OPERATION.free;
        address = old;
      }
    }
    if (operation === OPERATION.free && address === 0) return;
    this.#add(operation, address, size, old, memory, leftOut);
  }

  #add(operation, address, size, old, memory, leftOut) {
    if (this.#owner.closed) return;
    const writer = this.#writer;
    const stack = this.#calls.nodeWithout(leftOut, writer.contexts);
    writer.add(operation, this.#owner.now(), stack, memory, address, size, old);
    if (writer.isFull) this.#pack();
  }

  /** What does not fit into the record, or cannot be packed now, is lost. */
  #pack() {
    const owner = this.#owner;
    if (!owner.keepSamples(this.#writer.waiting, (count) => this.#writer.pack(count))) this.#writer.drop();
  }

  flush() {
    if (this.#writer === undefined) return;
    if (this.#writer.waiting > 0) this.#pack();
    this.#owner.whileWriting(() => this.#writer.flush());
  }
}
