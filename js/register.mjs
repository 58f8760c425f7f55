// SPDX-License-Identifier: Apache-2.0
//   node --import warpo/register app.mjs
//
// Records the instrumented modules of a program that needs no changes for it. README.md lists the environment
// variables.

import { existsSync, rmSync, unlinkSync } from "node:fs";
import { resolve } from "node:path";
import { isMainThread, threadId } from "node:worker_threads";
import { takesSeveralMemories } from "./event-store.mjs";
import { fileBeside, writeArtifactFiles } from "./host/artifact-files.mjs";
import { CountedPart } from "./host/counted-part.mjs";
import { COUNTS, artifactLeft, artifactsOf, heldBy, holdsArtifacts, holdsCounts } from "./recorder/artifacts/artifacts.mjs";
import { offerCounts } from "./recorder/artifacts/counts-so-far.mjs";
import { checkVariables, environmentOptions, isQuietSetting, ofVariable, resolveSettings, samplingOptions, setting } from "./recorder/node/environment.mjs";
import { warnOfFailure } from "./recorder/node/failure-warning.mjs";
import { FileNames, libraryOfNode } from "./recorder/node/file-names.mjs";
import { joinRecords } from "./recorder/node/joined-records.mjs";
import { withMembers } from "./recorder/hook.mjs";
import { addWaiting, LeftCalls } from "./recorder/artifacts/left-calls.mjs";
import { createRecorder, hookWebAssembly } from "./recorder/node.mjs";
import { performance } from "./recorder/engine/own-engine.mjs";
import { endsAtOnce } from "./recorder/node/own-exit.mjs";
import { dataOfProcess, isMarkedAsEnded, markEnd, shareProcessData } from "./recorder/node/process-data.mjs";
import { timeOfProcess } from "./recorder/node/process-time.mjs";
import { OPTIONS_OF_PROFILES, ProfiledProgram } from "./recorder/samples/profiled-program.mjs";
import { problemsOf, summaryOf } from "./recorder/node/record-summary.mjs";
import { isInstrumented } from "./recorder/modules/builtin-imports.mjs";
import { checkOptions } from "./recorder/recorder-options.mjs";
import { SharedModules } from "./recorder/node/shared-modules.mjs";
import { SharedNames } from "./recorder/threads/shared-names.mjs";
import { listenForSwitch, openSwitch, ProcessSwitch } from "./recorder/node/switch-listener.mjs";
import { listenForSignals } from "./recorder/node/signal-listener.mjs";
import { systemMessage } from "./recorder/record/system-message.mjs";
import { createRecorderOfThread, takeProfilingArguments, ThreadProfiles } from "./recorder/node/thread-profiles.mjs";
import { announceEnd, announceFetched, announceFile, announceHeld, announceProgram, announceRecord, ThreadRecords } from "./recorder/node/threads.mjs";
import { hookWorkers } from "./recorder/node/worker-hook.mjs";

const OWNER = "WARPO_RECORDER_PROCESS";
const INSTRUMENT = "WARPO_RECORDER_INSTRUMENT";
const COUNTS_OF = "WARPO_RECORDER_COUNTS_OF";
const SIGNALS = "WARPO_RECORDER_SIGNALS";
const WARPS_FILE = "WARP_TRACING_RECORDER_FILE";
// The program's other threads and child processes inherit the variable.
const isFirst = setting(OWNER) === undefined;

const fileSetting = setting("WARPO_RECORDER_FILE", WARPS_FILE) ?? "app.warpo";
// Paths are resolved once for all threads and processes: the program may change its working directory.
if (isMainThread) resolveSettings();
const processFile = dataOfProcess?.file ?? resolve(fileSetting);

/**
 * The path of a file for this thread: the record's, or one beside it with `extension`. Child processes append their id,
 * threads other than the main one theirs.
 */
