// SPDX-License-Identifier: Apache-2.0
// Which heap events a sampled record has. Modules that can leave out events by themselves (HeapFilter.cpp) get to know which ones
// are needed, and report few others.

import { RecordEncoder } from "../record/record-encoder.mjs";

const [FREE, REALLOCATE] = [1, 2];
const NOTHING = -1;

/** As HeapFilter.cpp has them: entries of one table. */
const [REGION_SHIFT, REGIONS] = [12, 2 ** 14];
const [CELL_SHIFT, CELLS] = [5, 2 ** 15];
const ENTRIES = REGIONS + CELLS;
const regionOf = (address) => (address >>> REGION_SHIFT) % REGIONS;
const cellOf = (address) => REGIONS + ((address >>> CELL_SHIFT) % CELLS);
/** What an entry has where no sampled object is. */
const IS_SKIPPED = true;

/** What chooses events for all instances of a thread. */
class HeapSampler {
  #calls;
  #isLeftTaken = false; // by an instance that counts down the bytes to its next sample by itself

  constructor(every, seed) {
    // The recorder's encoder may be at work in another thread whenever the program allocates.
    this.#calls = new RecordEncoder().calls;
    this.#calls.sampleHeap(every, seed);
  }

  /** The bytes to the first sample of an instance that counts them itself. Gaps have no memory, so that each may have its own. */
  takeLeft() {
    if (this.#isLeftTaken) return this.#calls.heapGap();
    this.#isLeftTaken = true;
    return this.#calls.heapLeft();
  }

  /** See HeapChooser; of an instance that does not count. */
  choose(operation, memory, address, size, old, isShared) {
    if (this.#isLeftTaken) this.#calls.setHeapLeft(this.#calls.heapGap());
    this.#isLeftTaken = false;
    return this.#calls.chooseHeapEvent(operation, memory, address, size, old, isShared);
  }

  /** The same of one that counts: `counter.left` are the bytes before the event, and then those behind it. */
  chooseBehind(counter, operation, memory, address, size, old, isShared) {
    const calls = this.#calls;
    if (operation === FREE) return calls.chooseHeapEvent(operation, memory, address, size, old, isShared);
    const own = calls.heapLeft();
    calls.setHeapLeft(counter.left);
    const chosen = calls.chooseHeapEvent(operation, memory, address, size, old, isShared);
    counter.left = calls.heapLeft();
    calls.setHeapLeft(own);
    return chosen;
  }
}

/**
 * Which growths of an instance's memories get stacks of their own: those that contain one of the sampling points, `every` bytes apart on average. Programs may
 * grow their memory by single pages, and asking V8 for a stack takes as long as hundreds of allocations. The others get the stack of the last one of their
 * size that has its own. All of one size contain a point equally often, so the bytes of each path are estimates without a bias.
 */
class GrowthSampler {
  #every;
  #random;
  #left = 0;
  #sizes = new Map(); // by memory
  #stacks = new Map(); // by how much the memory grew

  constructor(every, seed) {
    this.#every = every;
    this.#random = Math.imul(seed + 1, 0x9e3779b1) || 1;
  }

  /** By a 32-bit xorshift, which is never 0. */
  #gap() {
    let x = this.#random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#random = x;
    return -this.#every * Math.log((x >>> 0) / 2 ** 32);
  }

  /** A memory has been found to have this size. */
  find(memory, size) {
    this.#sizes.set(memory, size);
  }

  /** The stack of what has made a memory this large; `stackOf()` asks for it. */
  stackOf(memory, size, stackOf) {
    const growth = size - (this.#sizes.get(memory) ?? 0);
    this.find(memory, size);
    this.#left -= growth;
    if (this.#left <= 0) this.#left = this.#gap();
    else if (this.#stacks.has(growth)) return this.#stacks.get(growth);
    const stack = stackOf();
    this.#stacks.set(growth, stack);
    return stack;
  }
}

/** The bytes to the next sample, which an instance counts down. It counts whole ones, rounded up, which makes no difference to what is chosen. */
class Counter {
  #exports;
  #excess; // what was added in rounding up

  constructor(exports) {
    this.#exports = exports;
  }

  get left() {
    return this.#exports.__warpo_heap_left() - this.#excess;
  }
  set left(bytes) {
    const whole = Math.ceil(bytes);
    this.#excess = whole - bytes;
    this.#exports.__warpo_set_heap_left(whole);
  }
}

/** What chooses the events of one instance. */
class HeapChooser {
  #sampler;
  #exports; // of an instance that leaves out events
  #mayLeaveOut; // false: it never does, or several instances have the same imports, of which none then does
  #watched; // by entry: how many sampled objects may be there
  #objects = new Set(); // the addresses of these
  #counter;

  constructor(sampler, mayLeaveOut) {
    this.#sampler = sampler;
    this.#mayLeaveOut = mayLeaveOut;
  }

  /**
   * The operation that is to be recorded of an event, of the old address where a reallocation has become a free; -1: none. `isShared`: other threads may
   * have chosen what is freed.
   */
  choose(operation, memory, address, size, old, isShared) {
    if (this.#exports !== undefined && !isShared && this.#isLeftOut(operation, operation === FREE ? address : old, size)) return NOTHING;
    const chosen =
      this.#exports === undefined
        ? this.#sampler.choose(operation, memory, address, size, old, isShared)
        : this.#sampler.chooseBehind(this.#counter, operation, memory, address, size, old, isShared);
    // Of a memory that threads share, no frees are left out.
    if (chosen === NOTHING || !this.#mayLeaveOut || isShared) return chosen;
    if (chosen === FREE) this.#unwatch(operation === FREE ? address : old);
    else if (chosen === REALLOCATE) this.#unwatch(old);
    if (chosen !== FREE && address !== 0) this.#watch(address);
    return chosen;
  }

  /** What the module would have left out if the object had been in another cell: others are in watched cells too. */
  #isLeftOut(operation, object, size) {
    if ((operation !== FREE && operation !== REALLOCATE) || this.#objects.has(object)) return false;
    if (operation === FREE) return true;
    const left = this.#exports.__warpo_heap_left();
    const counted = size || 1;
    if (counted >= left) return false;
    this.#exports.__warpo_set_heap_left(left - counted);
    return true;
  }

  #watch(address) {
    this.#watched ??= new Uint32Array(ENTRIES);
    if (this.#objects.has(address)) return;
    this.#objects.add(address);
    this.#watchAt(regionOf(address));
    this.#watchAt(cellOf(address));
  }
  #watchAt(entry) {
    if (this.#watched[entry]++ === 0) this.#exports?.__warpo_skip_frees(entry, 1, null);
  }

  #unwatch(address) {
    if (!this.#objects.delete(address)) return;
    this.#unwatchAt(regionOf(address));
    this.#unwatchAt(cellOf(address));
  }
  #unwatchAt(entry) {
    if (--this.#watched[entry] === 0) this.#exports?.__warpo_skip_frees(entry, 1, IS_SKIPPED);
  }

  /** The instance with these exports has the imports of this one, and a table with so many entries. */
  connect(exports, entries) {
    if (exports === this.#exports) return;
    if (this.#exports !== undefined) {
      this.#exports.__warpo_set_heap_left(0);
      this.#exports.__warpo_skip_frees(0, entries, null);
      this.#exports = this.#watched = undefined;
      this.#objects.clear();
      this.#mayLeaveOut = false;
    }
    if (!this.#mayLeaveOut || (entries !== 0 && entries !== ENTRIES)) return;
    this.#exports = exports;
    this.#counter = new Counter(exports);
    this.#counter.left = this.#sampler.takeLeft();
    exports.__warpo_skip_frees(0, entries, IS_SKIPPED);
    this.#watched?.forEach((count, entry) => count > 0 && entry < entries && exports.__warpo_skip_frees(entry, 1, null));
  }
}

/** What chooses for the instances of a recorder. */
export class HeapSampling {
  #sampler;
  #attached;
  #every;
  #seed;

  /** `every`: bytes, undefined where everything is recorded. */
  constructor({ every, seed }) {
    this.#every = every;
    this.#seed = seed;
    this.#sampler = every === undefined ? undefined : new HeapSampler(every, seed);
  }

  /** The GrowthSampler of an instance; undefined: all growths have stacks of their own. */
  growths() {
    return this.#sampler && new GrowthSampler(this.#every, this.#seed);
  }

  /** The HeapChooser of an instance, which may be able to leave out events by itself; undefined: it has all events recorded. */
  chooser(mayLeaveOut) {
    return this.#sampler && new HeapChooser(this.#sampler, mayLeaveOut);
  }

  /** An instance is complete. If it can leave out events, it calls its import `heap`, which is to call connect(). */
  attach({ exports }) {
    if (this.#sampler === undefined || typeof exports.__warpo_connect_heap !== "function") return;
    this.#attached = exports;
    exports.__warpo_connect_heap();
    this.#attached = undefined;
  }
  connect(chooser, entries) {
    if (this.#attached !== undefined) chooser?.connect(this.#attached, entries);
  }
}
