// SPDX-License-Identifier: Apache-2.0
// The parts of Node that a recorder needs.

import { readlinkSync } from "node:fs";
import * as threads from "node:worker_threads";
import { FileSink } from "../record/file-sink.mjs";

const { isMainThread, MessageChannel, receiveMessageOnPort } = threads;
// The current one: the recorder's own threads do not belong to the program (worker-hook.mjs).
const { Worker } = threads;

// Without the options of this process: they may start a recorder in each worker. Nor does it write to the program's streams.
const OF_ITS_OWN = { execArgv: [], env: {}, stdout: true, stderr: true };

// What a worker does first: the thread that waits for it hears of a failure at once, not by an event.
const STARTER = `
  const { workerData: { script, failures, buffer, at } } = require("node:worker_threads");
  import(script).catch((error) => {
    failures.postMessage(error.message);
    const state = new Int32Array(buffer, at + 8, 1);
    Atomics.store(state, 0, 3);
    Atomics.notify(state, 0);
  });
`;

/** The operating system's number of a thread that is not the main one; 0 where only Linux would tell. */
function numberOfThread() {
  try {
    return Number(/\d+$/.exec(readlinkSync("/proc/thread-self"))[0]);
  } catch {
    return 0;
  }
}

export const platform = {
  thread: isMainThread ? process.pid : numberOfThread(),
  worker: threads.threadId,

  openFile: (target) => new FileSink(target),

  startKeeper(buffer, at, origin) {
    const state = new Int32Array(buffer, at + 8, 1);
    const { port1: failure, port2: failures } = new MessageChannel();
    const worker = new Worker(STARTER, {
      eval: true,
      workerData: { script: new URL("../threads/time-keeper.mjs", import.meta.url).href, failures, buffer, at, origin },
      transferList: [failures],
      ...OF_ITS_OWN,
    });
    worker.unref();
    // The worker starts by itself, so it can be waited for here, as long as a busy machine takes.
    Atomics.wait(state, 0, 0);
    const failed = receiveMessageOnPort(failure);
    failure.close();
    if (failed !== undefined) throw new Error(`the clock's worker failed: ${failed.message}`);
    const stop = () => Atomics.store(state, 0, 2);
    return { ready: Promise.resolve(), stop };
  },

  startDrain(description, sink) {
    const { port1, port2: failures } = new MessageChannel();
    const worker = new Worker(new URL("../threads/drain-thread.mjs", import.meta.url), {
      workerData: { description, sink, failures },
      transferList: [failures],
      ...OF_ITS_OWN,
    });
    // The program goes on without it.
    worker.on("error", () => {});
    worker.unref();
    return { failure: () => receiveMessageOnPort(port1)?.message };
  },

  startSwitch(workerData, report) {
    const worker = new Worker(new URL("./switch-thread.mjs", import.meta.url), { workerData, ...OF_ITS_OWN });
    worker.on("error", (error) => report(`recording cannot be switched any more: ${error.message}`));
    worker.unref();
  },
};