function fileOfThisThread(extension, record = processFile) {
  let file = fileBeside(record, extension);
  if (isFirst) process.env[OWNER] = String(process.pid);
  if (setting(OWNER) !== String(process.pid)) file += `.${process.pid}`;
  return isMainThread ? file : `${file}-${threadId}`;
}

// The record's name in messages. `warpo record` merges the records of all processes and removes them, so there messages
// name the process instead. `place` is the path.
const isOfMany = setting(OWNER) === "0";
const titleOfThread = () => `process ${process.pid}${isMainThread ? "" : `, thread ${threadId}`}`;
const file = isOfMany ? titleOfThread() : fileOfThisThread("", fileSetting);
const place = fileOfThisThread("");
let recorder;

function say(text) {
  process.stderr.write(`warpo: ${text}\n`);
}

// Recorders in C and warpo-run write WARP's format if only WARP's variable is set.
if (isFirst && !setting("WARPO_RECORDER_FILE", "WARPO_RECORDER_FORMAT") && setting(WARPS_FILE))
  say(
    `${file}: JavaScript writes the format warpo here too, not the 16 bytes an event of warp; ` +
      `with WARPO_RECORDER_FILE in place of ${WARPS_FILE} this is not said`,
  );

// The main thread finishes the records of its workers. A worker without shared data finishes its own.
const names = isMainThread || dataOfProcess ? new SharedNames(dataOfProcess?.names) : undefined;
const sayOf = (file, message) => say(`${file}: ${message}`);
const threads = isMainThread ? new ThreadRecords(sayOf, writeLeftArtifacts) : undefined;
// With V8's profiler: the modules that other threads compile, and whether Node already profiles this thread for the
// main thread.
const isSampled = setting("WARPO_RECORDER_SAMPLER") !== undefined;
const sharedModules = isSampled && (isMainThread || dataOfProcess) ? new SharedModules(dataOfProcess?.modules) : undefined;
const profiling = takeProfilingArguments();
const isProfiled = profiling !== undefined;
let threadProfiles = isProfiled ? { argumentsBeside: () => profiling, follow() {} } : undefined;
const isSwitched = isMainThread ? isFirst && setting("WARPO_RECORDER_SWITCH") !== undefined : dataOfProcess?.recordSwitch !== undefined;
const recordSwitch = isSwitched ? new ProcessSwitch(dataOfProcess?.recordSwitch) : undefined;
if (isMainThread) shareProcessData(names, processFile, timeOfProcess, { modules: sharedModules, recordSwitch });
const announce = dataOfProcess && ((description) => announceRecord(place, description));

// When the record began: one time for all threads.
let began;

hookWorkers(import.meta.url, {
  onStart() {
    began ??= performance.now();
    names?.share();
    // Only if modules are known to have trace points. Otherwise the main thread starts it with the first module that
    // has some.
    if (isMainThread && wantsCalls() && recordOptions().clock === "thread") timeOfProcess.start();
  },
  onEnd: (id) => (threads === undefined ? announceEnd(id) : threads.end(id)),
  profiles: () => threadProfiles,
});

/** Whether modules may have trace points: instrumentation adds them, or nothing is known before compilation. */
const mayHaveCalls = () => (setting(INSTRUMENT) ?? "trace").split(/[\s,]/).includes("trace");

const wantsCalls = () => !isSampled && mayHaveCalls() && setting(INSTRUMENT, "WARPO_RECORDER_CLOCK") !== undefined;

/** The record's options from the environment; throws if one is invalid. */
function recordOptions() {
  const format = setting("WARPO_RECORDER_FORMAT") ?? "warpo";
  if (format !== "warpo")
    throw new RangeError(
      `WARPO_RECORDER_FORMAT is '${format}', and JavaScript writes warpo only; ` +
        "warpo-record-dump --format=warp converts it to WARP's format",
    );
  const options = { ...environmentOptions({ hasCalls: mayHaveCalls() }), ...samplingOptions() };
  checkOptions(options);
  return options;
}

