// SPDX-License-Identifier: Apache-2.0
// The thread that packs and writes what another one stores (drain.mjs), in Node.
//
// workerData: { description, sink, failures }: describeRecord() of thread-record.mjs, `shared` of the FileSink, and the port for
// the reason if it cannot write.

import { workerData } from "node:worker_threads";
import { DRAIN, DrainState } from "./drain-state.mjs";
import { EventBuffer } from "./event-buffer.mjs";
import { FileSink } from "./file-sink.mjs";
import { StreamMemory } from "./streams.mjs";
import { ThreadGate } from "./thread-gate.mjs";
import { ThreadRecord } from "./thread-record.mjs";

// It looks so often, in milliseconds, whether it is still wanted.
const PATIENCE = 1000;

class DrainedRecord extends ThreadRecord {
  #buffer;

  constructor(description, memory, sink) {
    super(description, memory, sink);
    // A thread that has tasks has no drain: there is one stack.
    const [stack] = this.streams;
    this.#buffer = new EventBuffer(this, stack, () => undefined, stack.hasFuel);
  }

  take() {
    const before = this.lost;
    this.#buffer.takeFilled();
    this.writer.lost += this.lost - before;
  }
}

const { description, sink, failures } = workerData;
const memory = new StreamMemory({ memory: description.memory });
const gate = new ThreadGate(memory.encoder);
const state = new DrainState(memory.encoder);

function begin() {
  if (state.value !== DRAIN.none) return undefined;
  const record = new DrainedRecord(description, memory, new FileSink({ shared: sink }));
  state.value = DRAIN.running;
  return record;
}

function take(record) {
  if (state.value !== DRAIN.running) return;
  record.take();
  state.counts = record.counts;
  if (record.error === undefined) return;
  failures.postMessage(record.error.reason ?? record.error.message);
  state.value = DRAIN.failed;
}

const record = gate.within(begin);
while (state.value === DRAIN.running) {
  memory.awaitFilled(PATIENCE);
  gate.within(() => take(record));
}
