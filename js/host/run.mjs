// SPDX-License-Identifier: Apache-2.0
// Runs one instrumented program and records it: the host of warpo-run's engine `node`.
//
//   node run.mjs [--record=FILE] [--record-fd=N] [--record-clock=NAME] [--max-items=N]
//                [--names=MODULE-ID=MAPPING]... [--invoke=NAME] [--arg=VALUE]...
//                [--link=NAME=FILE]... [--host=FILE] [--env=NAME=VALUE]... [--dir=HOST::GUEST]...
//                [--guest-stack=NAME] [--fuel-limit=N] [--sample-every=N | --frequency=N] [--sample] [--deterministic]
//                [--heap-sample-every=BYTES] [--heap-seed=N] [--counts-of=NAME]
//                [--artifacts-fd=N] [--switch-fd=N] [--result-fd=N] app.wasm [-- ARGUMENT...]
//
// What is read from --switch-fd switches recording: switch-listener.mjs.
// What instances have collected by themselves goes to the file of --artifacts-fd.
// How it ended is written as one JSON object to the descriptor --result-fd (see report()), and said
// by the exit code: the program's own, 134 after a trap, 125 if it could not be run.

import { writeFileSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { artifactsOf } from "../recorder/artifacts/artifacts.mjs";
import { addWaiting, LeftCalls, needsStacks } from "../recorder/artifacts/left-calls.mjs";
import { AsyncifyHook } from "../recorder/calls/asyncify.mjs";
import { Replacements } from "../recorder/engine/replacements.mjs";
import { FunctionTypes, hookSuspension } from "../recorder/calls/suspension.mjs";
import { CountedPart } from "./counted-part.mjs";
import { describeEnd, RunFailure } from "./failures.mjs";
import { fixWorld } from "./fixed-world.mjs";
import { endAtInterrupt, interruptible } from "./interruptible.mjs";
import { PhaseLog, RunningPhases, runNanoseconds, totalFuel } from "./phases.mjs";
import { inOrderOfRun, instantiate, loadProgram } from "./program.mjs";
import { openProfile } from "./profile.mjs";
import { checkRecording, openRecording } from "./recording.mjs";
import { describeResults, parseArguments } from "./values.mjs";

// How many frames of a trap's stack a message shows.
Error.stackTraceLimit = 64;

const TRAP_CODE = 134;
const FAILURE_CODE = 125;

/** Of exports that are not the program's own. */
const INSERTED_PREFIX = "__warpo_";

const OPTIONS = {
  record: { type: "string" },
  "record-fd": { type: "string" },
  "record-clock": { type: "string" },
  names: { type: "string", multiple: true, default: [] },
  "max-items": { type: "string" },
  invoke: { type: "string" },
  arg: { type: "string", multiple: true, default: [] },
  link: { type: "string", multiple: true, default: [] },
  host: { type: "string" },
  env: { type: "string", multiple: true, default: [] },
  dir: { type: "string", multiple: true, default: [] },
  "fuel-limit": { type: "string" },
  "sample-every": { type: "string" },
  frequency: { type: "string" },
  "heap-sample-every": { type: "string" },
  "heap-seed": { type: "string" },
  "counts-of": { type: "string" },
  sample: { type: "boolean", default: false },
  "guest-stack": { type: "string" },
  deterministic: { type: "boolean", default: false },
  "artifacts-fd": { type: "string" },
  "switch-fd": { type: "string" },
  "result-fd": { type: "string" },
};

/** `name<separator>rest`, or twice the whole without a separator. */
function splitAt(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Both: the descriptor is one of the file. */
function parseTarget({ record, "record-fd": fd }) {
  if (record === undefined && fd === undefined) return undefined;
  return { ...(record && { file: record }), ...(fd && { fd: Number(fd) }) };
}

function parseCommandLine() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  if (positionals.length === 0) throw new RunFailure("no module to run");
  const [app, ...args] = positionals;
  return {
    app,
    args: [basename(app), ...args],
    env: Object.fromEntries(values.env.map((entry) => splitAt(entry, "="))),
    preopens: Object.fromEntries(values.dir.map((entry) => splitAt(entry, "::").reverse())),
    host: values.host,
    links: values.link.map((entry) => splitAt(entry, "=")),
    invoke: values.invoke,
    invokeArguments: values.arg,
    target: parseTarget(values),
    recordClock: values["record-clock"],
    names: new Map(values.names.map((entry) => splitAt(entry, "="))),
    maxItems: values["max-items"] ? Number(values["max-items"]) : Infinity,
    sampling: {
      sampleEvery: values["sample-every"] && BigInt(values["sample-every"]),
      frequency: values.frequency && Number(values.frequency),
      heapSampleEvery: values["heap-sample-every"] && Number(values["heap-sample-every"]),
      heapSeed: values["heap-seed"] && Number(values["heap-seed"]),
    },
    countsOf: values["counts-of"],
    isProfiled: values.sample,
    guestStack: values["guest-stack"],
    fuelLimit: values["fuel-limit"] ? BigInt(values["fuel-limit"]) : undefined,
    deterministic: values.deterministic,
    artifactsFd: values["artifacts-fd"] ? Number(values["artifacts-fd"]) : undefined,
    switchFd: values["switch-fd"] ? Number(values["switch-fd"]) : undefined,
    resultFd: values["result-fd"] ? Number(values["result-fd"]) : undefined,
  };
}

/**
 * The function to call: its name, arguments and results; undefined if the start function is the
 * program. Asks the module, not an instance, so that a slip in --invoke is reported before anything is
 * recorded.
 */
function findEntry({ path, module, types }, invoke, texts) {
  const functions = WebAssembly.Module.exports(module)
    .filter(({ name, kind }) => kind === "function" && types.exportNames.includes(name))
    .map(({ name }) => name);
  const name = (invoke === undefined ? ["_start", "main"] : [invoke]).find((wanted) =>
    functions.includes(wanted),
  );
  if (name === undefined) {
    if (invoke === undefined && types.start) return undefined;
    const lacking =
      invoke === undefined
        ? "exports neither _start nor main and has no start function"
        : `exports no function '${invoke}'`;
    const own = functions.filter((name) => !name.startsWith(INSERTED_PREFIX));
    throw new RunFailure(
      `${path}: ${lacking}; its functions are: ${own.join(", ") || "none"}`,
    );
  }
  const type = types.functionType(name);
  if (!type) throw new RunFailure(`${path}: the type of ${name} is not known to this host`);
  return { name, args: parseArguments(name, type.params, texts), results: type.results };
}

/** The process's exit code for an end that describeEnd() says. */
function codeOf({ failure, trap, exitCode }) {
  return failure ? FAILURE_CODE : trap ? TRAP_CODE : exitCode;
}

/**
 * Ends the program from within a host function. Not by throwing: a program with a `catch_all` would
 * catch that and run on.
 */
function leave(error) {
  if (recording?.isCallingGuest() || isFetching) throw error; // the call was not the program's
  end = describeEnd(error);
  process.exit(codeOf(end));
}

/** Runs the program; returns what `report` says of a normal end. */
async function run(request, units, entry, tracePointOf) {
  const linked = {};
  const world = request.deterministic ? fixWorld() : undefined;
  const seed = world?.seed ?? (() => Date.now() * Math.random());
  const attach = (unit) => {
    unwinding?.attach(unit.instance, unit.module, unit);
    recording?.attach(unit);
  };
  const options = { ...request, leave, world, seed, phases, running, attach };
  const [app] = units;
  for (const unit of inOrderOfRun(units)) {
    const exports = await instantiate(unit, linked, tracePointOf, options);
    closeSections();
    if (unit !== app) linked[unit.name] = exports;
  }
  if (!entry) return { exitCode: 0 };
  const { name, args, results } = entry;
  running.begin("run");
  const returned = interruptible(() => app.instance.exports[name](...args));
  closeSections();
  running.end();
  if (request.invoke !== undefined)
    return { exitCode: 0, results: describeResults(results, returned) };
  return { exitCode: results.length === 1 && results[0] === "i32" ? returned & 0xff : 0 };
}

let request;
let recording;
let unwinding; // AsyncifyHook, of a run that is recorded
const phases = new PhaseLog();
let units = [];
let running;
let isFetching = false; // of an instance what it holds
let countedPart; // CountedPart, if counts are those of a part of the run
const leftCalls = new LeftCalls();
let end; // what describeEnd() or run() say; undefined while the program runs

/** Opens the record at the first module that can run and writes to it. */
function tracePointOf(unit) {
  recording ??= openRecording(request, units);
  const builtin = recording.tracePointOf(unit);
  const look = () => ({ exports: unit.instance?.exports, memory: unit.memory });
  return countedPart === undefined ? builtin : countedPart.follow(look, builtin);
}

/** The program has returned to this host. */
function closeSections() {
  recording?.closeSections();
  countedPart?.endSections();
}

/** Host modules may run parts of the program as tasks, which wait for promises, or unwind and rewind it. */
function recordSuspensions() {
  const types = new FunctionTypes();
  const tasks = () => recording?.tasks?.();
  unwinding = new AsyncifyHook(tasks);
  for (const unit of units) {
    types.add(unit.code);
    unwinding.add(unit, unit.code);
  }
  hookSuspension(new Replacements(), types, tasks, () => (units.some(({ module }) => needsStacks(module)) ? addWaiting() : undefined));
}

/** Writes the artifacts of all instances, one behind the other; returns what report() says of them. */
function fetchArtifacts() {
  const artifactProblems = [];
  const isRecorded = units.some((unit) => unit.instrumented);
  const artifacts = units
    .filter(({ instance }) => instance !== undefined)
    .flatMap((unit) => {
      const { instance, module, path, id, types } = unit;
      const onError = ({ message }) => artifactProblems.push(`${path}: ${message}`);
      const counts = countedPart && (() => countedPart.bytesOf(unit));
      return artifactsOf(instance, module, { id, functions: types.functionCount, isRecorded, onError, left: leftCalls, counts });
    });
  for (const { unit, message } of countedPart?.problems ?? []) artifactProblems.push(`${unit.path}: ${message}`);
  const described = artifacts.map(({ bytes, ...artifact }) => {
    writeFileSync(request.artifactsFd, bytes);
    return { ...artifact, size: bytes.length };
  });
  return { artifacts: described, artifactProblems };
}

/**
 * The result: `exitCode` (with `results` of --invoke), `trap` or `failure`; `instrumented` (is any
 * module); `fuel`, if modules count it; `runNanoseconds`, if it ran; `openCalls` at a trap, innermost first; `record`:
 * `{ written, lostToLimit, lostToFailure, error, sections }`; `artifacts`: `{ format, extension, description, size }` each, and
 * `artifactProblems`.
 */
function report() {
  const isRecorded = recording !== undefined || units.some((unit) => unit.instrumented);
  const result = { ...end, instrumented: isRecorded };
  if (end.trap)
    result.openCalls = (recording?.openCalls() ?? []).map(({ module, id }) => {
      return { module: module.toString(), id };
    });
  if (recording) result.record = recording.result();
  result.fuel = totalFuel(units)?.toString();
  result.runNanoseconds = runNanoseconds(phases.phases);
  if (request.artifactsFd !== undefined) Object.assign(result, fetchArtifacts());
  const text = Buffer.from(JSON.stringify(result));
  for (let at = 0; at < text.length;) at += writeSync(request.resultFd, text, at);
}

// Node has nothing left to do. Before the program's end that is only while it awaits something;
// process.exit() gets by without it.
let drained = false;
process.on("beforeExit", () => (drained = true));

// Everything ends here: the last statement, process.exit() in a host function, an uncaught
// error.
process.on("exit", (code) => {
  isFetching = true;
  leftCalls.addCurrent();
  countedPart?.close();
  // The one that a trap or an exit ended.
  running?.end();
  recording?.addPhases(phases.phases);
  recording?.close();
  if (end === undefined && drained) end = { failure: "a host function waits for a promise that is never settled" };
  // process.exit() during the program, or an error after it in what a host function left to do.
  if (end === undefined || end.exitCode !== undefined) end = { ...end, exitCode: code };
  if (request?.resultFd !== undefined) report();
});

endAtInterrupt();
try {
  request = parseCommandLine();
  units = loadProgram(request.app, request.links, phases);
  if (units.some(({ module }) => needsStacks(module))) Error.stackTraceLimit = Infinity;
  checkRecording(request, units);
  if (request.isProfiled) recording = await openProfile(request, units);
  if (request.target) recordSuspensions();
  if (request.countsOf !== undefined) countedPart = new CountedPart(request.countsOf, units, leftCalls);
  running = new RunningPhases(phases, units, countedPart);
  const entry = findEntry(units[0], request.invoke, request.invokeArguments);
  end = await run(request, units, entry, tracePointOf);
  process.exitCode = end.exitCode;
} catch (error) {
  leftCalls.addError(error);
  end = describeEnd(error);
  if (request?.resultFd === undefined)
    process.stderr.write(`${end.failure ?? end.trap?.message ?? ""}\n`);
  process.exit(codeOf(end));
}