/** Reads commands from a pipe, once for all threads of the first process. */
function followPipe(path) {
  if (isSampled) throw new Error("WARPO_RECORDER_SWITCH is set, and V8's profiler is not switched");
  try {
    recordSwitch.enabled = environmentOptions().enabled ?? true;
    listenForSwitch(openSwitch(path), isQuiet ? "nowhere" : "message", (text) => say(`${file}: ${text}`), recordSwitch.memory);
  } catch (error) {
    throw new Error(`WARPO_RECORDER_SWITCH is '${path}': ${systemMessage(error)}`);
  }
}

function openRecorder(own = {}) {
  if (recorder !== undefined) return recorder;
  if (dataOfProcess) announceFile(place);
  try {
    const onFailure = (error) => warnOfFailure("warpo", error);
    return (recorder = createRecorder({ file: place, announce, names, begin: began, onFailure, ...recordOptions(), ...own }));
  } finally {
    if (dataOfProcess && (recorder === undefined || recorder.error !== undefined)) announceFile(undefined);
    // The main thread no longer takes it: this thread writes on without a name.
    if (dataOfProcess && isMarkedAsEnded()) rmSync(place, { force: true });
  }
}

/** The recorder for a module of the program, opened if it is the first. */
function recordProgram() {
  return recorder ?? (recordSwitch === undefined ? openRecorder() : recordSwitch.open(openRecorder));
}

const files = new FileNames();

// How modules are instrumented when they are compiled; undefined: not at all.
const instrumenting = setting(INSTRUMENT) !== undefined && {
  instrumentations: setting(INSTRUMENT),
  clockOf: () => recordOptions().clock,
  folder: setting("WARPO_RECORDER_INSTRUMENT_FOLDER"),
  originals: setting("WARPO_RECORDER_SAVE_MODULES"),
  files,
  say,
};
const instrumenter = instrumenting && (await import("./instrumenting.mjs"));

let isQuiet = false;

// Do not run a program with invalid settings. Only the main thread checks them: workers have the same.
try {
  if (isMainThread) {
    checkVariables();
    isQuiet = isQuietSetting();
    recordOptions();
    if (recordSwitch !== undefined) followPipe(setting("WARPO_RECORDER_SWITCH"));
  }
  if (isFirst && instrumenter) {
    instrumenter.checkInstrumenting(instrumenting);
    if (setting(COUNTS_OF) !== undefined && !setting(INSTRUMENT).split(/[\s,]/).includes("counts"))
      throw new Error(`${COUNTS_OF} is set, but ${INSTRUMENT} is '${setting(INSTRUMENT)}', without counts`);
  }
} catch (error) {
  say(`${file}: nothing is recorded: ${ofVariable(error.message)}`);
  process.exit(1);
}

/** Instances that hold artifacts: `{ instance, module }`. */
const holders = [];
const leftCalls = new LeftCalls();
offerCounts(holders, leftCalls);

/** With WARPO_RECORDER_COUNTS_OF: the counts of that part of the run. */
const countedPart = setting(COUNTS_OF) === undefined ? undefined : new CountedPart(setting(COUNTS_OF), [], leftCalls);
countedPart?.beginPhase("run");

/** A WASI program may end by an exception that only its host sees, so finish when it calls `proc_exit`. */
function followExit(module, imports) {
  if (!holdsArtifacts(module)) return imports;
  const isExit = ({ module: from, name }) => from.startsWith("wasi_") && name === "proc_exit";
  const exit = WebAssembly.Module.imports(module).find(isExit);
  const own = exit && imports[exit.module]?.[exit.name];
  if (typeof own !== "function") return imports;
  const followed = (...args) =>
    leftCalls.follow(() => {
      if (endsAtOnce(own)) finish();
      return own(...args);
    });
  return withMembers(imports, { [exit.module]: withMembers(imports[exit.module], { [exit.name]: followed }) });
}

