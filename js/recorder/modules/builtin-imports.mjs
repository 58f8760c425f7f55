// SPDX-License-Identifier: Apache-2.0
// What an instrumented module imports from `builtin`: what that says of the module, and what stands there where nothing is recorded.

import { DUE_EXPORTS, FUEL_EXPORTS } from "./counters.mjs";
import { customSection, exportsOneOf, importsOf } from "./module-parts.mjs";
import { Memory } from "../engine/own-engine.mjs";

/** By which a module tells that it may leave its stack. Where nothing is recorded it gets 0, and tells nothing when it comes back. */
const LEAVES = ["leaveStack", "leaveStackFuel"];
const SWITCHES = [...LEAVES, "enterStack"];
const SAMPLES = ["sample", "sampleCaller"];
const SECTIONS = ["beginSection", "endSection"];
/** What instrumenting adds to a module's imports from `builtin`, behind all others. */
const ADDED = ["tracePoint", "tracePointFuel", "outOfFuel", ...SAMPLES, "enterFrame", "leaveFrame", ...SWITCHES, "heap"];
/** What an instrumented module calls at its trace points: one of these, of module `builtin`. */
const TRACE_POINTS = ["tracePoint", "tracePointFuel"];
const isTracePoint = ({ module, name }) => module === "builtin" && TRACE_POINTS.includes(name);

/** Whether an import is what functions call first, with their ids. */
export const isEntry = ({ module, name }) =>
  module === "builtin" && [...TRACE_POINTS, "enterFrame"].includes(name);

/** Whether an import is what tells of a module's heap. */
export const isHeap = ({ module, name }) => module === "builtin" && name === "heap";
/** Whether a memory that a module imports from `builtin` takes the place of its own: called by its type (newMemory()). */
const isOwnMemory = (name) => /^memory \d+( \d+)?( shared)?( i64)?$/.test(name);
/** Where a module stores events by itself: one for each kind of event. */
const STORES = ["events", "timedEvents"];
/** Whether instrumenting has added a memory to a module's imports. */
const isAddedMemory = ({ module, name, kind }) => module === "builtin" && kind === "memory" && (STORES.includes(name) || isOwnMemory(name));
/** Whether the memory of an entry of a module's imports is one of the recorder's, and not the program's. */
export const isStore = (entry) => isAddedMemory(entry) && !isOwnMemory(entry.name);
/** Whether instrumenting has added an entry of a module's imports. */
export const isAdded = (entry) => isAddedMemory(entry) || (entry.module === "builtin" && ADDED.includes(entry.name));
/** The same of an entry of a module's exports. */
const isAddedExport = ({ module, name }) => module === undefined && name.startsWith("__warpo_");
/** The section that instrumenting leaves in every module. */
export const IDENTITY = "warpo.module";

/** Entries of `Module.imports()` or `Module.exports()` of a module without those that instrumenting has added. */
export function asCompiled(module, entries) {
  const isOurs = (entry) => isAdded(entry) || isAddedExport(entry);
  const isInstrumented = entries.some(isOurs) && customSection(module, IDENTITY) !== undefined;
  return isInstrumented ? entries.filter((entry) => !isOurs(entry)) : entries;
}

/** How many functions a module imports beside what instrumenting has added. */
export const importedFunctionCount = (source) => importsOf(source).filter((entry) => entry.kind === "function" && !isAdded(entry)).length;

/** What of builtins are calls of sections. */
export const isSectionCall = (name) => SECTIONS.includes(name);

const isRecorded = (entry) =>
  isTracePoint(entry) ||
  (entry.module === "builtin" && [...SAMPLES, ...SECTIONS, "heap"].includes(entry.name));

/** Whether a module gives anything to be recorded; false for bytes that are no module. */
export const isInstrumented = (source) => importsOf(source).some(isRecorded);
/** Whether a module has been given something to record, beside sections, which programs have by themselves. */
export const hasTracePoints = (source) => importsOf(source).some((entry) => isRecorded(entry) && !isSectionCall(entry.name));

/** The names of the functions that a module imports from `builtin`. */
export const builtinsOf = (source) =>
  importsOf(source)
    .filter(({ module, kind }) => module === "builtin" && kind === "function")
    .map(({ name }) => name);

/**
 * The name of the function that a module's trace points call, `tracePoint` or `tracePointFuel`;
 * undefined of a module that has none, or of bytes that are no module.
 */
export const tracePointNameOf = (source) => importsOf(source).find(isTracePoint)?.name;
/** Whether a module with these imports from `builtin` tells what it does with its heap. */
export const tellsOfHeap = (names) => names.includes("heap");
/** Whether hosts can read the counter of a module's fuel. */
export const exportsFuel = (source) => exportsOneOf(source, FUEL_EXPORTS);

/** Whether a module with these imports from `builtin` asks for samples. Throws if they are due by a timer. */
export function asksForSamples(source, names) {
  if (!names.some((name) => SAMPLES.includes(name))) return false;
  if (exportsOneOf(source, DUE_EXPORTS) && !exportsFuel(source))
    throw new TypeError(
      "the module's samples are due by a timer that sets a global (--due=time), which no other thread can do in JavaScript; " +
        "instrument it with --due=fuel",
    );
  return true;
}

/** Whether a module keeps its open calls, and tells of them late. */
export const isToldLate = (source) => exportsOneOf(source, ["__warpo_stack"]);

/** What takes the place of `builtin` where a module is not recorded. */
export function inertBuiltin(source) {
  const never = 2n ** 63n - 1n;
  const functions = builtinsOf(source).map((name) => [name, LEAVES.includes(name) ? () => 0 : () => never]);
  return { ...Object.fromEntries(functions), ...memoriesFor(source) };
}

let noEvents;
/** What is imported where trace points are to call: only zeros stand there. */
const memoryOfNoEvents = () => (noEvents ??= new Memory({ initial: 1, maximum: 1, shared: true }));

/**
 * The memories that a module imports from `builtin` (--events-in=memory): in which it stores its events, of `events`, by name,
 * and a new one in the place of its own.
 */
export function memoriesFor(source, events = {}) {
  const names = importsOf(source).filter(isAddedMemory).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, isOwnMemory(name) ? newMemory(name) : (events[name] ?? memoryOfNoEvents())]));
}

/** Of the type that the name says: `memory 16`, `memory 16 256 shared i64`. */
function newMemory(name) {
  const numbers = name.match(/\d+\b(?<!i64)/g);
  const is64 = name.endsWith(" i64");
  const [initial, maximum] = is64 ? numbers.map(BigInt) : numbers.map(Number);
  return new Memory({
    initial,
    ...(maximum !== undefined && { maximum }),
    ...(name.includes(" shared") && { shared: true }),
    ...(is64 && { address: "i64" }),
  });
}
