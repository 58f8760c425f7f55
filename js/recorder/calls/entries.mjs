// SPDX-License-Identifier: Apache-2.0
// Reads entries as recorder.wat.in leaves them in memory: events, and what stands between them (ENTRY of marks.mjs).
//
// An entry is an id and a kind, of 32 bits each, and the clocks that the stream has. Other entries than events have a
// number in place of the id. Where there is no clock, an event is its id alone; other entries are then ESCAPE, which
// no event has as its id, the kind, and the number. Where the clock counts (`thread`), an event is its id and the lower
// half of the count; other entries are ESCAPE, the kind, the number, and behind 4 more bytes the clock's number.

import { millisecondsOf, numberNear } from "../engine/kept-time.mjs";
import { ENTRY } from "./marks.mjs";

const BARE_EVENT_SIZE = 4;
const COUNTED_EVENT_SIZE = 8;
// As in encoder/streams.c.
const ESCAPE = -0x8000_0000;
const BARE_MARK_SIZE = 12;
const COUNTED_MARK_SIZE = 24;

export class Entries {
  eventSize;
  /** Whether events have the lower halves of counts. */
  isCounted;
  #memory;
  #isShort; // other entries begin with ESCAPE

  /** Those in `memory`, a StreamMemory, where an event has this size in bytes. */
  constructor(memory, eventSize) {
    this.#memory = memory;
    this.eventSize = eventSize;
    this.isCounted = eventSize === COUNTED_EVENT_SIZE;
    this.#isShort = this.isCounted || eventSize === BARE_EVENT_SIZE;
  }

  /** Bytes of an entry that is no event. */
  get markSize() {
    return this.isCounted ? COUNTED_MARK_SIZE : this.#isShort ? BARE_MARK_SIZE : this.eventSize;
  }

  #wordAt(at) {
    return this.#memory.words[at / 4];
  }

  #isEscaped(at) {
    return this.#isShort && this.#wordAt(at) === ESCAPE;
  }

  sizeAt(at) {
    return this.#isEscaped(at) ? this.markSize : this.eventSize;
  }

  kindAt(at) {
    return this.#isShort && !this.#isEscaped(at) ? ENTRY.event : this.#wordAt(at + 4);
  }

  /** The id of an event. */
  idAt(at) {
    return this.#wordAt(at);
  }

  /** The number in an entry that is no event. */
  numberAt(at) {
    return this.#wordAt(this.#isShort ? at + 8 : at);
  }

  /** The entries behind this one are near it in time. */
  noteTime(at) {
    if (this.isCounted) this.#memory.base = this.#countAt(at);
  }

  /** The clock's number in an entry, which is near that of the memory's `base` if it is an event. */
  #countAt(at) {
    return this.#isEscaped(at) ? this.#memory.numbers[(at + 16) / 8] : numberNear(this.#memory.base, this.#wordAt(at + 4));
  }

  /**
   * The words of an event, or as many of another entry: where there are clocks, those are among them. Counts become
   * whole times, as events of other clocks have them.
   */
  copy(at) {
    if (this.isCounted) {
      const words = new Int32Array(4);
      words[0] = this.#wordAt(at);
      new Float64Array(words.buffer)[1] = millisecondsOf(this.#countAt(at));
      return words;
    }
    return this.#memory.words.slice(at / 4, (at + this.eventSize) / 4);
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