let hearsErrors = false;
/** Only programs with counters need to know where errors are thrown. */
function hearErrors() {
  if (!hearsErrors) process.on("uncaughtExceptionMonitor", (error) => leftCalls.addError(error));
  hearsErrors = true;
}

/** Starts V8's profiler for this thread if the environment asks for it. Ends the process if a setting is invalid. */
async function startProfile() {
  const sampler = setting("WARPO_RECORDER_SAMPLER");
  if (sampler === undefined) return undefined;
  try {
    const refused = [INSTRUMENT, COUNTS_OF].find((name) => setting(name) !== undefined);
    if (refused !== undefined) throw new RangeError(`${refused} is set, and V8's profiler samples modules as they are`);
    if (sampler !== "engine")
      throw new RangeError(`WARPO_RECORDER_SAMPLER is '${sampler}', known is 'engine'`);
    const { sampleEvery, frequency = 1000 } = samplingOptions();
    if (sampleEvery !== undefined)
      throw new RangeError("WARPO_RECORDER_SAMPLE_EVERY is set, and V8's profiler samples by time");
    if (isMainThread) threadProfiles = new ThreadProfiles(frequency);
    if (!isProfiled) return await ProfiledProgram.start(frequency);
    announceProgram();
    return undefined;
  } catch (error) {
    say(error.message);
    return process.exit(1);
  }
}

const profiled = await startProfile();

function refuseInstrumented() {
  throw new Error("a module is instrumented, and samples measure its probes too");
}

/**
 * Keeps a module to resolve samples of this thread. If Node profiles the thread, the main thread resolves them and
 * needs the module.
 */
function keepModule(bytes, name) {
  profiled?.addModule(bytes, name);
  if (isProfiled && WebAssembly.validate(bytes)) sharedModules?.add(bytes, name);
}

let lastError;
/** Whether an instrumented module was compiled. */
let hasInstrumented = false;
hookWebAssembly(isSampled ? refuseInstrumented : recordProgram, {
  // FileNames knows the library of modules that were instrumented here.
  fileNameOf: (bytes) => files.find(bytes) ?? (isSampled ? libraryOfNode() : undefined),
  keepsCode: recordSwitch !== undefined,
  onBytes(bytes, name) {
    hearSignals();
    keepModule(bytes, name);
  },
  onDescription(description) {
    hasInstrumented = true;
    names?.add(description);
  },
  hasCalls: !isSampled,
  wrapImports: isSampled ? undefined : followExit,
  wrapBuiltin: countedPart && ((builtin, look) => countedPart.follow(look, builtin)),
  onWait: () => (hearsErrors ? addWaiting() : undefined),
  onInstance(instance, module) {
    hearSignals();
    if (isSampled || !holdsArtifacts(module)) return;
    const holder = { instance, module };
    holders.push(holder);
    if (holdsCounts(module)) {
      hearErrors();
      countedPart?.addComplete(holder);
    }
    if (dataOfProcess) announceHeld(heldBy(instance, module));
  },
  onError(error) {
    const what = isSampled ? "" : "nothing is recorded: ";
    if (lastError !== error.message) say(`${file}: ${what}${error.message}`);
    lastError = error.message;
  },
});

if (instrumenter) instrumenter.instrumentOnLoad(instrumenting);
files.watchReads();

function writeArtifacts() {
  const onError = ({ message }) => say(`${file}: ${message}`);
  leftCalls.addCurrent();
  countedPart?.close();
  countedPart?.problems.forEach(onError);
  const artifacts = holders.flatMap((holder) => {
    const { instance, module } = holder;
    const counts = countedPart && (() => countedPart.bytesOf(holder));
    return artifactsOf(instance, module, { isRecorded: isInstrumented(module), onError, left: leftCalls, counts });
  });
  // An artifact without an extension is a record, which needs the record's file for itself.
  const isLeftOut = ({ extension }) => extension === "" && recorder !== undefined;
  for (const what of new Set(artifacts.filter(isLeftOut).map(({ description }) => description)))
    say(`${file}: ${what} is not recorded beside the trace points of other modules`);
  writeArtifactFiles(
    artifacts.filter((artifact) => !isLeftOut(artifact)),
    { fileOf: fileOfThisThread, taken: recorder && place, say },
  );
}

