// The streams of a recorder: instances of recorder.wasm with their buffers, emptied into blocks.

import { CAUSE, EventEncoder } from "./event-encoder.mjs";

/** Bytes of an event in a buffer, and of a page of memory. */
export const EVENT_SIZE = 16;
export const PAGE_SIZE = 1 << 16;
const LEAST_ID = -(2 ** 31);

/** Whole nanoseconds of a number of milliseconds. */
export const wholeNanoseconds = (milliseconds) => Math.floor(milliseconds * 1e6 + 0.5);

/**
 * The memory that the streams of a thread share; at 0 lies the cell in which the clock's tick
 * leaves the time.
 */
export class StreamMemory {
  #memory = new WebAssembly.Memory({ initial: 1 });
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

/**
 * One stream of the recorder `owner` (recorder.mjs); `number` is the stream's in the record.
 */
export class Stream {
  #owner;
  #exports;
  #encoder;
  #order = 0; // events so far, the time of a clock that is none
  #beyondLimit = 0; // events that were taken from the buffer and not kept

  constructor(owner, number) {
    this.#owner = owner;
    this.#encoder = new EventEncoder(number, (block, info) => owner.emit(number, block, info));
    const { memory, cell } = owner.memory;
    const { exports } = new WebAssembly.Instance(owner.clock.wasm, {
      recorder: {
        memory,
        ...owner.clock.imports(cell),
        drain: (begin, end) => Number(owner.whileWriting(() => this.#take(begin, end))),
      },
    });
    const { bufferBytes, isRing } = owner;
    exports.open(owner.memory.region(bufferBytes), bufferBytes / 2, Number(isRing));
    this.#exports = exports;
  }

  get tracePoint() {
    return this.#exports.tracePoint;
  }

  /** From now on all events are counted as lost. */
  stop() {
    this.#exports.stopped.value = 1;
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
      this.#countWaiting(first.value, next.value) +
      this.#countWaiting(other.value, filled.value);
    this.#beyondLimit = lost.value = filled.value = 0;
    next.value = first.value;
    if (missing > 0) this.#encoder.lost(missing, cause, 0);
    this.#encoder.finish();
    return missing;
  }

  /** Events from one address up to another, those among them that are told to be lost included. */
  #countWaiting(begin, end) {
    const { numbers, words } = this.#owner.memory;
    let count = 0;
    for (let at = begin; at < end; at += EVENT_SIZE)
      count += words[at / 4 + 3] === 0 ? 1 : numbers[at / 8];
    return count;
  }

  #takeRing() {
    const { first, next, other, filled, lost } = this.#exports;
    if (lost.value > 0) this.#lose(lost.value, this.#owner.memory.numbers[other.value / 8]);
    lost.value = 0;
    if (filled.value !== 0) this.#take(other.value, filled.value);
    filled.value = 0;
    const end = next.value;
    next.value = first.value;
    this.#take(first.value, end);
  }

  /** `before`: the time of the first event, if this is before it. */
  #lose(count, before) {
    this.#encoder.lost(count, CAUSE.bufferFull, wholeNanoseconds(before));
    this.#owner.counts.lostToBuffer += count;
  }

  /** Encodes the events from one address up to another. */
  #take(begin, end) {
    const { numbers, words } = this.#owner.memory;
    const { isTime } = this.#owner.clock;
    const { times, ids } = this.#owner.columns;
    let count = 0;
    for (let at = begin / 4; at < end / 4; at += 4) {
      const id = words[at + 2];
      if (words[at + 3] !== 0) {
        this.#keep(times, ids, count);
        count = 0;
        this.#lose(numbers[at / 2], 0);
      } else if (id !== 0 && id !== LEAST_ID) {
        times[count] = isTime ? wholeNanoseconds(numbers[at / 2]) : ++this.#order;
        ids[count++] = id;
      }
    }
    this.#keep(times, ids, count);
    // A block a half: what a process loses that is killed is little.
    this.#encoder.finish();
    if (this.#owner.room === 0) this.#owner.reachLimit();
  }

  /** Encodes the first `count` events, as far as the limit allows. */
  #keep(times, ids, count) {
    const kept = Math.min(count, this.#owner.room);
    this.#encoder.events(times, ids, kept);
    this.#owner.room -= kept;
    this.#beyondLimit += count - kept;
  }
}
