// SPDX-License-Identifier: Apache-2.0
// node --import warpo/register app.mjs
//
// Records the instrumented modules of a program that knows nothing of it. Environment: README.md.

import { existsSync, unlinkSync } from "node:fs";
import { resolve } from "node:path";
import { isMainThread, threadId } from "node:worker_threads";
import { fileBeside, writeArtifactFiles } from "./host/artifact-files.mjs";
import { CountedPart } from "./host/counted-part.mjs";
import { COUNTS, artifactLeft, artifactsOf, heldBy, holdsArtifacts, holdsCounts } from "./recorder/artifacts/artifacts.mjs";
import { offerCounts } from "./recorder/artifacts/counts-so-far.mjs";
import { checkVariables, environmentOptions, isQuietSetting, ofVariable, samplingOptions, setting } from "./recorder/node/environment.mjs";
import { warnOfFailure } from "./recorder/node/failure-warning.mjs";
import { FileNames, libraryOfNode } from "./recorder/node/file-names.mjs";
import { joinRecords } from "./recorder/node/joined-records.mjs";
import { withMembers } from "./recorder/hook.mjs";
import { addWaiting, LeftCalls } from "./recorder/artifacts/left-calls.mjs";
import { createRecorder, hookWebAssembly } from "./recorder/node.mjs";
import { performance } from "./recorder/engine/own-engine.mjs";
import { endsAtOnce } from "./recorder/node/own-exit.mjs";
import { dataOfProcess, shareProcessData } from "./recorder/node/process-data.mjs";
import { timeOfProcess } from "./recorder/node/process-time.mjs";
import { OPTIONS_OF_PROFILES, ProfiledProgram } from "./recorder/samples/profiled-program.mjs";
import { isInstrumented } from "./recorder/modules/builtin-imports.mjs";
import { checkOptions } from "./recorder/recorder-options.mjs";
import { SharedModules } from "./recorder/node/shared-modules.mjs";
import { SharedNames } from "./recorder/threads/shared-names.mjs";
import { listenForSwitch, openSwitch, ProcessSwitch } from "./recorder/node/switch-listener.mjs";
import { systemMessage } from "./recorder/record/system-message.mjs";
import { createRecorderOfThread, takeProfilingArguments, ThreadProfiles } from "./recorder/node/thread-profiles.mjs";
import { announceEnd, announceFetched, announceHeld, announceProgram, announceRecord, ThreadRecords } from "./recorder/node/threads.mjs";
import { hookWorkers } from "./recorder/node/worker-hook.mjs";

const OWNER = "WARPO_RECORDER_PROCESS";
const INSTRUMENT = "WARPO_RECORDER_INSTRUMENT";
const COUNTS_OF = "WARPO_RECORDER_COUNTS_OF";
const WARPS_FILE = "WARP_TRACING_RECORDER_FILE";
// Threads and processes that the program starts inherit it.
const isFirst = setting(OWNER) === undefined;

const fileSetting = setting("WARPO_RECORDER_FILE", WARPS_FILE) ?? "app.warpo";
// As it is when the process begins, in all of its threads: the program may go to another folder.
const processFile = dataOfProcess?.file ?? resolve(fileSetting);

/**
 * A process of ours and a thread write a file of their own: the name says which. The record, or what lies beside it.
 */
function fileOfThisThread(extension, record = processFile) {
  let file = fileBeside(record, extension);
  if (isFirst) process.env[OWNER] = String(process.pid);
  if (setting(OWNER) !== String(process.pid)) file += `.${process.pid}`;
  return isMainThread ? file : `${file}-${threadId}`;
}

// As messages name it: where `warpo record` puts the files of all processes together, its user knows of none of them.
// And where it is.
const isOfMany = setting(OWNER) === "0";
const titleOfThread = () => `process ${process.pid}${isMainThread ? "" : `, thread ${threadId}`}`;
const file = isOfMany ? titleOfThread() : fileOfThisThread("", fileSetting);
const place = fileOfThisThread("");
let recorder;

function say(text) {
  process.stderr.write(`warpo: ${text}\n`);
}

// Elsewhere WARP's own variable alone asks for WARP's own format.
if (isFirst && !setting("WARPO_RECORDER_FILE", "WARPO_RECORDER_FORMAT") && setting(WARPS_FILE))
  say(
    `${file}: JavaScript writes the format warpo here too, not the 16 bytes an event of warp; ` +
      `with WARPO_RECORDER_FILE in place of ${WARPS_FILE} this is not said`,
  );

