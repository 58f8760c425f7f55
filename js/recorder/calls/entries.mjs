// SPDX-License-Identifier: Apache-2.0
// Reads entries as recorder.wat.in leaves them in memory: events, and what stands between them (ENTRY of marks.mjs).
//
// An entry is an id and a kind, of 32 bits each, and the clocks that the stream has. Other entries than events have a
// number in place of the id. With the clocks `none` and `thread`, without fuel, events are short: see encoder/streams.h.

import { ENTRY } from "./marks.mjs";

// As in encoder/streams.h.
const SHORT_EVENT_SIZE = 4;
const SHORT_MARK_SIZE = 12;
const ESCAPE = -0x8000_0000;
const FIRST_TIME = 0x3e00_0000;
const TIMES = 0x0500_0000;

export class Entries {
  eventSize;
  #memory;
  #isShort;
  #isMarked; // the times of short events stand in marks in front of them

  /** Those in `memory`, a StreamMemory, of a stream with this `clock`, where an event has this size in bytes. */
  constructor(memory, { isTime }, eventSize) {
    this.#memory = memory;
    this.eventSize = eventSize;
    this.#isShort = eventSize === SHORT_EVENT_SIZE;
    this.#isMarked = this.#isShort && isTime;
  }

  #wordAt(at) {
    return this.#memory.words[at / 4];
  }

  #isEscaped(at) {
    return this.#isShort && this.#wordAt(at) === ESCAPE;
  }

  sizeAt(at) {
    return this.#isEscaped(at) ? SHORT_MARK_SIZE : this.eventSize;
  }

  kindAt(at) {
    if (this.#isShort && !this.#isEscaped(at)) return ENTRY.event;
    const kind = this.#wordAt(at + 4);
    return this.#isMarked && kind >= FIRST_TIME && kind < FIRST_TIME + TIMES ? ENTRY.time : kind;
  }

  /** The id of an event. */
  idAt(at) {
    return this.#wordAt(at);
  }

  /** The number in an entry that is no event. */
  numberAt(at) {
    return this.#wordAt(this.#isShort ? at + 8 : at);
  }

  /** From here on events have the time of the mark that stands there. */
  noteTime(at) {
    this.#memory.time = new Float64Array(Int32Array.of(this.#wordAt(at + 8), this.#wordAt(at + 4)).buffer)[0];
  }

  /**
   * The words of an event, or as many of another entry: where there are clocks, those are among them. Short events have
   * their times, too.
   */
  copy(at) {
    if (!this.#isMarked) return this.#memory.words.slice(at / 4, (at + this.eventSize) / 4);
    const words = new Int32Array(4);
    words[0] = this.#wordAt(at);
    new Float64Array(words.buffer)[1] = this.#memory.time;
    return words;
  }

  /** Stores an event with this id and the clocks of a copy, as long as the copy; returns its end. */
  put(at, id, copy) {
    const { words } = this.#memory;
    words.set(copy, at / 4);
    words[at / 4] = id;
    if (copy.length > 1) words[at / 4 + 1] = ENTRY.event;
    return at + copy.byteLength;
  }
}
