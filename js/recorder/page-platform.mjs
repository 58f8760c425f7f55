// SPDX-License-Identifier: Apache-2.0
// The parts of a browser that recorder.mjs needs.

export const platform = {
  /** Threads of a browser have no number. */
  thread: 0,

  openFile() {
    throw new Error("there are no files here: give a sink, or take the record with blob()");
  },

  startKeeper(buffer, origin) {
    const worker = new PlainWorker(new URL("./time-keeper.mjs", import.meta.url), { type: "module" });
    const ready = new Promise((resolve, reject) => {
      worker.onmessage = () => resolve();
      worker.onerror = (event) => reject(new Error(`the clock's worker failed: ${event.message}`));
    });
    worker.postMessage({ buffer, origin });
    return { ready, stop: () => worker.terminate() };
  },
};

// The current one: the recorder's own workers do not belong to the program (page-workers.mjs).
const PlainWorker = globalThis.Worker;
