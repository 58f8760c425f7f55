// SPDX-License-Identifier: Apache-2.0
// The thread that has V8 interrupt the main thread when `warpo record` has received a signal (see signal-listener.mjs).
//
// workerData: { folder, expression, source }: the folder in which `warpo record` creates a file for each signal, an
// expression for the function to call in the main thread, and the name of the script that calls it. The file's name is
// `<receiver>.<signal>`; the receiver is a process or, if negative, a process group, as for kill(2).

import { readdirSync, readFileSync, watch } from "node:fs";
import { Session } from "node:inspector";
import { setTimeout } from "node:timers/promises";
import { workerData } from "node:worker_threads";

/** Milliseconds in which the main thread may hear the signal itself, between calls. */
const GRACE = 250;
/** How often the main thread is interrupted at most, a millisecond apart, while it is in the recorder. */
const TRIES = 2000;

const { folder, expression, source } = workerData;

/** The number of this process's group; undefined if it is unknown, as outside of Linux. */
function processGroup() {
  try {
    // The name of the program, in parentheses, may contain anything.
    return Number(/^.*\) \S+ \S+ (\d+)/s.exec(readFileSync("/proc/self/stat", "latin1"))?.[1]);
  } catch {
    return undefined;
  }
}

const isForUs = (receiver) => receiver === process.pid || receiver === -processGroup();

async function endProgram(signal) {
  await setTimeout(GRACE);
  const session = new Session();
  session.connectToMainThread();
  const post = (parameters) => new Promise((resolve) => session.post("Runtime.evaluate", parameters, (_, answer) => resolve(answer)));
  let state = "busy";
  for (let tries = 1; state === "busy" && tries <= TRIES; ++tries) {
    const call = `${expression}(${JSON.stringify(signal)}, ${tries === TRIES})\n//# sourceURL=${source}`;
    const { result } = (await post({ expression: call })) ?? {};
    state = result?.value;
    if (state === "busy") await setTimeout(1);
  }
  // A process that ends waits for those that are connected.
  session.disconnect();
  if (state === "finished") process.kill(process.pid, signal);
}

const heard = new Set();

function hear(name) {
  const [, receiver, signal] = /^(-?\d+)\.(SIG[A-Z]+)$/.exec(name) ?? [];
  if (heard.has(name) || !isForUs(Number(receiver))) return;
  heard.add(name);
  void endProgram(signal);
}

watch(folder, (_, name) => hear(name ?? ""));
// Those of before.
readdirSync(folder).forEach(hear);
