// SPDX-License-Identifier: Apache-2.0
// Which thread may use the memory of a thread's recorder: the thread itself, its drain (drain.mjs), or the one that
// finishes its record after its end or at the process's end. Storing an event needs no gate; packing and writing do.

import { awaitChange } from "../engine/waiting.mjs";

const FREE = 0;
const BUSY = 1; // the thread, or its drain, works in it
const TAKEN = 2; // the thread's record is finished by another one
const CLOSED = 3; // the thread has finished its record by itself

/** As long as a write may take that is to be waited for, in milliseconds. */
export const PATIENCE = 1000;

export class ThreadGate {
  #encoder;
  #words;
  #at;
  #depth = 0;

  /** `encoder`: the RecordEncoder of the memory. */
  constructor(encoder) {
    this.#encoder = encoder;
    this.#words = new Int32Array(encoder.memory.buffer);
    this.#at = encoder.calls.gate() / 4;
  }

  /** Does the work of the thread or of its drain; a nested call counts as part of the outer one. */
  within(action) {
    if (this.#depth++ === 0) this.#enter();
    try {
      return action();
    } finally {
      if (--this.#depth === 0) this.#leave(FREE);
    }
  }

  #enter() {
    for (;;) {
      const state = Atomics.compareExchange(this.#words, this.#at, FREE, BUSY);
      if (state === FREE || state === CLOSED) break;
      // The other one works; or the process ends, or this thread does: that is waited for for ever.
      awaitChange(this.#words, this.#at, state, Infinity);
    }
    this.#encoder.refresh();
  }

  #leave(state) {
    const before = Atomics.compareExchange(this.#words, this.#at, BUSY, state);
    Atomics.notify(this.#words, this.#at);
    if (before === TAKEN) Atomics.wait(this.#words, this.#at, TAKEN);
  }

  /** For the thread itself, when its record is complete and no other thread works in the memory any more. */
  close() {
    if (this.#depth === 0) this.#enter();
    this.#leave(CLOSED);
  }

  /**
   * For another thread: takes the memory; false if its thread has finished by itself. `patience`: how many milliseconds
   * it may take to complete its current work, which a thread that has ended never does.
   */
  take(patience) {
    const deadline = Date.now() + patience;
    for (;;) {
      const state = Atomics.load(this.#words, this.#at);
      if (state === CLOSED || state === TAKEN) return false;
      if (state === BUSY && Date.now() < deadline) {
        awaitChange(this.#words, this.#at, BUSY, 10);
        continue;
      }
      if (Atomics.compareExchange(this.#words, this.#at, state, TAKEN) === state) return true;
    }
  }

  /** For the thread that has taken the memory: the other one goes on there, for itself alone. */
  release() {
    Atomics.store(this.#words, this.#at, CLOSED);
    Atomics.notify(this.#words, this.#at);
  }
}
