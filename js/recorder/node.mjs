// createRecorder() of Node.

import { isMainThread, Worker } from "node:worker_threads";
import { FileSink } from "./file-sink.mjs";
import { openRecorder } from "./recorder.mjs";

// How long a worker may take to start.
const PATIENCE = 5000;

const platform = {
  /** The operating system's number of the main thread; Node does not tell that of others. */
  thread: isMainThread ? process.pid : 0,

  openFile: (target) => new FileSink(target),

  startKeeper(buffer, origin) {
    const state = new Int32Array(buffer, 8, 1);
    // Without the options of this process: they may start a recorder in each worker.
    const worker = new Worker(new URL("./time-keeper.mjs", import.meta.url), {
      workerData: { buffer, origin },
      execArgv: [],
      env: {},
    });
    worker.unref();
    // The worker starts by itself, so it can be waited for here.
    if (Atomics.wait(state, 0, 0, PATIENCE) === "timed-out")
      throw new Error(`the clock's worker did not start within ${PATIENCE} ms`);
    const stop = () => Atomics.store(state, 0, 2);
    return { ready: Promise.resolve(), stop };
  },
};

export const createRecorder = (options = {}) => openRecorder(options, platform);
export { hookWebAssembly } from "./hook.mjs";
export { createWarpRecorder } from "./warp-recorder.mjs";
