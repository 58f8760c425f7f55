// SPDX-License-Identifier: Apache-2.0
// The recorder as run.mjs uses it.

import { readFileSync } from "node:fs";
import { parse } from "node:path";
import { environmentOptions, setting } from "../recorder/node/environment.mjs";
import { createRecorder } from "../recorder/node.mjs";
import { OpenCalls } from "../recorder/calls/open-calls.mjs";
import { builtinsOf, inertBuiltin, tracePointNameOf } from "../recorder/modules/builtin-imports.mjs";
import { RING_OF_SAMPLES } from "../recorder/modules/known-modules.mjs";
import { warnOfFailure } from "../recorder/node/failure-warning.mjs";
import { listenForSwitch, offerSwitch } from "../recorder/node/switch-listener.mjs";
import { RunFailure } from "./failures.mjs";
import { inOrderOfRun } from "./program.mjs";

function checked(recorder) {
  if (recorder.error !== undefined) throw new RunFailure(recorder.error);
  return recorder;
}

/**
 * Recorder options for a request; throws RunFailure if the environment asks for what is not supported. `hasCalls`: a
 * module has trace points.
 */
export function recorderOptions({ target, maxItems, recordClock, sampling, guestStack }, hasCalls = false) {
  try {
    const options = { ...environmentOptions({ hasCalls }), ...sampling, ...target, guestStack, maxItems, runsOnce: true };
    return { ...options, clock: recordClock ?? options.clock };
  } catch (error) {
    throw new RunFailure(error.message);
  }
}

export function openRecorder(options) {
  try {
    return checked(createRecorder({ ...options, onFailure: (error) => warnOfFailure("warpo-run: warning", error) }));
  } catch (error) {
    throw error instanceof RunFailure ? error : new RunFailure(error.message);
  }
}

/** Before the program runs: throws RunFailure if these modules cannot be recorded with these settings. */
export function checkRecording({ target }, units) {
  const isSampled = ({ module }) => builtinsOf(module).some((name) => name.startsWith("sample") || name === "heap");
  if (target && setting("WARPO_RECORDER_POLICY") === "ring" && units.some(isSampled))
    throw new RunFailure(RING_OF_SAMPLES);
}

/** Tracks only the open calls, for traps. */
function openWithoutRecord() {
  const calls = new OpenCalls();
  const ids = [];
  return {
    tracePointOf(unit) {
      const name = tracePointNameOf(unit.module);
      ids[unit.number] = unit.id;
      const tracePoint = (id) => calls.follow(unit.number, id);
      return { ...inertBuiltin(unit.module), ...(name && { [name]: tracePoint }) };
    },
    addPhases() {},
    closeSections() {},
    attach() {},
    isCallingGuest: () => false,
    endCalls() {},
    openCalls: () => calls.list().map(({ module, id }) => ({ module: ids[module], id })),
    close() {},
    result() {},
  };
}

function openRecord(request, units) {
  const { names } = request;
  const hasCalls = units.some(({ module }) => tracePointNameOf(module) !== undefined);
  const recorder = openRecorder(recorderOptions(request, hasCalls));
  if (request.switchFd !== undefined) {
    offerSwitch((wish) => recorder.own.interrupt(wish));
    listenForSwitch(request.switchFd, "socket", (text) => recorder.own.problems.push(text));
  }
  const optionsOf = (unit) => {
    const { id, path } = unit;
    const file = names.get(String(id));
    const mapping = file && readFileSync(file, "utf8");
    const instance = () => ({ exports: unit.instance?.exports, memory: unit.memory });
    // What the user's host provides takes precedence.
    const importedAs = request.host === undefined ? (unit.name ?? "") : undefined;
    return { id, mapping, fileName: parse(path).name, keepsCode: request.switchFd !== undefined, instance, importedAs };
  };
  const recorded = new Map();
  // Declare all modules before the program runs, so that they are in the same order as in other engines' records.
  const declareAll = () => {
    for (const unit of inOrderOfRun(units)) if (unit.instrumented) recorded.set(unit, [unit.bytes, optionsOf(unit)]);
    recorder.declare([...recorded.values()]);
  };
  // Engines differ in how they compile; do not record it if the record is to be the same in each.
  const isComparable = ({ name }) => request.recordClock !== "fuel" || name !== "compile";
  return {
    tracePointOf(unit, imports) {
      if (recorded.size === 0) declareAll();
      const [bytes, options] = recorded.get(unit);
      return recorder.importsFor(bytes, { ...options, imports }).builtin;
    },
    addPhases: (phases) => recorder.addPhases(phases.filter(isComparable)),
    closeSections: () => recorder.closeSections(),
    attach: ({ instance, path }) => recorder.attach(instance, path),
    isCallingGuest: () => recorder.isCallingGuest,
    openCalls: () => recorder.openCalls(),
    endCalls: () => recorder.own.endCalls(),
    tasks: () => recorder.tasks,
    close: () => recorder.close(),
    result: () => ({
      ...recorder.counts,
      error: recorder.error,
      sections: recorder.sectionFaults,
      problems: [...recorder.guestStackProblems, ...recorder.problems],
    }),
  };
}

/**
 * Opens the record that `request` describes: `target` (`{ file }`, `{ fd }` or undefined), `recordClock` (default: from
 * the environment), `names` (a Map from module ids to mapping files), `maxItems`. `units` are the program's modules.
 * Throws RunFailure if that fails. The result:
 *
 * - `tracePointOf(unit, imports)`: its trace point, by the name that the module imports it under
 * - `openCalls()`: `{ module, id }` each, innermost first
 * - `endCalls()`: to be called if a signal has ended the program's calls
 * - `addPhases(phases)`
 * - `attach(unit)`: to be called once its instance is complete
 * - `isCallingGuest()`
 * - `tasks()`: TaskMarks of the recorder; only with a record
 * - `closeSections()`: to be called once the program has returned
 * - `close()`
 * - `result()`: the counts and the error
 */
export function openRecording(request, units) {
  return request.target ? openRecord(request, units) : openWithoutRecord();
}
