// SPDX-License-Identifier: Apache-2.0
// The thread that switches recording in the main thread and in the threads that it started (see switch-listener.mjs).
//
// workerData: { fd, answer, state, expression, source }: the descriptor to read, where to answer, the memory of the
// ProcessSwitch (these as for listenForSwitch()), an expression for the function to call in each thread, and the name
// of the script that calls it.

import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { workerData } from "node:worker_threads";

/** Milliseconds to wait before interrupting a thread again that was in the recorder itself. */
const PATIENCE = 1;

const WISHES = ["on", "off", "toggle"];

const { fd, answer, state, expression, source } = workerData;
const socket = new Socket({ fd });
const session = new Session();
let isConnected = false;
/** The last request to each other thread of the program, by its inspector session id. */
const wishes = new Map();

const callOf = (wish) => ({ expression: `${expression}(${JSON.stringify(wish)})\n//# sourceURL=${source}` });
const post = (method, parameters) => new Promise((resolve) => session.post(method, parameters, (_, result) => resolve(result)));

function say(text) {
  try {
    writeSync(2, `warpo: ${text}\n`);
  } catch {
    // Standard error is closed. Recording is switched all the same.
  }
}

function report(state) {
  if (answer === "socket") socket.write(`${state}\n`);
  else if (answer === "message") say(`recording is ${state}`);
}

async function switchMain(wish) {
  for (;;) {
    const { result } = (await post("Runtime.evaluate", callOf(wish))) ?? {};
    if (result?.value !== "busy") return result?.value;
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
  }
}

function switchThreads(wish) {
  for (const sessionId of wishes.keys()) {
    wishes.set(sessionId, wish);
    switchThread(sessionId);
  }
}

/** Does not wait for the thread's answer, since it may stay in a call of the host forever. */
function switchThread(sessionId) {
  const wish = wishes.get(sessionId);
  if (wish === undefined) return;
  const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params: callOf(wish) });
  void post("NodeWorker.sendMessageToWorker", { sessionId, message });
}

function hearThread({ sessionId, message }) {
  const state = JSON.parse(message).result?.result?.value;
  if (state === "busy") setTimeout(switchThread, PATIENCE, sessionId);
  else if (typeof state === "string") report(state);
}

async function connect() {
  isConnected = true;
  session.connectToMainThread();
  session.on("NodeWorker.attachedToWorker", ({ params }) => wishes.set(params.sessionId, undefined));
  session.on("NodeWorker.detachedFromWorker", ({ params }) => wishes.delete(params.sessionId));
  session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => hearThread(params));
  await post("NodeWorker.enable", { waitForDebuggerOnStart: false });
}

// The other end may be closed already.
socket.on("error", () => {});
for await (const wish of createInterface({ input: socket })) {
  if (!WISHES.includes(wish)) {
    if (answer === "message") say(`WARPO_RECORDER_SWITCH: unknown line '${wish}', known are ${WISHES.join(", ")}`);
    continue;
  }
  if (!isConnected) await connect();
  // `toggle` depends on the main thread's state. For other requests do not wait for the main thread, which may be slow.
  if (wish !== "toggle") {
    if (state !== undefined) Atomics.store(new Int32Array(state), 0, Number(wish === "on"));
    switchThreads(wish);
  }
  const answered = await switchMain(wish);
  if (answered === undefined) continue;
  report(answered);
  if (wish === "toggle") switchThreads(answered);
}
