// SPDX-License-Identifier: Apache-2.0
// The drain of a thread: another thread, which packs and writes the events that the first one stores. It is started
// when a half of the buffer is full for the first time. Until it runs, and after end(), which may be called at any
// time, the first thread packs and writes by itself: the whole state of packing is in shared memory.

import { DRAIN, DrainState } from "./drain-state.mjs";
import { hasRoomOnStack } from "../calls/stack-room.mjs";

// Depth of the stack, in small calls, that starting a thread may need; a stack overflow must not interrupt it.
const STACK_OF_START = 4096;

export class Drain {
  #gate;
  #memory;
  #state;
  #start;
  #thread; // once it has been started

  /**
   * `memory`: a StreamMemory that other threads see; `gate`: its ThreadGate. `start()` starts the thread, or throws; it
   * returns `{ failure }`, where `failure()` returns the error that kept the thread from writing.
   */
  constructor(memory, gate, start) {
    this.#memory = memory;
    this.#gate = gate;
    this.#state = new DrainState(memory.encoder);
    this.#start = start;
  }

  /** Called when a half is full: starts the thread if needed. Returns whether it takes full halves from now on. */
  runs() {
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

  /** The error that kept it from writing; undefined if there was none. */
  get failure() {
    return this.#state.value === DRAIN.failed ? this.#thread.failure() : undefined;
  }

  /** The number of events that the drain has lost. */
  get lost() {
    return this.#state.lost;
  }
  get counts() {
    return this.#state.counts;
  }

  /** Ends the drain; when this returns, it takes no more halves. */
  end() {
    this.#gate.within(() => {
      if (this.#state.value !== DRAIN.failed) this.#state.value = DRAIN.ended;
    });
    this.#memory.wakeDrain();
  }
}
