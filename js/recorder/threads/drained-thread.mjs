// SPDX-License-Identifier: Apache-2.0
// Packs and writes what another thread stores: the work of that thread's drain (drain.mjs).

import { DRAIN, DrainState } from "./drain-state.mjs";
import { EventBuffer } from "../calls/event-buffer.mjs";
import { StreamMemory } from "../calls/streams.mjs";
import { ThreadGate } from "./thread-gate.mjs";
import { ThreadRecord } from "./thread-record.mjs";

class DrainedRecord extends ThreadRecord {
  #buffer;

  constructor(description, memory, sink) {
    super(description, memory, sink);
    // A thread that has tasks has no drain: there is one stack.
    const [stack] = this.streams;
    this.#buffer = new EventBuffer(this, stack, () => undefined, stack.hasFuel);
  }

  take() {
    const before = this.counts.lost;
    try {
      this.#buffer.takeFilled();
    } catch (error) {
      this.error ??= error;
    }
    this.writer.lost += this.counts.lost - before;
  }
}

export class DrainedThread {
  #memory;
  #gate;
  #state;
  #record;
  #fail;

  /**
   * `description`: of describeRecord() (thread-record.mjs); `sink`: see RecordWriter; `fail(reason)` is called if it cannot be
   * written.
   */
  constructor(description, sink, fail) {
    this.#memory = new StreamMemory({ memory: description.memory });
    this.#gate = new ThreadGate(this.#memory.encoder);
    this.#state = new DrainState(this.#memory.encoder);
    this.#fail = fail;
    this.#gate.within(() => {
      if (this.#state.value !== DRAIN.none) return;
      this.#record = new DrainedRecord(description, this.#memory, sink);
      this.#state.value = DRAIN.running;
    });
  }

  /** Whether it takes full halves. */
  get isRunning() {
    return this.#state.value === DRAIN.running;
  }

  get hasFilled() {
    return this.#memory.filled !== 0;
  }

  /** Waits for a full half, or for the end, at most `patience` milliseconds. */
  awaitFilled(patience) {
    this.#memory.awaitFilled(patience);
  }

  /** Takes a full half, if there is one. `between()` is called after each few events. */
  take(between) {
    this.#gate.within(() => {
      if (!this.isRunning) return;
      this.#record.between = between;
      this.#record.take();
      this.#state.counts = this.#record.counts;
      const { error } = this.#record;
      if (error === undefined) return;
      this.#fail(error.reason ?? error.message);
      this.#state.value = DRAIN.failed;
    });
  }
}
