// SPDX-License-Identifier: Apache-2.0
// Reads entries as recorder.wat.in leaves them in memory: events, and what stands between them (ENTRY of marks.mjs).
//
// An entry is an id and a kind, of 32 bits each, and the clocks that the stream has. Other entries than events have a
// number in place of the id. Where there is no clock, an event is its id alone; other entries are then ESCAPE, which
// no event has as its id, the kind, and the number.

import { ENTRY } from "./marks.mjs";

const BARE_EVENT_SIZE = 4;
// As in encoder/streams.c.
const ESCAPE = -0x8000_0000;
const ESCAPED_SIZE = 12;

export class Entries {
  eventSize;
  #memory;
  #isBare;

  /** Those in `memory`, a StreamMemory, where an event has this size in bytes. */
  constructor(memory, eventSize) {
    this.#memory = memory;
    this.eventSize = eventSize;
    this.#isBare = eventSize === BARE_EVENT_SIZE;
  }

  #wordAt(at) {
    return this.#memory.words[at / 4];
  }

  #isEscaped(at) {
    return this.#isBare && this.#wordAt(at) === ESCAPE;
  }

  sizeAt(at) {
    return this.#isEscaped(at) ? ESCAPED_SIZE : this.eventSize;
  }

  kindAt(at) {
    return this.#isBare && !this.#isEscaped(at) ? ENTRY.event : this.#wordAt(at + 4);
  }

  /** The id of an event. */
  idAt(at) {
    return this.#wordAt(at);
  }

  /** The number in an entry that is no event. */
  numberAt(at) {
    return this.#wordAt(this.#isBare ? at + 8 : at);
  }

  /** The words of an event, or as many of another entry: where there are clocks, those are among them. */
  copy(at) {
    return this.#memory.words.slice(at / 4, (at + this.eventSize) / 4);
  }

  /** Stores an event with this id and the clocks of a copy. */
  put(at, id, copy) {
    const { words } = this.#memory;
    words.set(copy, at / 4);
    words[at / 4] = id;
    if (!this.#isBare) words[at / 4 + 1] = ENTRY.event;
  }
}
