// SPDX-License-Identifier: Apache-2.0
// createRecorder() of browsers.

import { openRecorder } from "./recorder.mjs";

const platform = {
  /** Threads of a browser have no number. */
  thread: 0,

  openFile() {
    throw new Error("there are no files here: give a sink, or take the record with blob()");
  },

  startKeeper(buffer, origin) {
    const worker = new Worker(new URL("./time-keeper.mjs", import.meta.url), { type: "module" });
    const ready = new Promise((resolve, reject) => {
      worker.onmessage = () => resolve();
      worker.onerror = (event) => reject(new Error(`the clock's worker failed: ${event.message}`));
    });
    worker.postMessage({ buffer, origin });
    return { ready, stop: () => worker.terminate() };
  },
};

export const createRecorder = (options = {}) => openRecorder(options, platform);
export { artifactsOf, orderDump } from "./artifacts.mjs";
export { hookWebAssembly } from "./hook.mjs";
