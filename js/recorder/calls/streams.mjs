// SPDX-License-Identifier: Apache-2.0
// The streams of a record, each of which is a stack: what is packed for them, and what is missing there.

import { EventEncoder, newStream } from "./event-encoder.mjs";
import { address, CAUSE, PAGE_SIZE, RecordEncoder } from "../record/record-encoder.mjs";

// Words behind the cell: EventsMemory of warpo/Wasm/TracePoints.h.
const NEXT = 2;
const END = 3;

/** Whole nanoseconds of a number of milliseconds. */
export const wholeNanoseconds = (milliseconds) => Math.floor(milliseconds * 1e6 + 0.5);

/**
 * The memory that the events of a thread share with the encoder of their record; at 0 lies the cell in which
 * the clock's tick leaves the time, behind it what modules see that store events by themselves.
 */
export class StreamMemory {
  encoder;
  cell = {};
  #scratch;

  /** `options` of RecordEncoder. */
  constructor(options) {
    this.encoder = new RecordEncoder(() => this.#look(), options);
    this.#look();
  }

  /** A page of no stream, for events that are not recorded. */
  get scratch() {
    return (this.#scratch ??= this.region(PAGE_SIZE));
  }

  get memory() {
    return this.encoder.memory;
  }

  #look() {
    const { buffer } = this.memory;
    this.numbers = new Float64Array(buffer);
    this.words = new Int32Array(buffer);
    this.cell.view = this.numbers;
  }

  /** Where the next event of the half that is being filled is stored. */
  get next() {
    return address(this.words[NEXT]);
  }
  set next(at) {
    this.words[NEXT] = at;
  }

  /** What says where events are stored: the words behind the cell. */
  get storing() {
    return this.words.subarray(NEXT, END + 1);
  }

  /** The word that `buffer` of encoder/streams.c begins with. */
  get #buffer() {
    return this.encoder.calls.buffer() / 4;
  }

  /** Up to where the events of the half that is emptied have been packed. */
  get taken() {
    return address(this.words[this.#buffer + 2]);
  }
  set taken(at) {
    this.words[this.#buffer + 2] = at;
  }

  /** Where the half that is emptied ends; 0: nothing waits there. */
  get filled() {
    return address(Atomics.load(this.words, this.#filledAt));
  }
  /** Both. The thread may fill a half meanwhile: where it begins is said before where it ends, so that is looked at first. */
  get waiting() {
    const { filled } = this;
    return { taken: this.taken, filled };
  }
  /** All of the half has been packed. */
  setEmptied() {
    Atomics.store(this.words, this.#filledAt, 0);
    Atomics.notify(this.words, this.#filledAt);
  }
  /** Waits for a half that is full, or wakeDrain(), so many milliseconds at most. */
  awaitFilled(patience) {
    Atomics.wait(this.words, this.#filledAt, 0, patience);
  }
  wakeDrain() {
    Atomics.notify(this.words, this.#filledAt);
  }
  get #filledAt() {
    return this.#buffer + 3;
  }

  /** A new region of `size` bytes, whole pages. Throws a RangeError if there is no memory for it. */
  region(size) {
    return this.encoder.region(size);
  }
}

/**
 * One stream of the recorder `owner` (recorder.mjs); `number` is the stream's in the record, undefined
 * if it could not be declared there. `hasFuel`: its events have fuel beside another clock.
 */
export class Stream {
  #encoder;
  #openInTheEnd = 0; // sections

  /** `made`: what newStream() has made in the owner's memory before, for whoever goes on with it. */
  constructor(owner, number, hasFuel, made) {
    this.number = number;
    const emit = (block, events) => {
      const result = owner.emit(number === undefined ? undefined : this.#encoder, block, events);
      if (result === "beyond") this.#encoder.leftOut += events;
      if (result === "failed") this.#encoder.unwritten += events;
    };
    const { encoder } = owner.memory;
    const stream = made ?? newStream(encoder, number ?? 0, owner.clock, hasFuel);
    this.#encoder = new EventEncoder(encoder, stream, emit);
  }

  /** Whether events have fuel beside another clock. */
  get hasFuel() {
    return this.#encoder.hasFuel;
  }

  /** Bytes of an event in the buffer. */
  get eventSize() {
    return this.#encoder.eventSize;
  }

  /** What was wrong with sections, after finish(). */
  get sectionFaults() {
    const { unmatchedSectionEnds: endsWithoutBegin, unendedSections } = this.#encoder.faults;
    return { endsWithoutBegin, neverEnded: unendedSections + this.#openInTheEnd };
  }

  /** How many sections are open. */
  get openSections() {
    return this.#encoder.openSections;
  }

  /** How many events had ids that no function has. */
  get meaningless() {
    return this.#encoder.faults.meaningless;
  }

  /** What its clock is at where an entry stands, a bigint. */
  momentOf(entry) {
    return this.#encoder.momentOf(entry);
  }
  /** The same at its last event. */
  get lastMoment() {
    return this.#encoder.lastMoment;
  }

  get openCount() {
    return this.#encoder.openCount;
  }

  openCalls() {
    return this.#encoder.openCalls();
  }

  /** Packs events from one address up to another, or to another entry that stands there; returns how far it came. */
  pack(begin, end, waits = true) {
    return this.#encoder.pack(begin, end, waits);
  }

  /** Another stack runs where all have burnt so much fuel; or this one runs again. */
  pause(fuel) {
    this.#encoder.pause(fuel);
  }
  proceed(fuel) {
    this.#encoder.proceed(fuel);
  }

  /** `count` events were lost at this time, or after the last one if that is later. `taken`: see EventEncoder. */
  lose(count, time, taken) {
    this.#encoder.lost(count, CAUSE.bufferFull, time, taken);
  }

  /** `count` events are left out, which finish() records. */
  leaveOut(count) {
    this.#encoder.leftOut += count;
  }

  /** Writes the block that has been begun, if there is one. */
  finishBlock() {
    this.#encoder.finish();
  }

  /**
   * Records what is missing at the end, what could not be written too.
   * Returns how many events are missing for `cause`.
   */
  finish(cause) {
    const { leftOut: missing, unwritten } = this.#encoder;
    this.#openInTheEnd = this.openSections;
    // The open calls are of no use in a block behind the last event.
    if (missing + unwritten > 0) this.#encoder.forgetCalls();
    if (missing > 0) this.#encoder.lost(missing, cause, 0);
    if (unwritten > 0) this.#encoder.lost(unwritten, CAUSE.writeFailed, 0);
    this.#encoder.leftOut = this.#encoder.unwritten = 0;
    this.#encoder.finish();
    return missing;
  }
}
