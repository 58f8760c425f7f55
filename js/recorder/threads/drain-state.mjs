// SPDX-License-Identifier: Apache-2.0
// The state shared by a thread and its drain (drain.mjs, drained-thread.mjs), in shared memory: `drain` of
// encoder/thread.c.

/** Whether there is a drain. It changes while the gate (thread-gate.mjs) is held. */
export const DRAIN = {
  none: 0,
  /** It takes full halves. */
  running: 1,
  /** It could not write, and takes no more halves. */
  failed: 2,
  /** The thread takes full halves by itself. */
  ended: 3,
};

const COUNTS = ["written", "lostToBuffer", "lostToFailure", "meaningless"];

export class DrainState {
  #words;
  #at;
  #counts;

  /** `encoder`: the RecordEncoder of the memory. */
  constructor(encoder) {
    const { buffer } = encoder.memory;
    const at = encoder.calls.drain();
    this.#counts = new Float64Array(buffer, at, COUNTS.length);
    this.#words = new Int32Array(buffer);
    this.#at = (at + this.#counts.byteLength) / 4;
  }

  get value() {
    return Atomics.load(this.#words, this.#at);
  }
  set value(state) {
    Atomics.store(this.#words, this.#at, state);
  }

  /** The sum of its counts except the first one, of written events. */
  get lost() {
    const counts = this.#counts;
    return counts[1] + counts[2] + counts[3];
  }
  /** The counts of the events that the drain took, as RecorderCounts. */
  get counts() {
    return Object.fromEntries(COUNTS.map((name, i) => [name, this.#counts[i]]));
  }
  set counts(counts) {
    this.#counts.set(COUNTS.map((name) => counts[name]));
  }
}
