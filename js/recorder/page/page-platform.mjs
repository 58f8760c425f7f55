// SPDX-License-Identifier: Apache-2.0
// The parts of a browser that recorder.mjs needs.

import { sharedMemory, SharedSink } from "../threads/shared-sink.mjs";

// Of addresses: as many bytes as a page's record may have.
const LARGEST = 2 ** 33;

// The current one: the recorder's own workers do not belong to the program (page-workers.mjs).
const PlainWorker = globalThis.Worker;

const start = (script) => new PlainWorker(script, { type: "module" });

/** Only threads that share memory can pack what another one stores. */
const drain = {
  openMemory() {
    try {
      return new SharedSink(sharedMemory(LARGEST));
    } catch {
      // Then the record grows without another thread.
      return undefined;
    }
  },
  startsThreadsLate: true,

  startDrain(description, sink, report) {
    try {
      const worker = start(new URL("../threads/drain-thread.mjs", import.meta.url));
      worker.onerror = (event) => {
        event.preventDefault();
        report(event.message ?? "the page's policy or the headers of the recorder's worker forbid it");
      };
      worker.postMessage({ description, sink });
    } catch (error) {
      report(error.message);
    }
    return { failure: () => "no memory" };
  },
};

export const platform = {
  /** Threads of a browser have no number. */
  thread: 0,

  openFile() {
    throw new Error("there are no files here: give a sink, or take the record with blob()");
  },

  startKeeper(description) {
    const worker = start(new URL("./time-keeper.mjs", import.meta.url));
    const ready = new Promise((resolve, reject) => {
      worker.onmessage = () => resolve();
      worker.onerror = (event) => reject(new Error(`the clock's worker failed: ${event.message}`));
    });
    worker.postMessage(description);
    return { ready, stop: () => worker.terminate() };
  },

  ...(SharedSink.isPossible && drain),
};