/** What to do about lost counts. Counters are in a memory by default if this version of Node supports it. */
function adviceOnLost({ format, mayMove }) {
  if (format !== COUNTS || countedPart !== undefined) return "";
  if (mayMove) return "; if memories are shared, --counters-in=memory keeps it";
  return instrumenter && !takesSeveralMemories ? "; newer versions of Node keep it if memories are shared" : "";
}

/** Writes the artifacts of a terminated thread. What it counted in a part of the run is lost with it. */
function writeLeftArtifacts(id, held) {
  const isLost = ({ memory, format }) => memory === undefined || (format === COUNTS && countedPart !== undefined);
  const lost = held.filter(isLost);
  writeArtifactFiles(held.filter((artifact) => !isLost(artifact)).map(artifactLeft), {
    fileOf: (extension) => `${fileOfThisThread(extension)}-${id}`,
    say,
  });
  const counts = new Map(); // instances by [description, advice]
  for (const artifact of lost) {
    const key = JSON.stringify([artifact.description, adviceOnLost(artifact)]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, count] of counts) {
    const [what, advice] = JSON.parse(key);
    say(`${file}: thread ${id} was ended before it could report ${what}: that of ${count} of its instances is lost${advice}`);
  }
}

let finished = false;
function finish() {
  if (finished) return;
  finished = true;
  if (isMainThread) markEnd();
  const records = threads?.close() ?? [];
  for (const begunFile of threads?.begunFiles ?? []) rmSync(begunFile, { force: true });
  if (isSampled) records.push(...finishProfile(records.length > 0));
  else {
    writeArtifacts();
    sayIfPartIsEmpty();
  }
  if (dataOfProcess && holders.length > 0) announceFetched();
  const joined = joinRecords(records, recorderToJoin, sayOf);
  if (recorder !== undefined) finishRecord(records.filter(([, own]) => !joined.includes(own) && existsSync(own)), records.length === 0);
  else if (!isSampled) sayIfNothing(records.length > 0);
  joined.forEach(remove);
}

/** Only in the first process, and only if no other thread may have counts. */
function sayIfPartIsEmpty() {
  const isAlone = isMainThread && isFirst && !threads.hasHeld;
  if (isAlone && !isQuiet && countedPart?.isEmpty && (recorder !== undefined || holders.length > 0))
    say(`${file}: nothing was executed in a section or phase '${setting(COUNTS_OF)}'`);
}

/** Only in the first process: child processes may have nothing to do with WebAssembly. */
function sayIfNothing(hasOthers) {
  const isSaid = lastError !== undefined || isQuiet;
  if (!isMainThread || !isFirst || hasOthers || isSaid || holders.length > 0 || threads.hasHeld) return;
  const reason = instrumenter
    ? "no module was compiled that could be instrumented"
    : "no instrumented module was compiled; WARPO_RECORDER_SAMPLER=engine samples modules as they are";
  say(`${file}: nothing is recorded: ${hasInstrumented ? "no instrumented module was instantiated" : reason}`);
}

function remove(joinedFile) {
  try {
    unlinkSync(joinedFile);
  } catch (error) {
    say(`${joinedFile}: is in ${file} too and cannot be removed: ${systemMessage(error)}`);
  }
}

/**
 * The recorder into which records of other threads are joined. If this thread has no events of its own, it needs no
 * clock thread.
 */
function recorderToJoin() {
  if (recorder !== undefined) return recorder;
  if (profiled !== undefined) return (recorder = openProfile(began));
  return openRecorder(recordOptions().clock === "thread" ? { clock: "exact" } : {});
}

