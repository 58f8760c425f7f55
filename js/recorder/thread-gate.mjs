// SPDX-License-Identifier: Apache-2.0
// Who may work in the memory of a thread's recorder: the thread itself, or who finishes its record after it has ended or while
// the process ends. Storing an event needs no gate; packing and writing do.

const FREE = 0;
const BUSY = 1; // the thread works in it
const TAKEN = 2; // the thread's record is finished by another one
const CLOSED = 3; // the thread has finished its record by itself

/** As long as a write may take that is to be waited for, in milliseconds. */
const PATIENCE = 1000;

export class ThreadGate {
  #words;
  #at;
  #depth = 0;

  /** `encoder`: the RecordEncoder of the memory. */
  constructor(encoder) {
    this.#words = new Int32Array(encoder.memory.buffer);
    this.#at = encoder.calls.gate() / 4;
  }

  /** Does the thread's own work; a call within another is none of its own. */
  within(action) {
    if (this.#depth++ === 0) this.#change(FREE, BUSY);
    try {
      return action();
    } finally {
      if (--this.#depth === 0) this.#change(BUSY, FREE);
    }
  }

  #change(from, to) {
    const before = Atomics.compareExchange(this.#words, this.#at, from, to);
    Atomics.notify(this.#words, this.#at);
    // The process ends, or this thread does.
    if (before === TAKEN) Atomics.wait(this.#words, this.#at, TAKEN);
  }

  /** For the thread itself, when its record is complete. */
  close() {
    this.#change(this.#depth > 0 ? BUSY : FREE, CLOSED);
  }

  /**
   * For another thread: takes the memory; false if its thread has finished by itself. `hasEnded`: what it was doing then is
   * never completed.
   */
  take(hasEnded) {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const state = Atomics.load(this.#words, this.#at);
      if (state === CLOSED || state === TAKEN) return false;
      if (state === BUSY && !hasEnded && Date.now() < deadline) {
        Atomics.wait(this.#words, this.#at, BUSY, 10);
        continue;
      }
      if (Atomics.compareExchange(this.#words, this.#at, state, TAKEN) === state) return true;
    }
  }
}
