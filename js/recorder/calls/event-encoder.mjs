// SPDX-License-Identifier: Apache-2.0
// Packs the events of one stream, as recorder.wat.in leaves them in memory, into blocks.

import { wide } from "../record/record-encoder.mjs";

/** Which clock events have, as encoder/streams.h says it. */
const formOf = ({ isTime, isFuel, isMarked }, hasFuel) => (isMarked && !hasFuel ? 3 : isTime ? 0 : isFuel ? 1 : 2);

/**
 * Makes a stream with this number in `encoder`. `clock`: one of clocks.mjs; `hasFuel`: events also have fuel. Throws
 * RangeError without memory.
 */
export const newStream = (encoder, number, clock, hasFuel) =>
  encoder.made(encoder.calls.newStream(wide(number), formOf(clock, hasFuel), Number(hasFuel)));

export class EventEncoder {
  #encoder;
  #stream;
  #emit;

  /**
   * `encoder` has the memory of the events, `stream` is the result of newStream() for it. `emit(block, events)` gets
   * each FinishedBlock; its bytes are reused afterwards.
   */
  constructor(encoder, stream, emit) {
    this.#encoder = encoder;
    this.#emit = emit;
    this.#stream = stream;
  }

  /** What encoder/streams.c calls the stream: for the index. */
  get pointer() {
    return this.#stream;
  }

  /** Whether events have fuel beside another clock. */
  get hasFuel() {
    return this.#encoder.calls.hasFuel(this.#stream) !== 0;
  }

  /** Bytes of an event, as it waits. */
  get eventSize() {
    return this.#encoder.calls.eventSize(this.#stream);
  }

  /**
   * Packs events from one address up to another, or to a loss that stands there; returns how far it came. `waits`: they
   * are in the buffer; else there is one, with its time.
   */
  pack(begin, end, waits) {
    const { calls } = this.#encoder;
    let at = begin;
    for (let isFull = true; isFull;) {
      at = calls.pack(this.#stream, at, end, waits) >>> 0;
      isFull = this.#finishFull();
    }
    return at;
  }

  #finishFull() {
    const isFull = this.#encoder.calls.isFull(this.#stream) !== 0;
    if (isFull) this.finish();
    return isFull;
  }

  /**
   * `count` events are missing at this time, or after the last event if that is later. `taken`: the address in the
   * buffer up to which this accounts for events.
   */
  lost(count, cause, time, taken = 0) {
    this.#encoder.calls.lose(this.#stream, time, count, cause, taken);
    this.#finishFull();
  }

  /** How many events have been packed from the buffer. */
  get packed() {
    return this.#encoder.calls.packed(this.#stream);
  }

  /** Events that were taken from the buffer and not kept; and since they could not be written. */
  get leftOut() {
    return this.#encoder.calls.leftOut(this.#stream);
  }
  set leftOut(count) {
    this.#encoder.calls.setLeftOut(this.#stream, count);
  }
  get unwritten() {
    return this.#encoder.calls.unwritten(this.#stream);
  }
  set unwritten(count) {
    this.#encoder.calls.setUnwritten(this.#stream, count);
  }

  /** From here on the open calls are unknown. */
  forgetCalls() {
    this.#encoder.calls.forgetCalls(this.#stream);
  }

  /** Hands out the block that has been begun. */
  finish() {
    const { calls } = this.#encoder;
    const size = calls.finishEvents(this.#stream);
    if (size === 0) return;
    const block = this.#encoder.finished(calls.eventsBlock(this.#stream), size);
    this.#emit(block, calls.eventCount(this.#stream));
    calls.discard(this.#stream);
  }

  /** Sections that are open as far as is known. */
  get openSections() {
    return this.#encoder.calls.openSections(this.#stream);
  }

  /** Another stack runs where all have burnt so much fuel; or this one runs again. */
  pause(fuel) {
    this.#encoder.calls.pause(this.#stream, fuel);
  }
  proceed(fuel) {
    this.#encoder.calls.proceed(this.#stream, fuel);
  }

  /** The value of its clock at an entry, a bigint. */
  momentOf(entry) {
    return this.#encoder.calls.moment(this.#stream, entry);
  }
  /** The same at its last event. */
  get lastMoment() {
    return this.#encoder.calls.lastMoment(this.#stream);
  }

  get openCount() {
    return this.#encoder.calls.openCount(this.#stream);
  }

  /** Whether these are all. */
  get knowsCalls() {
    return this.#encoder.calls.knowsCalls(this.#stream) !== 0;
  }
  /** The ids of the calls that are open as far as is known, outermost first. */
  openCalls() {
    const { calls, memory } = this.#encoder;
    const count = calls.openCount(this.#stream);
    return [...new Int32Array(memory.buffer, calls.openCalls(this.#stream) >>> 0, count)];
  }

  /** A start function begins, within `level` others. */
  noteStart(level) {
    this.#encoder.calls.noteStart(this.#stream, level);
  }
  /** The number of calls that were open there. */
  openAtStart(level) {
    return this.#encoder.calls.openAtStart(this.#stream, level);
  }

  /** Whether readers might attribute a trap that a module of the thread reports to another call. */
  get watchesTraps() {
    return this.#encoder.calls.watchesTraps(this.#stream) !== 0;
  }
  watchTraps() {
    this.#encoder.calls.watchTraps(this.#stream);
  }
  /** Adds calls that were still open at rest. */
  noteLeft(count) {
    this.#encoder.calls.noteLeft(this.#stream, count);
  }
  get leftCalls() {
    return this.#encoder.calls.leftCalls(this.#stream) >>> 0;
  }

  /** A module of which the thread has several instances: see streams.c. */
  addTwins({ first, count }) {
    return this.#encoder.calls.addTwins(this.#stream, first, count);
  }
  meetTwins(number) {
    this.#encoder.calls.meetTwins(this.#stream, number);
  }
  isOfTwins(id) {
    return this.#encoder.calls.isOfTwins(this.#stream, id) !== 0;
  }

  /** Ends of sections that were left out, sections that ended with their function, and ids that no function has. */
  get faults() {
    const { unmatchedSectionEnds, unendedSections, meaningless } = this.#encoder.calls;
    return {
      unmatchedSectionEnds: unmatchedSectionEnds(this.#stream),
      unendedSections: unendedSections(this.#stream),
      meaningless: meaningless(this.#stream),
    };
  }
}
