// SPDX-License-Identifier: Apache-2.0
// The drain of a thread: another thread, which packs and writes the events that the first one stores. It is started
// when a half of the buffer is full for the first time. Until it runs, and after end(), which may be called at any
// time, the first thread packs and writes by itself: the whole state of packing is in shared memory.

import { DRAIN, DrainState } from "./drain-state.mjs";
import { hasRoomOnStack } from "../calls/stack-room.mjs";

// Depth of the stack, in small calls, that starting a thread may need; a stack overflow must not interrupt it.
const STACK_OF_START = 4096;

/**
 * Whether another thread can pack and write for a recorder with these options, if it can write into the sink. Not if
 * there is a limit, nor if fuel is the only clock: then the order of blocks must be the same in every run.
 */
export const mayDrain = ({ drain = true }, { startDrain }, { isRing, isLimited, clock }) =>
  drain && startDrain !== undefined && !isRing && !isLimited && !clock.isFuel;

export class Drain {
  #gate;
  #memory;
  #state;
  #start; // undefined where there is no drain, or none any more
  #startsLate;
  #thread; // once it has been started
  #onFailure;
  #onEnd;

  /**
   * `memory`: a StreamMemory that other threads see; `gate`: its ThreadGate. `start()` starts the thread, or throws; it
   * returns `{ failure }`, where `failure()` returns the error that kept the thread from writing; undefined: there is no
   * drain. `startsLate`: see expectEvents(). `onFailure(reason)` is called once it is known, `onEnd(counts)` with the
   * counts of the events that the drain took.
   */
  constructor(memory, gate, { start, startsLate, onFailure, onEnd }) {
    this.#memory = memory;
    this.#gate = gate;
    this.#state = new DrainState(memory.encoder);
    this.#start = start;
    this.#startsLate = startsLate;
    this.#onFailure = onFailure;
    this.#onEnd = onEnd;
  }

  /**
   * The buffer is open. In a page the thread is started now: workers start only when the page returns to its event loop,
   * and the program may never do so.
   */
  expectEvents() {
    if (this.#startsLate) this.#runs();
  }

  /** Called when a half is full: starts the thread if needed. Returns whether it takes full halves from now on. */
  takesOver() {
    this.#hearOfFailure();
    return this.#runs();
  }

  #runs() {
    if (this.#start === undefined) return false;
    if (this.#thread === undefined && hasRoomOnStack(STACK_OF_START)) this.#thread = this.#started();
    return this.#state.value === DRAIN.running;
  }

  #started() {
    try {
      return this.#start();
    } catch {
      // Without a thread, the caller packs and writes.
      return {};
    }
  }

  #hearOfFailure() {
    const isFailed = this.#start !== undefined && this.#state.value === DRAIN.failed;
    const reason = isFailed ? this.#thread.failure() : undefined;
    if (reason !== undefined) this.#onFailure(reason);
  }

  /** The number of events that a drain that has not ended has lost. */
  get lost() {
    return this.#start === undefined ? 0 : this.#state.lost;
  }
  /** The counts of the events that it took, likewise. */
  get counts() {
    return this.#start === undefined ? {} : this.#state.counts;
  }

  /** Ends the drain, if there is one: from now on the thread takes full halves by itself. */
  end() {
    if (this.#start === undefined) return;
    this.#gate.within(() => {
      if (this.#state.value !== DRAIN.failed) this.#state.value = DRAIN.ended;
    });
    this.#memory.wakeDrain();
    // First, as whoever is told of a failure may read counts, which those of the drain are part of until onEnd() adds
    // them. The recorder has stopped by then, so it fills no half that would be left to the drain.
    this.#hearOfFailure();
    const { counts } = this;
    this.#start = undefined;
    this.#onEnd(counts);
  }
}
