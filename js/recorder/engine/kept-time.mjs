// SPDX-License-Identifier: Apache-2.0
// The time of clock `thread`, which a thread of the recorder keeps writing into shared memories.
//
// A description is `{ buffer, at, end, origin }`: at byte `at` of the buffer is the time since `origin`, 8 bytes behind it
// one of STATE, and 16 bytes behind it the time for which a mark was requested last. A time is a float of 2^52 and a count
// of 16 ns, so that the lower half of its bits is that of the count, and reading and writing it is one access. Events have
// that half alone: at times, and before the time goes on from a gap, the word at `end` is set to 0, which has the next
// event call the recorder for a mark of the whole time. The request stays until the time has come for which it is.

/** `ended` is set by the thread that recorded: nothing more is written there. */
export const STATE = { waiting: 0, running: 1, ended: 2 };

export const stateOf = ({ buffer, at }) => new Int32Array(buffer, at + 8, 1);

export const endTime = (description) => Atomics.store(stateOf(description), 0, STATE.ended);

// How often the time is written, in milliseconds: each time the recorder's thread has to fetch it
// from this thread's cache again, which takes as long as many events.
const STEP = 0.001;

/** How often the clock is read between two looks at what is wanted. */
const ROUNDS = 1024;

/** How often marks are requested, in milliseconds: of two events so far apart, the half still says which was first. */
const MARKS = 4000;

const BIAS = 2 ** 52;
const PER_MILLISECOND = 62_500;

/** The clock's number of a time in milliseconds; and the reverse. */
export const numberOf = (milliseconds) => BIAS + Math.floor(milliseconds * PER_MILLISECOND);
export const millisecondsOf = (number) => (number - BIAS) / PER_MILLISECOND;

/** The number near `base` whose lower half is this. */
export const numberNear = (base, half) => base + ((half - (base % 2 ** 32)) | 0);

/** One that is written by hand: for tests, too. */
export class KeptTime {
  #end;
  #marked = 0;
  #state;
  #times;
  #offset;

  constructor(description) {
    const { buffer, at, end, origin } = description;
    this.#end = new Int32Array(buffer, end, 1);
    this.#times = new Float64Array(buffer, at, 3);
    this.#offset = performance.timeOrigin - origin;
    this.#state = stateOf(description);
    this.write(performance.now());
    Atomics.compareExchange(this.#state, 0, STATE.waiting, STATE.running);
    Atomics.notify(this.#state, 0);
  }

  write(now) {
    const number = numberOf(now + this.#offset);
    if (now >= this.#marked) this.#requestMark(now, number);
    this.#times[0] = number;
  }

  #requestMark(now, number) {
    this.#marked = now + MARKS;
    this.#times[2] = number;
    Atomics.store(this.#end, 0, 0);
  }

  get isWanted() {
    return Atomics.load(this.#state, 0) === STATE.running;
  }
}

/** Keeps these times until all have ended. `more()` returns the descriptions requested since its last call. */
export function keepTime(descriptions, more = () => []) {
  let kept = descriptions.map((description) => new KeptTime(description));
  let last = 0;
  while (kept.length > 0) {
    for (let i = 0; i < ROUNDS; ++i) {
      const now = performance.now();
      if (now - last < STEP) continue;
      last = now;
      for (const time of kept) time.write(now);
    }
    kept.push(...more().map((description) => new KeptTime(description)));
    kept = kept.filter(({ isWanted }) => isWanted);
  }
}
