// SPDX-License-Identifier: Apache-2.0
// The thread that packs and writes what another one stores (drain.mjs).
//
// Message, in Node workerData: { description, sink }, the describeRecord() of thread-record.mjs and `shared` of the
// sink (in Node a FileSink, else a SharedSink); in Node also `failures`, the port on which to report why it cannot
// write.

import { DRAIN, DrainState } from "./drain-state.mjs";
import { EventBuffer } from "../calls/event-buffer.mjs";
import { SharedSink } from "./shared-sink.mjs";
import { StreamMemory } from "../calls/streams.mjs";
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

function take(record, state, fail) {
  if (state.value !== DRAIN.running) return;
  record.take();
  state.counts = record.counts;
  if (record.error === undefined) return;
  fail(record.error.reason ?? record.error.message);
  state.value = DRAIN.failed;
}

/** Packs until the drain is ended; calls `fail(reason)` if it cannot write. */
function drain(description, sink, fail) {
  const memory = new StreamMemory({ memory: description.memory });
  const gate = new ThreadGate(memory.encoder);
  const state = new DrainState(memory.encoder);
  const record = gate.within(() => {
    if (state.value !== DRAIN.none) return undefined;
    const begun = new DrainedRecord(description, memory, sink);
    state.value = DRAIN.running;
    return begun;
  });
  while (state.value === DRAIN.running) {
    memory.awaitFilled(PATIENCE);
    gate.within(() => take(record, state, fail));
  }
}

if (typeof WorkerGlobalScope !== "undefined") {
  globalThis.onmessage = ({ data: { description, sink } }) => {
    drain(description, new SharedSink(sink), () => {});
    globalThis.close();
  };
} else {
  const { workerData } = await import("node:worker_threads");
  const { FileSink } = await import("../record/file-sink.mjs");
  const { description, sink, failures } = workerData;
  drain(description, new FileSink({ shared: sink }), (reason) => failures.postMessage(reason));
}
