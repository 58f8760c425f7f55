// SPDX-License-Identifier: Apache-2.0
// What an instrumented module imports from `builtin`: what the imports say about the module, and inert functions for
// modules that are not recorded.

import { DUE_EXPORTS, FUEL_EXPORTS } from "./counters.mjs";
import { customSection, exportsOf, exportsOneOf, importsOf } from "./module-parts.mjs";
import { Memory } from "../engine/own-engine.mjs";

/** Reports that the module may leave its stack. A result of 0 means "not recorded": then its return is not reported. */
const LEAVES = ["leaveStack", "leaveStackFuel"];
const SWITCHES = [...LEAVES, "enterStack"];
const SAMPLES = ["sample", "sampleCaller"];
const SECTIONS = ["beginSection", "endSection"];
/** The functions that instrumenting adds to a module's imports from `builtin`, behind all other imports. */
const ADDED = ["tracePoint", "tracePointFuel", "outOfFuel", ...SAMPLES, "enterFrame", "leaveFrame", ...SWITCHES, "enterModule", "heap"];
/** The functions of `builtin` that trace points call; a module imports at most one. */
const TRACE_POINTS = ["tracePoint", "tracePointFuel"];
const isTracePoint = ({ module, name }) => module === "builtin" && TRACE_POINTS.includes(name);

/** Whether an import is the function that functions call at entry, with their ids. */
export const isEntry = ({ module, name }) =>
  module === "builtin" && [...TRACE_POINTS, "enterFrame"].includes(name);

/** Whether an import is the function to which a module reports heap events. */
export const isHeap = ({ module, name }) => module === "builtin" && name === "heap";
/**
 * Whether a memory imported from `builtin` replaces the module's own memory: its name is then its type (newMemory()).
 */
const isOwnMemory = (name) => /^memory \d+( \d+)?( shared)?( i64)?$/.test(name);
/** The memory in which a module stores events by itself. */
const STORE = "storedIds";
/** Whether instrumenting has added a memory to a module's imports. */
const isAddedMemory = ({ module, name, kind }) => module === "builtin" && kind === "memory" && (name === STORE || isOwnMemory(name));
/** Whether an import is a memory of the recorder's, not of the program's. */
export const isStore = (entry) => isAddedMemory(entry) && !isOwnMemory(entry.name);
/** Whether a module stores events by itself. */
export const hasStore = (source) => importsOf(source).some(isStore);
/** Whether instrumenting has added an import. */
export const isAdded = (entry) => isAddedMemory(entry) || (entry.module === "builtin" && ADDED.includes(entry.name));
/** Whether instrumenting has added an export. */
const isAddedExport = ({ module, name }) => module === undefined && name.startsWith("__warpo_");
/** The section that instrumenting leaves in every module. */
export const IDENTITY = "warpo.module";

/** Entries of `Module.imports()` or `Module.exports()` of a module without those that instrumenting has added. */
export function asCompiled(module, entries) {
  const isOurs = (entry) => isAdded(entry) || isAddedExport(entry);
  const isInstrumented = entries.some(isOurs) && customSection(module, IDENTITY) !== undefined;
  return isInstrumented ? entries.filter((entry) => !isOurs(entry)) : entries;
}

/** The number of functions that the original module imports. */
export const importedFunctionCount = (source) => importsOf(source).filter((entry) => entry.kind === "function" && !isAdded(entry)).length;

/** Whether a function of `builtin` begins or ends a section. */
export const isSectionCall = (name) => SECTIONS.includes(name);

const isRecorded = (entry) =>
  isTracePoint(entry) ||
  (entry.module === "builtin" && [...SAMPLES, ...SECTIONS, "heap"].includes(entry.name));

/** Whether a module reports anything that can be recorded; false for bytes that are no module. */
export const isInstrumented = (source) => importsOf(source).some(isRecorded);
/** Whether instrumenting has added reports to a module. Sections do not count: programs have those by themselves. */
export const hasTracePoints = (source) => importsOf(source).some((entry) => isRecorded(entry) && !isSectionCall(entry.name));

/** The names of the functions that a module imports from `builtin`. */
export const builtinsOf = (source) =>
  importsOf(source)
    .filter(({ module, kind }) => module === "builtin" && kind === "function")
    .map(({ name }) => name);

/**
 * The name of the function that a module's trace points call, `tracePoint` or `tracePointFuel`;
 * undefined for a module without trace points, and for bytes that are no module.
 */
export const tracePointNameOf = (source) => importsOf(source).find(isTracePoint)?.name;
/** Whether a module with these imports from `builtin` reports heap events. */
export const importsHeap = (names) => names.includes("heap");
/** The name under which a module, given as bytes, exports its first memory, if it does. Those of the recorder do not count. */
export function firstMemoryExport(bytes) {
  const imported = importsOf(bytes).filter(({ kind }) => kind === "memory");
  const first = imported.findIndex((entry) => !isStore(entry));
  return exportsOf(bytes).find(({ kind, index }) => kind === "memory" && index === (first < 0 ? imported.length : first))?.name;
}
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

/** Whether a module keeps its open calls in a memory and reports them only when a sample or a heap event needs them. */
export const reportsLate = (source) => exportsOneOf(source, ["__warpo_stack"]);
/** Whether a module can leave out heap events that a sampled record does not need: HeapFilter.cpp. */
export const leavesOutHeap = (source) => exportsOneOf(source, ["__warpo_connect_heap"]);

/** Imports from `builtin` for a module that is not recorded. */
export function inertBuiltin(source) {
  const never = 2n ** 63n - 1n;
  const functions = builtinsOf(source).map((name) => [name, LEAVES.includes(name) ? () => 0 : () => never]);
  return { ...Object.fromEntries(functions), ...memoriesFor(source) };
}

let noEvents;
/** Imported if trace points are to call instead of storing: it contains only zeros. */
const memoryOfNoEvents = () => (noEvents ??= new Memory({ initial: 1, maximum: 1, shared: true }));

/**
 * The memories that a module imports from `builtin` (--events-in=memory): `store` for events, and a new one in place of
 * its own.
 */
export function memoriesFor(source, store) {
  const names = importsOf(source).filter(isAddedMemory).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, isOwnMemory(name) ? newMemory(name) : (store ?? memoryOfNoEvents())]));
}

/** A memory whose type is its name: `memory 16`, `memory 16 256 shared i64`. */
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