// The main thread finishes the records of the others. One that it does not know of stands alone.
const names = isMainThread || dataOfProcess ? new SharedNames(dataOfProcess?.names) : undefined;
const sayOf = (file, message) => say(`${file}: ${message}`);
const threads = isMainThread ? new ThreadRecords(sayOf, writeLeftArtifacts) : undefined;
// What other threads compile, where V8's profiler samples; and whether it does so here for the main thread.
const isSampled = setting("WARPO_RECORDER_SAMPLER") !== undefined;
const sharedModules = isSampled && (isMainThread || dataOfProcess) ? new SharedModules(dataOfProcess?.modules) : undefined;
const profiling = takeProfilingArguments();
const isProfiled = profiling !== undefined;
let threadProfiles = isProfiled ? { argumentsBeside: () => profiling, follow() {} } : undefined;
const isSwitched = isMainThread ? isFirst && setting("WARPO_RECORDER_SWITCH") !== undefined : dataOfProcess?.recordSwitch !== undefined;
const recordSwitch = isSwitched ? new ProcessSwitch(dataOfProcess?.recordSwitch) : undefined;
if (isMainThread) shareProcessData(names, processFile, timeOfProcess, { modules: sharedModules, recordSwitch });
const announce = dataOfProcess && ((description) => announceRecord(place, description));

// Where the record's time begins, which is that of all threads.
let began;

hookWorkers(import.meta.url, {
  onStart() {
    began ??= performance.now();
    names?.share();
    // Where modules are known to have trace points. Else the main thread starts it for the first that has some.
    if (isMainThread && wantsCalls() && recordOptions().clock === "thread") timeOfProcess.start();
  },
  onEnd: (id) => (threads === undefined ? announceEnd(id) : threads.end(id)),
  profiles: () => threadProfiles,
});

/**
 * Whether modules may have trace points: here they get some, or what they have is not known before they are compiled.
 */
const mayHaveCalls = () => (setting(INSTRUMENT) ?? "trace").split(/[\s,]/).includes("trace");

const wantsCalls = () => !isSampled && mayHaveCalls() && setting(INSTRUMENT, "WARPO_RECORDER_CLOCK") !== undefined;

/** The options of the record from the environment; throws for invalid ones. */
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

/** A pipe switches all threads of the first process: its lines are read once. */
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
  return (recorder ??= createRecorder({ file: place, announce, names, begin: began, onFailure: (error) => warnOfFailure("warpo", error), ...recordOptions(), ...own }));
}

/** A module of the program is to be recorded. */
function recordProgram() {
  return recorder ?? (recordSwitch === undefined ? openRecorder() : recordSwitch.open(openRecorder));
}

const files = new FileNames();

// What is instrumented at compilation, and how; undefined: nothing.
const instrumenting = setting(INSTRUMENT) !== undefined && {
  instrumentations: setting(INSTRUMENT),
  clockOf: () => recordOptions().clock,
  folder: setting("WARPO_RECORDER_INSTRUMENT_FOLDER"),
  files,
  say,
};
const instrumenter = instrumenting && (await import("./instrumenting.mjs"));

let isQuiet = false;

// A program is not run for a record that it cannot have. Its threads have the same settings.
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

/** Instances that collect something by themselves: `{ instance, module }`. */
const holders = [];
const leftCalls = new LeftCalls();
offerCounts(holders, leftCalls);

/** If counts are those of a part of the run: it follows the instances that count. */
const countedPart = setting(COUNTS_OF) === undefined ? undefined : new CountedPart(setting(COUNTS_OF), [], leftCalls);
countedPart?.beginPhase("run");

/** The end of a program of WASI may be an exception, which only its host sees. */
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
/** Errors of programs that count nothing are ignored. */
function hearErrors() {
  if (!hearsErrors) process.on("uncaughtExceptionMonitor", (error) => leftCalls.addError(error));
  hearsErrors = true;
}

/** V8's profiler of this thread, if it is to sample. An invalid setting ends the program. */
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

/** For the samples of this thread and, in one that Node profiles, for the main thread, which resolves them. */
function keepModule(bytes, name) {
  profiled?.addModule(bytes, name);
  if (isProfiled && WebAssembly.validate(bytes)) sharedModules?.add(bytes, name);
}

