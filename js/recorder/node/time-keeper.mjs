// SPDX-License-Identifier: Apache-2.0
// The worker that keeps the time in Node (process-time.mjs), and drains the main thread if that asks for it. It sleeps
// while no thread needs the time.

import { workerData } from "node:worker_threads";
import { DrainedThread } from "../threads/drained-thread.mjs";
import { FileSink } from "../record/file-sink.mjs";
import { keepTime } from "../engine/kept-time.mjs";
import { TimeRequests } from "./process-time.mjs";

const requests = new TimeRequests(workerData);
let drained = [];

const fail = (reason) => workerData.failures.postMessage(reason);

function beginDrain({ description, sink }) {
  try {
    drained.push(new DrainedThread(description, new FileSink({ shared: sink }), fail));
  } catch {
    // That thread packs and writes by itself; the time is to go on.
  }
}

/** Returns the descriptions of times that have been requested since the last call. */
function accept() {
  const taken = requests.take();
  for (const { drain } of taken) if (drain) beginDrain(drain);
  return taken.flatMap(({ time }) => time ?? []);
}

function drain(tick) {
  for (const thread of drained) if (thread.hasFilled) thread.take(tick);
  drained = drained.filter(({ isRunning }) => isRunning);
}

for (;;) {
  requests.wait();
  keepTime(accept(), accept, drain);
}
