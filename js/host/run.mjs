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
// Commands read from --switch-fd switch recording (switch-listener.mjs). Artifacts of instances go to --artifacts-fd.
// The result goes to --result-fd as one JSON object (see report()). The exit code is the program's own, 134 after a
// trap, or 125 if the program could not be run.

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
import { endAtSignals, interruptible } from "./interruptible.mjs";
import { PhaseLog, RunningPhases, runNanoseconds, totalFuel } from "./phases.mjs";
import { inOrderOfRun, instantiate, loadProgram } from "./program.mjs";
import { openProfile } from "./profile.mjs";
import { checkRecording, openRecording } from "./recording.mjs";
import { describeResults, parseArguments } from "./values.mjs";

// Frames of a trap's stack that a message shows.
Error.stackTraceLimit = 64;

const TRAP_CODE = 134;
const FAILURE_CODE = 125;

/** Prefix of exports that warpo-instrument adds. */
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

/** Splits at the first separator; without one, returns the text twice. */
function splitAt(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** The record's target. If both are given, the descriptor is that of the file. */
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
 * The function to call: `{ name, args, results }`; undefined if the start function is the program. It is looked up in
 * the module, before there is an instance, so that a wrong --invoke is reported before recording begins.
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

/** The exit code for an end as describeEnd() returns it. */
function codeOf({ failure, trap, exitCode }) {
  return failure ? FAILURE_CODE : trap ? TRAP_CODE : exitCode;
}

/** Ends the program from within a host function. Does not throw, because a program's `catch_all` would catch that. */
function leave(error) {
  if (recording?.isCallingGuest() || isFetching) throw error; // called by the recorder, not by the program
  end = describeEnd(error);
  process.exit(codeOf(end));
}

/** Runs the program; returns a normal end, as part of the result (see report()). */
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
  const returned = interruptible(() => app.instance.exports[name](...args), () => recording?.endCalls());
  closeSections();
  running.end();
  if (request.invoke !== undefined)
    return { exitCode: 0, results: describeResults(results, returned) };
  return { exitCode: results.length === 1 && results[0] === "i32" ? returned & 0xff : 0 };
}

let request;
let recording;
let unwinding; // AsyncifyHook, if a record is written
const phases = new PhaseLog();
let units = [];
let running;
let isFetching = false; // artifacts: exports called now are not part of the program
let countedPart; // CountedPart, with --counts-of
const leftCalls = new LeftCalls();
let end; // as describeEnd() or run() returned it; undefined while the program runs

/** Opens the record with the first module that can run and has trace points. */
function tracePointOf(unit, imports) {
  recording ??= openRecording(request, units);
  const builtin = recording.tracePointOf(unit, imports);
  const look = () => ({ exports: unit.instance?.exports, memory: unit.memory });
  return countedPart === undefined ? builtin : countedPart.follow(look, builtin);
}

function closeSections() {
  recording?.closeSections();
  countedPart?.endSections();
}

/** Host modules may run parts of the program as tasks that wait for promises, or unwind and rewind it. */
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

/** Writes the artifacts of all instances, concatenated; returns their part of the result. */
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
 * Writes the result: `exitCode` (with `results` of --invoke), `trap` or `failure`; `instrumented` (whether any module
 * is); `fuel`, if modules count it; `runNanoseconds`, if the program ran; `openCalls` at a trap, innermost first;
 * `record`: `{ written, lostToLimit, lostToFailure, error, sections }`; `artifacts`: `{ format, extension, description,
 * size }` each; `artifactProblems`.
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

// Node is idle. Before the program's end that means it awaits a promise; process.exit() does not emit this event.
let drained = false;
process.on("beforeExit", () => (drained = true));

// Every run ends here: after the last statement, process.exit() in a host function, or an uncaught error.
process.on("exit", (code) => {
  isFetching = true;
  leftCalls.addCurrent();
  countedPart?.close();
  // Ends a phase that a trap or exit interrupted.
  running?.end();
  recording?.addPhases(phases.phases);
  recording?.close();
  if (end === undefined && drained) end = { failure: "a host function waits for a promise that is never settled" };
  // process.exit() while the program ran, or a later error in a callback of a host function.
  if (end === undefined || end.exitCode !== undefined) end = { ...end, exitCode: code };
  if (request?.resultFd !== undefined) report();
});

endAtSignals();
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
