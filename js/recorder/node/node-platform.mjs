// SPDX-License-Identifier: Apache-2.0
// The parts of Node that a recorder needs.

import { readlinkSync } from "node:fs";
import * as threads from "node:worker_threads";
import { FileSink } from "../record/file-sink.mjs";
import { keeperDrains, OF_ITS_OWN, startKeeper, timeOfProcess } from "./process-time.mjs";

const { isMainThread, MessageChannel, receiveMessageOnPort } = threads;
// The current one: the recorder's own threads do not belong to the program (worker-hook.mjs).
const { Worker } = threads;

/** The operating system's number of a thread other than the main one; 0 if it is unknown, as outside of Linux. */
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

  startKeeper,

  startDrain(description, sink) {
    // A write to a pipe may wait for its reader, and the time of all threads with it.
    if (keeperDrains && sink.hasPlaces && description.clock.name === "thread") return timeOfProcess.drain(description, sink);
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
