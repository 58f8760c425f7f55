// The streams of a recorder: instances of recorder.wasm with their buffers, emptied into blocks.

import { moduleOf, recorderOf } from "./clocks.mjs";
import { CAUSE, EventEncoder } from "./event-encoder.mjs";

// Bytes of an event in a buffer, without fuel or with fuel in the place of time, and with both.
const EVENT_SIZE = 16;
const FUEL_EVENT_SIZE = 24;
/** The least of them. */
export const LEAST_EVENT_SIZE = EVENT_SIZE;
/** Bytes of a page of memory. */
export const PAGE_SIZE = 1 << 16;
const PAGE_LIMIT = (1 << 16) - 1;
const LEAST_ID = -(2 ** 31);

/** Whole nanoseconds of a number of milliseconds. */
export const wholeNanoseconds = (milliseconds) => Math.floor(milliseconds * 1e6 + 0.5);

/**
 * The memory that the streams of a thread share; at 0 lies the cell in which the clock's tick
 * leaves the time.
 */
export class StreamMemory {
  // A page less than there can be: 0 is never where a region ends.
  #memory = new WebAssembly.Memory({ initial: 2, maximum: PAGE_LIMIT });
  /** A page of no stream, for events that are not recorded. */
  scratch = PAGE_SIZE;
  cell = { view: new Float64Array(this.#memory.buffer, 0, 1) };

  constructor() {
    this.#look();
  }

  get memory() {
    return this.#memory;
  }

  #look() {
    this.numbers = new Float64Array(this.#memory.buffer);
    this.words = new Int32Array(this.#memory.buffer);
    this.cell.view = this.numbers;
  }

  /** A new region of `size` bytes, whole pages. Throws a RangeError if there is no memory for it. */
  region(size) {
    const pages = this.#memory.grow(size / PAGE_SIZE);
    this.#look();
    return pages * PAGE_SIZE;
  }
}

/** An address as recorder.wasm gives it: signed, and beyond 2 GiB less than 0. */
const address = (value) => value >>> 0;

/** A number of 64 bits, exact up to 2^53, whose lower half stands in the word `at`. */
const wide = (words, at) => (words[at] >>> 0) + (words[at + 1] >>> 0) * 2 ** 32;

/**
 * One stream of the recorder `owner` (recorder.mjs); `number` is the stream's in the record.
 * `hasFuel`: of a module that counts fuel.
 */
export class Stream {
  #owner;
  #exports;
  #encoder;
  #order = 0; // events so far, the time of a clock that is none
  #hasFuel;
  #eventSize;
  #openInTheEnd = 0; // sections
  #total; // the fuel of all instances that share the stream, a global of wasm
  #beyondLimit = 0; // events that were taken from the buffer and not kept

  constructor(owner, number, hasFuel) {
    this.#owner = owner;
    this.#hasFuel = hasFuel && !owner.clock.isFuel;
    this.#eventSize = this.#hasFuel ? FUEL_EVENT_SIZE : EVENT_SIZE;
    const emit = (block, info) => {
      if (!owner.emit(number, block, info)) this.#beyondLimit += info.events;
    };
    this.#encoder = new EventEncoder(number, emit, this.#hasFuel);
    const { memory, cell } = owner.memory;
    const { exports } = new WebAssembly.Instance(recorderOf(owner.clock, hasFuel), {
      recorder: {
        memory,
        ...owner.clock.imports(cell),
        drain: (begin, end) =>
          Number(owner.whileWriting(() => this.#take(address(begin), address(end)))),
      },
    });
    const { bufferBytes, isRing } = owner;
    exports.open(owner.memory.region(bufferBytes), bufferBytes / 2, Number(isRing));
    this.#exports = exports;
  }

  /**
   * For one instance: `tracePoint`, by the name that modules have for it, and `store(id, fuel)`,
   * which stores an event that is none of those. `isShared`: other instances use the stream too.
   */
  forInstance(isShared) {
    const { tracePoint, tracePointFuel } = this.#exports;
    if (tracePoint !== undefined)
      return { tracePoint: { tracePoint }, store: (id) => tracePoint(id) };
    const store = isShared ? this.#sharedFuel() : tracePointFuel;
    return { tracePoint: { tracePointFuel: store }, store };
  }

  /** The trace point for one more instance whose fuel is added to that of the others. */
  #sharedFuel() {
    const { tracePointFuel } = this.#exports;
    this.#total ??= new WebAssembly.Global({ value: "i64", mutable: true }, 0n);
    const recorder = { tracePointFuel, total: this.#total };
    return new WebAssembly.Instance(moduleOf("shared-fuel"), { recorder }).exports.tracePointFuel;
  }

  /** What was wrong with sections, after finish(). */
  get sectionFaults() {
    const { unmatchedSectionEnds: endsWithoutBegin, unendedSections } = this.#encoder;
    return { endsWithoutBegin, neverEnded: unendedSections + this.#openInTheEnd };
  }

  /** How many sections are open, after flush(). */
  get openSections() {
    return this.#encoder.openSections;
  }

  /** From now on all events are counted as lost. */
  stop() {
    this.#exports.stopped.value = 1;
  }

  /** Does what is none of the program's: its events are neither kept nor lost. */
  quietly(action) {
    const { stopped, next, lost, depth } = this.#exports;
    const kept = [stopped, next, lost, depth].map((global) => ({ global, value: global.value }));
    // The halves do not change places meanwhile: events stand where none has been kept yet.
    stopped.value = 1;
    try {
      return action();
    } finally {
      for (const { global, value } of kept) global.value = value;
    }
  }

  /** Writes what waits in the buffer. */
  flush() {
    if (this.#owner.isRing) this.#owner.whileWriting(() => this.#takeRing());
    else this.#exports.flush();
  }

  openCalls() {
    return this.#encoder.openCalls();
  }

  /**
   * Says in the record what is missing at its end, after flush() and stop(); returns how many
   * events are.
   */
  finish(cause) {
    const { first, next, other, filled, lost } = this.#exports;
    const missing =
      this.#beyondLimit +
      lost.value +
      this.#countWaiting(address(first.value), address(next.value)) +
      this.#countWaiting(address(other.value), address(filled.value));
    this.#beyondLimit = lost.value = filled.value = 0;
    next.value = first.value;
    this.#openInTheEnd = this.openSections;
    if (missing > 0) this.#encoder.lost(missing, cause, 0);
    this.#encoder.finish();
    return missing;
  }

  /**
   * Events from one address up to another (0: none), those among them that are told to be lost
   * included.
   */
  #countWaiting(begin, end) {
    const { numbers, words } = this.#owner.memory;
    let count = 0;
    for (let at = begin; at < end; at += this.#eventSize)
      count += words[at / 4 + 3] === 0 ? 1 : numbers[at / 8];
    return count;
  }

  #takeRing() {
    const { first, next, other, filled, lost } = this.#exports;
    if (lost.value > 0) this.#lose(lost.value, this.#timeAt(address(other.value) / 4));
    lost.value = 0;
    if (filled.value !== 0) this.#take(address(other.value), address(filled.value));
    filled.value = 0;
    const end = address(next.value);
    next.value = first.value;
    this.#take(address(first.value), end);
  }

  /** The time of the event whose words begin at `at`, but of a clock that only counts events. */
  #timeAt(at) {
    const { numbers, words } = this.#owner.memory;
    return this.#owner.clock.isFuel ? wide(words, at) : wholeNanoseconds(numbers[at / 2]);
  }

  /** `before`: the time of the first event, if this is before it. */
  #lose(count, before) {
    this.#encoder.lost(count, CAUSE.bufferFull, before);
    this.#owner.counts.lostToBuffer += count;
  }

  /** Encodes the events from one address up to another. */
  #take(begin, end) {
    const { numbers, words } = this.#owner.memory;
    const { isTime, isFuel } = this.#owner.clock;
    const { times, ids, fuels } = this.#owner.columns;
    const size = this.#eventSize / 4;
    let count = 0;
    for (let at = begin / 4; at < end / 4; at += size) {
      const id = words[at + 2];
      if (words[at + 3] !== 0) {
        this.#keep(count);
        count = 0;
        this.#lose(numbers[at / 2], 0);
      } else if (id !== 0 && id !== LEAST_ID) {
        if (isTime) times[count] = wholeNanoseconds(numbers[at / 2]);
        else times[count] = isFuel ? wide(words, at) : ++this.#order;
        if (size > 4) fuels[count] = wide(words, at + 4);
        ids[count++] = id;
      }
    }
    this.#keep(count);
    // A block a half: what a process loses that is killed is little.
    this.#encoder.finish();
    if (this.#owner.room === 0) this.#owner.reachLimit();
  }

  /** Encodes the first `count` events, as far as the limit allows. */
  #keep(count) {
    const kept = Math.min(count, this.#owner.room);
    const { times, ids, fuels } = this.#owner.columns;
    this.#encoder.events(times, ids, fuels, kept);
    this.#owner.room -= kept;
    this.#beyondLimit += count - kept;
  }
}
