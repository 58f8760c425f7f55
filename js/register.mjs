// node --import warpo/register app.mjs
//
// Records the instrumented modules of a program that knows nothing of it. Environment: README.md.

import { isMainThread, threadId } from "node:worker_threads";
import { createRecorder, hookWebAssembly } from "./recorder/node.mjs";

const OWNER = "WARPO_RECORDER_PROCESS";

/** The value of the first of these variables that is set and not empty. */
function setting(...names) {
  return names.map((name) => process.env[name]).find((value) => value);
}

function numberSetting(...names) {
  const value = setting(...names);
  if (value === undefined || /^\d+$/.test(value)) return value && Number(value);
  throw new RangeError(`${names[0]} is '${value}', not a number`);
}

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
  recorder ??= createRecorder({
    file,
    clock: setting("WARPO_RECORDER_CLOCK"),
    policy: setting("WARPO_RECORDER_POLICY"),
    bufferBytes: numberSetting("WARPO_RECORDER_BUFFER"),
    maxItems: numberSetting("WARPO_RECORDER_MAX_ITEMS", "WARP_TRACING_RECORDER_MAX_ITEMS"),
    maxBytes: numberSetting("WARPO_RECORDER_MAX_BYTES"),
  });
  return recorder;
}

let said;
hookWebAssembly(openRecorder, {
  onError(error) {
    if (said !== error.message) say(`${file}: nothing is recorded: ${error.message}`);
    said = error.message;
  },
});

function finish() {
  if (recorder === undefined) return;
  recorder.close();
  const { lostToBuffer, lostToLimit, lostToFailure } = recorder.counts;
  if (recorder.error !== undefined) say(`${recorder.error}; ${lostToFailure} events are lost`);
  if (lostToBuffer > 0) say(`${file}: ${lostToBuffer} events are missing: the buffer was full`);
  if (lostToLimit > 0) say(`${file}: ${lostToLimit} events are missing: the limit was reached`);
}

process.on("exit", finish);

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
