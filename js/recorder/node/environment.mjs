// SPDX-License-Identifier: Apache-2.0
// What the environment says of recording, in Node: docs of the variables in README.md.

import os from "node:os";
import { resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import { dataOfProcess } from "./process-data.mjs";
import { timeOfProcess } from "./process-time.mjs";

// A thread may have an environment of its own, which is its program's.
const settings = () => dataOfProcess?.settings ?? process.env;

/** The value of the first of these variables that is set and not empty. */
export function setting(...names) {
  return names.map((name) => settings()[name]).find((value) => value);
}

/** Makes the paths of folders absolute, for other threads and child processes too. */
export function resolveSettings() {
  for (const name of ["WARPO_RECORDER_INSTRUMENT_FOLDER", "WARPO_RECORDER_SAVE_MODULES"])
    if (process.env[name]) process.env[name] = resolve(process.env[name]);
}

function numberSetting(...names) {
  const value = setting(...names);
  if (value === undefined || /^\d+$/.test(value)) return value && Number(value);
  throw new RangeError(`${names[0]} is '${value}', not a number`);
}

// The variables are those of the recorder in C too: what a value means there that there is not here.
const REFUSALS = {
  WARPO_RECORDER_CLOCK: {
    counter: "the processor's counter cannot be read from JavaScript; 'monotonic' is its 'exact'",
  },
  WARPO_RECORDER_POLICY: {
    drop: "JavaScript waits while it writes, so nothing has to be dropped; there are block and ring",
  },
  WARPO_RECORDER_CRASH_SAFE: {
    1: "JavaScript cannot map a file, so nothing that waits survives the process",
  },
};

const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);

/** The value of a variable; `words` are other names of values. */
function word(name, words = {}) {
  const value = setting(name);
  const refusal = own(REFUSALS[name] ?? {}, value);
  if (refusal !== undefined) throw new RangeError(`${name} is '${value}': ${refusal}`);
  return own(words, value) ?? value;
}

/** When samples are due: of RecorderOptions. Throws for what is no number. */
export function samplingOptions() {
  const every = numberSetting("WARPO_RECORDER_SAMPLE_EVERY");
  // Not every whole number of 64 bits is a number of JavaScript.
  const sampleEvery = every && BigInt(setting("WARPO_RECORDER_SAMPLE_EVERY"));
  return {
    sampleEvery,
    frequency: numberSetting("WARPO_RECORDER_FREQUENCY"),
    heapSampleEvery: numberSetting("WARPO_RECORDER_HEAP_SAMPLE_EVERY"),
    heapSeed: numberSetting("WARPO_RECORDER_HEAP_SEED"),
  };
}

const PREFIX = "WARPO_RECORDER_";

// What follows the prefix.
const KNOWN = `BUFFER CLOCK COUNTS_OF CRASH_SAFE DRAIN ENABLED FILE FORMAT FREQUENCY HEAP_SAMPLE_EVERY HEAP_SEED INSTRUMENT INSTRUMENT_FOLDER
  MAX_BYTES MAX_ITEMS POLICY QUIET SAMPLER SAMPLE_EVERY SAVE_MODULES SWITCH`.split(/\s+/);
/** The first process of the program, and the folder of signals; not for users to set. */
const OWN = ["PROCESS", "SIGNALS"];

/** Throws for a variable with our prefix that does not exist. */
export function checkVariables() {
  for (const name of Object.keys(settings()))
    if (name.startsWith(PREFIX) && ![...KNOWN, ...OWN].includes(name.slice(PREFIX.length)))
      throw new RangeError(`${name} is unknown, known are ${PREFIX}<${KNOWN.join("|")}>`);
}

const VARIABLES = {
  bufferBytes: "BUFFER",
  frequency: "FREQUENCY",
  heapSampleEvery: "HEAP_SAMPLE_EVERY",
  heapSeed: "HEAP_SEED",
  maxBytes: "MAX_BYTES",
  maxItems: "MAX_ITEMS",
  sampleEvery: "SAMPLE_EVERY",
};

/** The error in an option of the recorder, with the variable's name. */
export const ofVariable = (message) =>
  message.replace(/^\w+(?= is )/, (option) => (Object.hasOwn(VARIABLES, option) ? PREFIX + VARIABLES[option] : option));

function switchSetting(name) {
  const value = word(name);
  if (value !== undefined && value !== "0" && value !== "1")
    throw new RangeError(`${name} is '${value}', neither 0 nor 1`);
  return value && value === "1";
}

/** Whether what was recorded is not said. Throws for what is no switch. */
export const isQuietSetting = () => switchSetting("WARPO_RECORDER_QUIET") ?? false;

// For the program, for what keeps its time and writes its record, and one to spare.
const PROCESSORS_FOR_KEEPER = 3;

/** Node's permission model may forbid threads. */
const maySpareThread = () => os.availableParallelism() >= PROCESSORS_FOR_KEEPER && (process.permission?.has("worker") ?? true);

/**
 * The default clock of calls. Asking the system for the time takes longer than most calls, but a thread that keeps it
 * occupies a processor, so there is at most one for all threads.
 */
function usualClock() {
  const hasKeeper = isMainThread ? maySpareThread() : timeOfProcess?.isStarted;
  return hasKeeper ? { clock: "thread", fallbackClock: "exact" } : { clock: "exact" };
}

function clockOptions(hasCalls) {
  const clock = word("WARPO_RECORDER_CLOCK", { monotonic: "exact" });
  return clock === undefined && hasCalls ? usualClock() : { clock };
}

/**
 * RecorderOptions, except those of samples and of the record's destination. `hasCalls`: calls may be recorded. Throws
 * for settings that are invalid or impossible here.
 */
export function environmentOptions({ hasCalls = false } = {}) {
  switchSetting("WARPO_RECORDER_CRASH_SAFE");
  return {
    ...clockOptions(hasCalls),
    policy: word("WARPO_RECORDER_POLICY"),
    bufferBytes: numberSetting("WARPO_RECORDER_BUFFER"),
    maxItems: numberSetting("WARPO_RECORDER_MAX_ITEMS", "WARP_TRACING_RECORDER_MAX_ITEMS"),
    maxBytes: numberSetting("WARPO_RECORDER_MAX_BYTES"),
    drain: switchSetting("WARPO_RECORDER_DRAIN"),
    enabled: switchSetting("WARPO_RECORDER_ENABLED"),
  };
}
