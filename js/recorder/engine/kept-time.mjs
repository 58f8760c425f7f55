// SPDX-License-Identifier: Apache-2.0
// The time of clock `thread`, which a thread of the recorder keeps writing into shared memories.
//
// A description is `{ buffer, at, end, origin }`: at byte `at` of the buffer are the milliseconds since `origin`, and 16
// bytes behind them one of STATE. With each new time the word at `end` is set to 0, which has the next event call the
// recorder. The recorder may overwrite the 0 at the same moment: then it learns of the next time only.

/** `ended` is set by the thread that recorded: nothing more is written there. */
export const STATE = { waiting: 0, running: 1, ended: 2 };

export const stateOf = ({ buffer, at }) => new Int32Array(buffer, at + 16, 1);

export const endTime = (description) => Atomics.store(stateOf(description), 0, STATE.ended);

// How often the time is written, in milliseconds: each time the recorder's thread has to fetch it
// from this thread's cache again, which takes as long as many events.
const STEP = 0.001;

/** How often the clock is read between two looks at what is wanted. */
const ROUNDS = 256;
/** How often the processor is told, before each, that this thread only waits: about a third of STEP in all. */
const PAUSES = 8;

// A thread that reads the clock without a pause slows down the program's, with which it may share a processor's parts.
const pause = () => {
  for (let i = 0; i < PAUSES; ++i) Atomics.pause?.();
};

/** One that is written by hand: for tests, too. */
export class KeptTime {
  #end;
  #state;
  #time;
  #offset;

  constructor(description) {
    const { buffer, at, end, origin } = description;
    this.#end = new Int32Array(buffer, end, 1);
    this.#time = new Float64Array(buffer, at, 1);
    this.#offset = performance.timeOrigin - origin;
    this.#state = stateOf(description);
    this.write(performance.now());
    Atomics.compareExchange(this.#state, 0, STATE.waiting, STATE.running);
    Atomics.notify(this.#state, 0);
  }

  write(now) {
    this.#time[0] = now + this.#offset;
    Atomics.store(this.#end, 0, 0);
  }

  get isWanted() {
    return Atomics.load(this.#state, 0) === STATE.running;
  }
}

/**
 * Keeps these times until all have ended. `more()` returns the descriptions requested since its last call. Other work of
 * this thread is done by `work(tick)`, which calls tick() often: only then does the time go on meanwhile.
 */
export function keepTime(descriptions, more = () => [], work = () => {}) {
  let kept = descriptions.map((description) => new KeptTime(description));
  let last = 0;
  const tick = () => {
    const now = performance.now();
    if (now - last < STEP) return;
    last = now;
    for (const time of kept) time.write(now);
  };
  while (kept.length > 0) {
    for (let i = 0; i < ROUNDS; ++i) {
      pause();
      tick();
    }
    work(tick);
    kept.push(...more().map((description) => new KeptTime(description)));
    kept = kept.filter(({ isWanted }) => isWanted);
  }
}
