// SPDX-License-Identifier: Apache-2.0
// The streams of a record, each of which is a stack: their packed events and their losses.

import { eventsMemory } from "../engine/recorder-wasm.mjs";
import { EventEncoder, newStream } from "./event-encoder.mjs";
import { address, CAUSE, PAGE_SIZE, RecordEncoder } from "../record/record-encoder.mjs";

const NEXT = eventsMemory.next / 4;
const END = eventsMemory.end / 4;

/** Milliseconds in nanoseconds, rounded. */
export const wholeNanoseconds = (milliseconds) => Math.floor(milliseconds * 1e6 + 0.5);

/**
 * The memory that the events of a thread share with the encoder of their record. At 0 is the cell in which the clock's
 * tick leaves the time; behind it are the words for modules that store events by themselves.
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

  /** A page outside of all streams, for events that are encoded from copies. */
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

  /** Where the next event of the half that is being filled is stored. After a change, that one calls the recorder. */
  get next() {
    return address(this.words[NEXT]);
  }
  set next(at) {
    this.words[NEXT] = at;
    this.words[END] = 0;
  }

  /** The word that `buffer` of encoder/streams.c begins with. */
  get #buffer() {
    return this.encoder.calls.buffer() / 4;
  }

  /** The address up to which the half that is being emptied has been packed. */
  get taken() {
    return address(this.words[this.#buffer + 2]);
  }
  set taken(at) {
    this.words[this.#buffer + 2] = at;
  }

  /** The time that is marked for the events there, in milliseconds. */
  get time() {
    return this.numbers[this.#buffer / 2 + 3];
  }
  set time(milliseconds) {
    this.numbers[this.#buffer / 2 + 3] = milliseconds;
  }

  /** The end of the half that is being emptied; 0: it is empty. */
  get filled() {
    return address(Atomics.load(this.words, this.#filledAt));
  }
  /** Both. The thread may fill a half meanwhile; it stores `taken` before `filled`, so `filled` is read first. */
  get waiting() {
    const { filled } = this;
    return { taken: this.taken, filled };
  }
  /** To be called when the half has been packed. */
  setEmptied() {
    Atomics.store(this.words, this.#filledAt, 0);
    Atomics.notify(this.words, this.#filledAt);
  }
  /** Waits for a full half or wakeDrain(), at most `patience` milliseconds. */
  awaitFilled(patience) {
    Atomics.wait(this.words, this.#filledAt, 0, patience);
  }
  wakeDrain() {
    Atomics.notify(this.words, this.#filledAt);
  }
  get #filledAt() {
    return this.#buffer + 3;
  }

  /** The address of a new region of `size` bytes, whole pages. Throws a RangeError if there is no memory for it. */
  region(size) {
    return this.encoder.region(size);
  }
}

/**
 * One stream of the recorder `owner` (recorder.mjs). `number`: its number in the record, undefined if it could not be
 * declared there. `hasFuel`: its events have fuel beside another clock.
 */
export class Stream {
  #encoder;
  #openInTheEnd = 0; // sections

  /** `made`: a result of newStream() in the owner's memory to continue with; default: a new one. */
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

  /** Size of an event in the buffer, in bytes. */
  get eventSize() {
    return this.#encoder.eventSize;
  }

  /** The faults of sections, after finish(). */
  get sectionFaults() {
    const { unmatchedSectionEnds: endsWithoutBegin, unendedSections } = this.#encoder.faults;
    return { endsWithoutBegin, neverEnded: unendedSections + this.#openInTheEnd };
  }

  /** The number of open sections. */
  get openSections() {
    return this.#encoder.openSections;
  }

  /** The number of events packed from the buffer. */
  get packed() {
    return this.#encoder.packed;
  }

  /** The number of events with invalid ids. */
  get meaningless() {
    return this.#encoder.faults.meaningless;
  }

  /** The stream's clock at the entry with this address, a bigint. */
  momentOf(entry) {
    return this.#encoder.momentOf(entry);
  }
  /** The same at the stream's last event. */
  get lastMoment() {
    return this.#encoder.lastMoment;
  }

  get openCount() {
    return this.#encoder.openCount;
  }

  openCalls() {
    return this.#encoder.openCalls();
  }
  /** Whether these are all. */
  get knowsCalls() {
    return this.#encoder.knowsCalls;
  }

  /** A start function begins, within `level` others; the number of calls that were open there. */
  noteStart(level) {
    this.#encoder.noteStart(level);
  }
  openAtStart(level) {
    return this.#encoder.openAtStart(level);
  }

  /** See EventEncoder. */
  get watchesTraps() {
    return this.#encoder.watchesTraps;
  }
  watchTraps() {
    this.#encoder.watchTraps();
  }
  noteLeft(count) {
    this.#encoder.noteLeft(count);
  }
  get leftCalls() {
    return this.#encoder.leftCalls;
  }
  addTwins(ids) {
    return this.#encoder.addTwins(ids);
  }
  meetTwins(number) {
    this.#encoder.meetTwins(number);
  }
  isOfTwins(id) {
    return this.#encoder.isOfTwins(id);
  }

  /** Packs events from `begin` up to `end`, or up to the next entry that is no event; returns where it stopped. */
  pack(begin, end, waits = true) {
    return this.#encoder.pack(begin, end, waits);
  }

  /** Another stack runs from this total fuel on. */
  pause(fuel) {
    this.#encoder.pause(fuel);
  }
  /** This stack runs again from this total fuel on. */
  proceed(fuel) {
    this.#encoder.proceed(fuel);
  }

  /** `count` events were lost at this time, or after the last one if that is later. `taken`: see EventEncoder. */
  lose(count, time, taken) {
    this.#encoder.lost(count, CAUSE.bufferFull, time, taken);
  }

  /** Leaves out `count` events; finish() records them as missing. */
  leaveOut(count) {
    this.#encoder.leftOut += count;
  }

  /** Writes the current block, if there is one. */
  finishBlock() {
    this.#encoder.finish();
  }

  /**
   * Records the missing events at the end of the stream, including those that could not be written. Returns how many
   * are missing for `cause`.
   */
  finish(cause) {
    const { leftOut: missing, unwritten } = this.#encoder;
    this.#openInTheEnd = this.openSections;
    // A block behind the last event needs no open calls.
    if (missing + unwritten > 0) this.#encoder.forgetCalls();
    if (missing > 0) this.#encoder.lost(missing, cause, 0);
    if (unwritten > 0) this.#encoder.lost(unwritten, CAUSE.writeFailed, 0);
    this.#encoder.leftOut = this.#encoder.unwritten = 0;
    this.#encoder.finish();
    return missing;
  }
}