const openProfile = (begin) => createRecorder({ file: place, announce, ...environmentOptions(), ...OPTIONS_OF_PROFILES, begin });

/** Returns the records written for other threads, `[threadId, file]` each. */
function finishProfile(hasOthers) {
  if (profiled === undefined) return [];
  if (isMainThread) sharedModules.takeAll((bytes, name) => profiled.addModule(bytes, name));
  const { hasModules } = profiled;
  if (hasModules) recorder = profiled.finish(openProfile);
  else if (isMainThread && !hasOthers && !isQuiet)
    say(`${file}: nothing is recorded: no WebAssembly was compiled`);
  const written = [];
  const take = (id, profile) => {
    const own = `${place}-${id}`;
    const open = (begin) => createRecorderOfThread(id, { file: own, ...environmentOptions(), ...OPTIONS_OF_PROFILES, begin });
    const recorded = hasModules ? profiled.finishThread(profile, threads.beginOf(id), open) : undefined;
    recorded?.close();
    if (recorded?.error !== undefined) say(recorded.error);
    if (recorded !== undefined) written.push([id, own]);
  };
  try {
    threadProfiles?.close(take);
  } catch (error) {
    say(`${file}: samples of threads are missing: ${systemMessage(error)}`);
  }
  return written;
}

/** Explains a closed record with few samples; `isAlone`: no other thread has samples. */
function sayWhySamplesAreFew(isAlone) {
  if (process.listenerCount("SIGPROF") > 0)
    say(`${file}: samples are missing: the program handles SIGPROF, the signal of V8's profiler, and gets it for every sample`);
  else if (isAlone && recorder.own.eventCount === 0)
    say(`${file}: the program ended after ${profiled.elapsed.toFixed(1)} ms, before its first sample`);
}

/**
 * Closes the record and reports its result. `apart`: `[threadId, file]` of each thread with a file of its own;
 * `isAlone`: no other thread has a record.
 */
function finishRecord(apart, isAlone) {
  recorder.close();
  problemsOf(recorder, file).forEach(say);
  if (isMainThread && profiled) sayWhySamplesAreFew(isAlone);
  const isSaid = isMainThread && isFirst && !isQuiet;
  if (recorder.error === undefined && isSaid) say(summaryOf(recorder.own, { file, apart, isProfiled: profiled !== undefined }));
}

// Runs after all of the program's own `exit` listeners, which may still call its modules.
const { emit } = process;
process.emit = function (event, ...values) {
  try {
    return emit.call(this, event, ...values);
  } finally {
    if (event === "exit") finish();
  }
};

// A listener that calls process.exit() does not return to process.emit.
const { reallyExit } = process;
process.reallyExit = function (...values) {
  finish();
  return reallyExit.apply(this, values);
};

// Write the record before a signal ends the program. If the program handles the signal itself, go on recording.
const signalHandlers = {};

/** Whether the signal may end the program now. `beforeEnd()` is called before the record is finished. */
function finishAt(signal, beforeEnd = () => {}) {
  if (process.listenerCount(signal) > 1) return false;
  beforeEnd();
  finish();
  process.off(signal, signalHandlers[signal]);
  return true;
}

if (isMainThread) {
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) {
    signalHandlers[signal] = () => {
      recorder?.flush();
      if (finishAt(signal)) process.kill(process.pid, signal);
    };
    process.on(signal, signalHandlers[signal]);
  }
}

let hearsSignals = false;
/** In the middle of a call, too, if `warpo record` passes them on. */
function hearSignals() {
  if (hearsSignals || !isMainThread || setting(SIGNALS) === undefined) return;
  hearsSignals = true;
  const endCalls = () => (isSampled ? undefined : recorder?.own.endCalls());
  listenForSignals(setting(SIGNALS), (signal) => !finished && finishAt(signal, endCalls));
}
