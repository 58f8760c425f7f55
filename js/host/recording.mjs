// The record of a run, in either format: what run.mjs needs of a recorder.

import { readFileSync } from "node:fs";
import { parse } from "node:path";
import { environmentOptions, setting } from "../recorder/environment.mjs";
import { createRecorder } from "../recorder/node.mjs";
import { OpenCalls } from "../recorder/open-calls.mjs";
import {
  builtinsOf,
  inertBuiltin,
  isSectionCall,
  tracePointNameOf,
} from "../recorder/recorded-module.mjs";
import { RING_OF_SAMPLES } from "../recorder/recorder.mjs";
import { createWarpRecorder } from "../recorder/warp-recorder.mjs";
import { RunFailure } from "./failures.mjs";

function checked(recorder) {
  if (recorder.error !== undefined) throw new RunFailure(recorder.error);
  return recorder;
}

/** The recorder; a RunFailure if the environment asks for what there is not. */
function openRecorder(create, { target, maxItems, recordClock, sampling, guestStack }) {
  try {
    const options = { ...environmentOptions(), ...sampling, guestStack, maxItems };
    return checked(create(target, { ...options, clock: recordClock ?? options.clock }));
  } catch (error) {
    throw error instanceof RunFailure ? error : new RunFailure(error.message);
  }
}

/** Refuses, before anything runs, what could not be recorded of these modules. */
export function checkRecording({ target }, units) {
  const isSampled = ({ module }) => builtinsOf(module).some((name) => name.startsWith("sample"));
  if (target && setting("WARPO_RECORDER_POLICY") === "ring" && units.some(isSampled))
    throw new RunFailure(RING_OF_SAMPLES);
}

/** Without a target only the open calls are known, for traps. */
function openWarp(request) {
  const recorder = request.target && openRecorder(createWarpRecorder, request);
  const openCalls = new OpenCalls();
  const ids = [];
  return {
    tracePointOf(unit) {
      const name = tracePointNameOf(unit.module);
      const hasSectionsOnly = builtinsOf(unit.module).every(isSectionCall);
      if (recorder && name !== "tracePoint" && !hasSectionsOnly)
        throw new RunFailure("the format warp has calls only; take --record-format=warpo");
      const record = recorder?.tracePointOf(unit.id) ?? (() => {});
      ids[unit.number] = unit.id;
      const tracePoint = (id) => {
        record(id);
        openCalls.follow(unit.number, id);
      };
      return { ...inertBuiltin(unit.module), ...(name && { [name]: tracePoint }) };
    },
    addPhases() {},
    closeSections() {},
    attach() {},
    isCallingGuest: () => false,
    openCalls: () => openCalls.list().map(({ module, id }) => ({ module: ids[module], id })),
    close: () => recorder?.close(),
    result: () => recorder && { ...recorder.counts, error: recorder.error },
  };
}

function openWarpo(request) {
  const { names } = request;
  const create = (target, options) => createRecorder({ ...options, ...target });
  const recorder = openRecorder(create, request);
  return {
    tracePointOf(unit) {
      const { bytes, id, path } = unit;
      const file = names.get(String(id));
      const mapping = file && readFileSync(file, "utf8");
      const instance = () => ({ exports: unit.instance?.exports, memory: unit.memory });
      const fileName = parse(path).name;
      return recorder.importsFor(bytes, { id, mapping, fileName, instance }).builtin;
    },
    addPhases: (phases) => recorder.addPhases(phases),
    closeSections: () => recorder.closeSections(),
    attach: ({ instance, path }) => recorder.attach(instance, path),
    isCallingGuest: () => recorder.isCallingGuest,
    openCalls: () => recorder.openCalls(),
    close: () => recorder.close(),
    result: () => ({
      ...recorder.counts,
      error: recorder.error,
      sections: recorder.sectionFaults,
      guestStackProblems: recorder.guestStackProblems,
    }),
  };
}

const FORMATS = { warp: openWarp, warpo: openWarpo };

/**
 * Opens the record that `request` wants: `recordFormat`, `recordClock` unless the environment says
 * it, `target` (`{ file }`, `{ fd }` or nothing), `names` (a Map from module ids to mapping files)
 * and `maxItems`. Throws a RunFailure if that cannot be. The result: `tracePointOf(unit)`, by the name that the module has for it;
 * `openCalls()`, innermost first, `{ module, id }`; `addPhases(phases)`, where the format has room; `attach(unit)`, once its instance is complete;
 * `isCallingGuest()`; `closeSections()`, once the program has returned; `close()`; `result()`, the counts and the error.
 */
export function openRecording(request) {
  const open = FORMATS[request.target ? request.recordFormat : "warp"];
  if (open === undefined)
    throw new RunFailure(`records of the format '${request.recordFormat}' cannot be written here`);
  return open(request);
}
