// SPDX-License-Identifier: Apache-2.0
// Lets a signal that `warpo record` has received end a program that stays in a call: Node hears signals only between
// calls, and what was recorded would be lost with the process.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as threads from "node:worker_threads";
import { isInRecorder, OF_INTERRUPT } from "../engine/engine-stack.mjs";
import { OF_ITS_OWN } from "./process-time.mjs";

// The current one: the recorder's own threads do not belong to the program (worker-hook.mjs).
const { Worker } = threads;

/** Key of the global symbol under which the thread finds the function to call here. */
const KEY = "warpo.signal";

/**
 * Starts a thread that waits for a file with the name of a signal in `folder` (see signal-thread.mjs). `finish(signal)`
 * is then called wherever the program is, except within the recorder, whose state may be half changed; it returns
 * whether the signal may end the process. To be called in the main thread.
 */
export function listenForSignals(folder, finish) {
  const endProgram = (signal, isLast) => {
    if (isInRecorder() && !isLast) return "busy";
    return finish(signal) ? "finished" : undefined;
  };
  Object.defineProperty(globalThis, Symbol.for(KEY), { value: endProgram, configurable: true });
  const workerData = { folder, expression: `globalThis[Symbol.for("${KEY}")]`, source: OF_INTERRUPT };
  try {
    // `warpo record` waits for the processes that listen.
    writeFileSync(join(folder, `${process.pid}.listens`), "");
    const worker = new Worker(new URL("./signal-thread.mjs", import.meta.url), { workerData, ...OF_ITS_OWN });
    // Signals are then heard between calls, as without it.
    worker.on("error", () => {});
    worker.unref();
  } catch {
    // Node's permissions forbid it.
  }
}
