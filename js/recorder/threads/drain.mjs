// SPDX-License-Identifier: Apache-2.0
// The drain of a thread: another thread, which packs and writes what the first one stores. It is started when there is something to
// do, and until it runs the thread does that by itself. So it does again as soon as it ends the drain, which it may at any time:
// whoever takes a half of the buffer finds in memory all that is needed for it.

import { DRAIN, DrainState } from "./drain-state.mjs";
import { hasRoomOnStack } from "../calls/stack-room.mjs";

// Starting a thread uses less of the stack than so many small functions, and must not end in the middle.
const STACK_OF_START = 4096;

export class Drain {
  #gate;
  #memory;
  #state;
  #start;
  #thread; // once it has been started

  /**
   * For the memory `memory`, a StreamMemory that other threads see, and its gate. `start()` starts the thread, or throws; it returns
   * `failure()`, which says why the thread could not write.
   */
  constructor(memory, gate, start) {
    this.#memory = memory;
    this.#gate = gate;
    this.#state = new DrainState(memory.encoder);
    this.#start = start;
  }

  /** Whether it takes what is full from now on. Something was: so it is started, unless it has been. */
  runs() {
    if (this.#thread === undefined && hasRoomOnStack(STACK_OF_START)) this.#thread = this.#started();
    return this.#state.value === DRAIN.running;
  }

  #started() {
    try {
      return this.#start();
    } catch {
      // Where there can be no thread all goes on without it.
      return {};
    }
  }

  /** The error that kept it from writing; undefined if there was none. */
  get failure() {
    return this.#state.value === DRAIN.failed ? this.#thread.failure() : undefined;
  }

  /** How many of the events are lost. */
  get lost() {
    return this.#state.lost;
  }
  get counts() {
    return this.#state.counts;
  }

  /** When this returns, the drain takes nothing more. */
  end() {
    this.#gate.within(() => {
      if (this.#state.value !== DRAIN.failed) this.#state.value = DRAIN.ended;
    });
    this.#memory.wakeDrain();
  }
}
