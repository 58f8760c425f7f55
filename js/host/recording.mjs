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

/** Follows the trace points of all units, in the order in which they come. */
function followCalls() {
  const calls = new OpenCalls();
  const ids = [];
  return {
    /** A trace point of the unit that is also told to `record`. */
    tracePointOf(unit, record) {
      ids[unit.number] = unit.id;
      return (id, ...fuel) => {
        record(id, ...fuel);
        calls.follow(unit.number, id);
      };
    },
    openCalls: () => calls.list().map(({ module, id }) => ({ module: ids[module], id })),
  };
}

/** Without a target only the open calls are known, for traps. */
function openWarp(request) {
  const recorder = request.target && openRecorder(createWarpRecorder, request);
  const { tracePointOf, openCalls } = followCalls();
  return {
    tracePointOf(unit) {
      const name = tracePointNameOf(unit.module);
      const hasSectionsOnly = builtinsOf(unit.module).every(isSectionCall);
      if (recorder && name !== "tracePoint" && !hasSectionsOnly)
        throw new RunFailure("the format warp has calls only; take --record-format=warpo");
      const record = recorder?.tracePointOf(unit.id) ?? (() => {});
      const tracePoint = tracePointOf(unit, record);
      return { ...inertBuiltin(unit.module), ...(name && { [name]: tracePoint }) };
    },
    addPhases() {},
    closeSections() {},
    attach() {},
    isCallingGuest: () => false,
    openCalls,
    close: () => recorder?.close(),
    result: () => recorder && { ...recorder.counts, error: recorder.error },
  };
}

/**
 * Whether the times of events do not tell in which order calls of these units began: those of a
 * clock that is none, as each counts for itself, and of one that stands still for a while.
 */
function lacksOrder({ recordClock }, units) {
  const clock = recordClock ?? environmentOptions().clock ?? "exact";
  return clock !== "exact" && units.filter(({ module }) => tracePointNameOf(module)).length > 1;
}

function openWarpo(request, units) {
  const { names } = request;
  const create = (target, options) => createRecorder({ ...options, ...target });
  const recorder = openRecorder(create, request);
  const followed = lacksOrder(request, units) ? followCalls() : undefined;
  return {
    tracePointOf(unit) {
      const { bytes, id, path } = unit;
      const file = names.get(String(id));
      const mapping = file && readFileSync(file, "utf8");
      const instance = () => ({ exports: unit.instance?.exports, memory: unit.memory });
      const fileName = parse(path).name;
      const { builtin } = recorder.importsFor(bytes, { id, mapping, fileName, instance });
      const name = followed && tracePointNameOf(bytes);
      return name ? { ...builtin, [name]: followed.tracePointOf(unit, builtin[name]) } : builtin;
    },
    addPhases: (phases) => recorder.addPhases(phases),
    closeSections: () => recorder.closeSections(),
    attach: ({ instance, path }) => recorder.attach(instance, path),
    isCallingGuest: () => recorder.isCallingGuest,
    openCalls: () => (followed ?? recorder).openCalls(),
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
 * and `maxItems`; `units` are all modules of the program. Throws a RunFailure if that cannot be. The
 * result: `tracePointOf(unit)`, by the name that the module has for it; `openCalls()`, innermost
 * first, `{ module, id }`; `addPhases(phases)`, where the format has room; `attach(unit)`, once its
 * instance is complete; `isCallingGuest()`; `closeSections()`, once the program has returned;
 * `close()`; `result()`, the counts and the error.
 */
export function openRecording(request, units) {
  const open = FORMATS[request.target ? request.recordFormat : "warp"];
  if (open === undefined)
    throw new RunFailure(`records of the format '${request.recordFormat}' cannot be written here`);
  return open(request, units);
}