let said;
hookWebAssembly(isSampled ? refuseInstrumented : recordProgram, {
  // Of modules that are instrumented here, FileNames knows the library already.
  fileNameOf: (bytes) => files.find(bytes) ?? (isSampled ? libraryOfNode() : undefined),
  keepsCode: recordSwitch !== undefined,
  onBytes: keepModule,
  onDescription: (description) => names?.add(description),
  hasCalls: !isSampled,
  wrapImports: isSampled ? undefined : followExit,
  wrapBuiltin: countedPart && ((builtin, look) => countedPart.follow(look, builtin)),
  onWait: () => (hearsErrors ? addWaiting() : undefined),
  onInstance(instance, module) {
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
    if (said !== error.message) say(`${file}: ${what}${error.message}`);
    said = error.message;
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
  // A record only if nothing else is recorded.
  const isLeftOut = ({ extension }) => extension === "" && recorder !== undefined;
  for (const what of new Set(artifacts.filter(isLeftOut).map(({ description }) => description)))
    say(`${file}: ${what} is not recorded beside the trace points of other modules`);
  writeArtifactFiles(
    artifacts.filter((artifact) => !isLeftOut(artifact)),
    { fileOf: fileOfThisThread, taken: recorder && place, say },
  );
}

/** Advice on lost counts. By default counters are in a memory already if this version of Node supports it. */
function adviceOnLost({ format, mayMove }) {
  if (format !== COUNTS || countedPart !== undefined) return "";
  if (mayMove) return "; if memories are shared, --counters-in=memory keeps it";
  return instrumenter && !instrumenter.takesSeveralMemories ? "; newer versions of Node keep it if memories are shared" : "";
}

/** The artifacts of a thread that was terminated from outside. What it counted in a part of its run, it alone knew. */
function writeLeftArtifacts(id, held) {
  const isLost = ({ memory, format }) => memory === undefined || (format === COUNTS && countedPart !== undefined);
  const lost = held.filter(isLost);
  writeArtifactFiles(held.filter((artifact) => !isLost(artifact)).map(artifactLeft), {
    fileOf: (extension) => `${fileOfThisThread(extension)}-${id}`,
    say,
  });
  const counts = new Map(); // by what is lost, and by what keeps it
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
  const records = threads?.close() ?? [];
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

/** Only for the first process, as below, and if no other thread may have counted anything. */
function sayIfPartIsEmpty() {
  const isAlone = isMainThread && isFirst && !threads.hasHeld;
  if (isAlone && !isQuiet && countedPart?.isEmpty && (recorder !== undefined || holders.length > 0))
    say(`${file}: nothing was executed in a section or phase '${setting(COUNTS_OF)}'`);
}

/** Only for the first process: those that it starts may have nothing to do with WebAssembly. */
function sayIfNothing(hasOthers) {
  const isSaid = said !== undefined || isQuiet;
  if (isMainThread && isFirst && !hasOthers && !isSaid && holders.length === 0 && !threads.hasHeld)
    say(
      `${file}: nothing is recorded: ` +
        (instrumenter
          ? "no module was compiled that could be instrumented"
          : "no instrumented module was compiled; WARPO_RECORDER_SAMPLER=engine samples modules as they are"),
    );
}

function remove(joinedFile) {
  try {
    unlinkSync(joinedFile);
  } catch (error) {
    say(`${joinedFile}: is in ${file} too and cannot be removed: ${systemMessage(error)}`);
  }
}

/** That of this thread. It may have nothing of its own to record: then its clock need not run. */
function recorderToJoin() {
  if (recorder !== undefined) return recorder;
  if (profiled !== undefined) return (recorder = openProfile(began));
  return openRecorder(recordOptions().clock === "thread" ? { clock: "exact" } : {});
}

const openProfile = (begin) => createRecorder({ file: place, announce, ...environmentOptions(), ...OPTIONS_OF_PROFILES, begin });

/** Returns the records that it has written of other threads, `[threadId, file]` each. */
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

/** Of a record that is closed; `isAlone`: no thread has samples of its own. */
function sayWhySamplesAreFew(isAlone) {
  if (process.listenerCount("SIGPROF") > 0)
    say(`${file}: samples are missing: the program handles SIGPROF, the signal of V8's profiler, and gets it for every sample`);
  else if (isAlone && recorder.own.eventCount === 0)
    say(`${file}: the program ended after ${profiled.elapsed.toFixed(1)} ms, before its first sample`);
}

/**
 * `apart`: the records of threads that have stayed files of their own, `[threadId, file]` each; `isAlone`: no other
 * thread has one.
 */
function finishRecord(apart, isAlone) {
  recorder.close();
  const { lostToBuffer, lostToLimit, lostToFailure, meaningless } = recorder.counts;
  if (recorder.error !== undefined) say(`${recorder.error}; ${lostToFailure} events are lost`);
  for (const problem of [...recorder.guestStackProblems, ...recorder.problems]) say(`${file}: ${problem}`);
  if (lostToBuffer > 0) say(`${file}: ${lostToBuffer} events are missing: the buffer was full`);
  if (lostToLimit > 0) say(`${file}: ${lostToLimit} events are missing: the limit was reached`);
  if (meaningless > 0) say(`${file}: ${meaningless} events are missing: no function has such an id`);
  if (isMainThread && profiled) sayWhySamplesAreFew(isAlone);
  const isSaid = isMainThread && isFirst && !isQuiet;
  if (recorder.error === undefined && isSaid) sayWhatIsThere(recorder.own, apart);
}

const MOST_NAMED = 4;

/** As Intl does it, which takes long to load. */
const groupDigits = (number) => String(number).replaceAll(/\B(?=(\d{3})+$)/g, ",");

function sayWhatIsThere({ eventCount, hasEvents, hasSamples }, apart) {
  const kinds = hasSamples || profiled ? [...(hasEvents ? ["event"] : []), "sample"] : ["event"];
  const nouns = kinds.map((kind) => (eventCount === 1 ? kind : `${kind}s`));
  const what = nouns.join(eventCount === 1 ? " or " : " and ");
  say(`recorded ${groupDigits(eventCount)} ${what} to ${file}${besideIt(apart)}`);
}

function besideIt(apart) {
  if (apart.length === 0) return "";
  const files = apart.slice(0, MOST_NAMED).map(([id]) => `${file}-${id}`);
  if (apart.length > MOST_NAMED) files.push(`and ${apart.length - MOST_NAMED} more`);
  const own = apart.length === 1 ? "thread has a record of its own" : "threads have records of their own";
  return `; ${apart.length} ${own}: ${files.join(", ")}`;
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
