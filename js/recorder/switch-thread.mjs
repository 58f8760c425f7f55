// SPDX-License-Identifier: Apache-2.0
// The thread that switches recording in the main one (switch-listener.mjs).
//
// workerData: { fd, answer, expression, source }: what to read and where the new state is told (listenForSwitch), the function in the main thread, and the
// name of the script that calls it.

import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { workerData } from "node:worker_threads";

/** Milliseconds until the main thread is interrupted again, if it was in the recorder itself. */
const PATIENCE = 1;

const { fd, answer, expression, source } = workerData;
let session;

function evaluate(code) {
  if (session === undefined) {
    session = new Session();
    session.connectToMainThread();
  }
  return new Promise((resolve) => session.post("Runtime.evaluate", { expression: code }, (_, answer) => resolve(answer?.result?.value)));
}

async function switchTo(wish) {
  const code = `${expression}(${JSON.stringify(wish)})\n//# sourceURL=${source}`;
  for (;;) {
    const state = await evaluate(code);
    if (state !== "busy") return state;
    await setTimeout(PATIENCE);
  }
}

const socket = new Socket({ fd });
// Whoever asked may be gone.
socket.on("error", () => {});
for await (const wish of createInterface({ input: socket })) {
  const state = await switchTo(wish);
  if (state === undefined) continue;
  if (answer === "socket") socket.write(`${state}\n`);
  else if (answer === "message") writeSync(2, `warpo: recording is ${state}\n`);
}
