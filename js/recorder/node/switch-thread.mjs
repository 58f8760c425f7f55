// SPDX-License-Identifier: Apache-2.0
// The thread that switches recording in the others (switch-listener.mjs): in the main one, and in those that it started.
//
// workerData: { fd, answer, state, expression, source }: what to read, where the new state is told, and the memory of the process's (listenForSwitch), the
// function in a thread, and the name of the script that calls it.

import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { workerData } from "node:worker_threads";

/** Milliseconds until a thread is interrupted again, if it was in the recorder itself. */
const PATIENCE = 1;

const WISHES = ["on", "off", "toggle"];

const { fd, answer, state, expression, source } = workerData;
const socket = new Socket({ fd });
const session = new Session();
let isConnected = false;
/** What is wanted of each other thread of the program, by the inspector's name for it. */
const wishes = new Map();

const callOf = (wish) => ({ expression: `${expression}(${JSON.stringify(wish)})\n//# sourceURL=${source}` });
const post = (method, parameters) => new Promise((resolve) => session.post(method, parameters, (_, result) => resolve(result)));

function say(text) {
  try {
    writeSync(2, `warpo: ${text}\n`);
  } catch {
    // Nobody reads it: recording is switched all the same.
  }
}

function tell(state) {
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

/** Nothing waits for its answer: it may be in a call of the host for ever. */
function switchThread(sessionId) {
  const wish = wishes.get(sessionId);
  if (wish === undefined) return;
  const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params: callOf(wish) });
  void post("NodeWorker.sendMessageToWorker", { sessionId, message });
}

function hearThread({ sessionId, message }) {
  const state = JSON.parse(message).result?.result?.value;
  if (state === "busy") setTimeout(switchThread, PATIENCE, sessionId);
  else if (typeof state === "string") tell(state);
}

async function connect() {
  isConnected = true;
  session.connectToMainThread();
  session.on("NodeWorker.attachedToWorker", ({ params }) => wishes.set(params.sessionId, undefined));
  session.on("NodeWorker.detachedFromWorker", ({ params }) => wishes.delete(params.sessionId));
  session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => hearThread(params));
  await post("NodeWorker.enable", { waitForDebuggerOnStart: false });
}

// Whoever asked may be gone.
socket.on("error", () => {});
for await (const wish of createInterface({ input: socket })) {
  if (!WISHES.includes(wish)) {
    if (answer === "message") say(`WARPO_RECORDER_SWITCH: unknown line '${wish}', known are ${WISHES.join(", ")}`);
    continue;
  }
  if (!isConnected) await connect();
  // The main thread alone knows what `toggle` means, and may be long in answering.
  if (wish !== "toggle") {
    if (state !== undefined) Atomics.store(new Int32Array(state), 0, Number(wish === "on"));
    switchThreads(wish);
  }
  const answered = await switchMain(wish);
  if (answered === undefined) continue;
  tell(answered);
  if (wish === "toggle") switchThreads(answered);
}
