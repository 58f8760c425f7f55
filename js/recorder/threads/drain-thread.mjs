// SPDX-License-Identifier: Apache-2.0
// The thread that packs and writes what another one stores (drain.mjs).
//
// Message, in Node workerData: { description, sink }, the describeRecord() of thread-record.mjs and `shared` of the
// sink (in Node a FileSink, else a SharedSink); in Node also `failures`, the port on which to report why it cannot
// write.

import { DrainedThread } from "./drained-thread.mjs";
import { SharedSink } from "./shared-sink.mjs";

// It looks so often, in milliseconds, whether it is still wanted.
const PATIENCE = 1000;

function drain(thread) {
  while (thread.isRunning) {
    thread.awaitFilled(PATIENCE);
    thread.take();
  }
}

if (typeof WorkerGlobalScope !== "undefined") {
  globalThis.onmessage = ({ data: { description, sink } }) => {
    drain(new DrainedThread(description, new SharedSink(sink), () => {}));
    globalThis.close();
  };
} else {
  const { workerData } = await import("node:worker_threads");
  const { FileSink } = await import("../record/file-sink.mjs");
  const { description, sink, failures } = workerData;
  drain(new DrainedThread(description, new FileSink({ shared: sink }), (reason) => failures.postMessage(reason)));
}
