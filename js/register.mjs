// node --import warpo/register app.mjs
//
// Records the instrumented modules of a program that knows nothing of it. Environment: README.md.

import { isMainThread, threadId } from "node:worker_threads";
import { environmentOptions, samplingOptions, setting } from "./recorder/environment.mjs";
import { createRecorder, hookWebAssembly } from "./recorder/node.mjs";

const OWNER = "WARPO_RECORDER_PROCESS";

/** A process of ours and a thread write a file of their own: the name says which. */
function fileOfThisThread() {
  let file = setting("WARPO_RECORDER_FILE", "WARP_TRACING_RECORDER_FILE") ?? "app.warpo";
  process.env[OWNER] ??= String(process.pid);
  if (process.env[OWNER] !== String(process.pid)) file += `.${process.pid}`;
  return isMainThread ? file : `${file}-${threadId}`;
}

const file = fileOfThisThread();
let recorder;

function say(text) {
  process.stderr.write(`warpo: ${text}\n`);
}

function openRecorder() {
  const format = setting("WARPO_RECORDER_FORMAT") ?? "warpo";
  if (format !== "warpo")
    throw new RangeError(`WARPO_RECORDER_FORMAT is '${format}', and only warpo is written here`);
  recorder ??= createRecorder({ file, ...environmentOptions(), ...samplingOptions() });
  return recorder;
}

let said;
hookWebAssembly(openRecorder, {
  onError(error) {
    if (said !== error.message) say(`${file}: nothing is recorded: ${error.message}`);
    said = error.message;
  },
});

let finished = false;
function finish() {
  if (recorder === undefined || finished) return;
  finished = true;
  recorder.close();
  const { lostToBuffer, lostToLimit, lostToFailure } = recorder.counts;
  if (recorder.error !== undefined) say(`${recorder.error}; ${lostToFailure} events are lost`);
  for (const problem of recorder.guestStackProblems) say(`${file}: ${problem}`);
  if (lostToBuffer > 0) say(`${file}: ${lostToBuffer} events are missing: the buffer was full`);
  if (lostToLimit > 0) say(`${file}: ${lostToLimit} events are missing: the limit was reached`);
}

// Behind the program's own listeners of this event, whenever it adds them: they may call its
// modules.
const { emit } = process;
process.emit = function (event, ...values) {
  try {
    return emit.call(this, event, ...values);
  } finally {
    if (event === "exit") finish();
  }
};

// A listener that ends the process by itself does not come back to the above.
const { reallyExit } = process;
process.reallyExit = function (...values) {
  finish();
  return reallyExit.apply(this, values);
};

// A signal that ends the program: the record is written first. A program that handles it by itself
// goes on and records on.
if (isMainThread) {
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) {
    const handler = () => {
      recorder?.flush();
      if (process.listenerCount(signal) > 1) return;
      finish();
      process.off(signal, handler);
      process.kill(process.pid, signal);
    };
    process.on(signal, handler);
  }
}
