// SPDX-License-Identifier: Apache-2.0
// What instances hold at the end for their host to fetch, as their modules list it: docs/instrumented-module.md.
// lib/Engine/Artifacts.cpp does the same for the other engines.

import { BEGUN, LeftCalls, UNKNOWN_CALLS } from "./left-calls.mjs";
import { dumpInMemory, dumpOfRanks, FORMAT, MEMORY, RANKS } from "./order-dump-format.mjs";
import { Module } from "../engine/own-engine.mjs";
import { customSection } from "../modules/module-parts.mjs";
import { readIdentity } from "../modules/recorded-module.mjs";
import { WasmReader } from "../modules/wasm-reader.mjs";

const SECTION = "warpo.artifacts";
/** The format that wants to know which calls were left in the middle. */
export const COUNTS = "counts";
/**
 * A section, without content, of modules that are instrumented at compilation, unless the user says in what counters
 * are.
 */
export const CHOSEN_STORE = "warpo.chosen-store";
const ACCESS = ["memory", "function", "globals"];
const BYTES_OF_TYPE = new Map([
  [0x7f, 4],
  [0x7e, 8],
]);
const MOST_NUMBERS = 1 << 24;
/** No engine takes a module with more functions. */
const MOST_FUNCTIONS = 1_000_000;
const NAME = /^[\w.-]{1,64}$/;

const list = (count, item) => {
  const items = [];
  for (; count > 0; --count) items.push(item());
  return items;
};

function readArtifact(reader) {
  const [format, extension, description] = [reader.name(), reader.name(), reader.name()];
  const artifact = { format, extension, description, head: reader.slice(reader.number()) };
  artifact.access = ACCESS[reader.byte()];
  if (artifact.access === "memory") {
    artifact.exports = [reader.name()];
    artifact.offset = reader.number();
    artifact.size = reader.number();
  } else if (artifact.access === "function") {
    artifact.exports = [reader.name()];
    artifact.width = BYTES_OF_TYPE.get(reader.byte());
    artifact.count = reader.number();
  } else if (artifact.access === "globals") {
    artifact.width = BYTES_OF_TYPE.get(reader.byte());
    artifact.exports = list(reader.number(), () => reader.name());
    artifact.count = artifact.exports.length;
  }
  const isValid =
    NAME.test(format) &&
    (extension === "" || (extension[0] === "." && NAME.test(extension.slice(1)))) &&
    description !== "" &&
    artifact.access !== undefined &&
    (artifact.access === "memory" || artifact.width !== undefined) &&
    !(artifact.count > MOST_NUMBERS);
  if (!isValid) throw new Error(`the section ${SECTION} has a damaged entry '${format}'`);
  return artifact;
}

/** As modules have it that list nothing: what the instrumentation `order` exports. */
function artifactsOfOrder(module, functions) {
  const order = { format: FORMAT, extension: "", description: "what ran first", head: [] };
  const all = Module.exports(module);
  const exported = (wanted, ofKind) => all.some(({ name, kind }) => name === wanted && kind === ofKind);
  if (exported(MEMORY, "memory"))
    return [{ ...order, access: "memory", exports: [MEMORY], offset: 0, size: Infinity }];
  // It may be any function of that name.
  if (exported(RANKS, "function"))
    return [
      { ...order, access: "function", exports: [RANKS], width: 4, count: functions, isGuess: true },
    ];
  return [];
}

/**
 * What a WebAssembly.Module lists. `functions`: how many it has, if that is known.
 * Throws if the list is damaged.
 */
function readArtifacts(module, functions = MOST_FUNCTIONS) {
  const section = customSection(module, SECTION);
  if (section === undefined) return artifactsOfOrder(module, functions);
  const reader = new WasmReader(section);
  const version = reader.byte();
  if (version !== 1) throw new Error(`the section ${SECTION} has version ${version}, known is 1`);
  const artifacts = list(reader.number(), () => readArtifact(reader));
  if (!reader.done) throw new Error(`the section ${SECTION} has bytes after its artifacts`);
  return artifacts;
}

/** Whether instances of a module hold anything for their host; true of a damaged list, too. */
export function holdsArtifacts(module) {
  try {
    return readArtifacts(module).length > 0;
  } catch {
    return true;
  }
}

/** Whether instances of a module count, so that it matters which calls are left in the middle. */
export function holdsCounts(module) {
  try {
    return readArtifacts(module).some(({ format }) => format === COUNTS);
  } catch {
    return false;
  }
}

function bytesOfMemory({ exports: [name], offset, size, format }, exports) {
  const buffer = exports[name]?.buffer;
  if (buffer === undefined) throw new Error(`there is no memory '${name}'`);
  const length = size >= 2 ** 53 ? buffer.byteLength - offset : size;
  if (!(offset + length <= buffer.byteLength && length >= 0))
    throw new Error(
      `${length} bytes at ${offset} of '${name}' do not lie in its ${buffer.byteLength} bytes`,
    );
  const bytes = new Uint8Array(buffer, offset, length);
  return format === FORMAT ? dumpInMemory(bytes) : bytes;
}

function packNumbers(numbers, { width }) {
  const bytes = new Uint8Array(numbers.length * width);
  const view = new DataView(bytes.buffer);
  numbers.forEach((number, i) => {
    if (width === 8) view.setBigInt64(8 * i, number, true);
    else view.setInt32(4 * i, number, true);
  });
  return bytes;
}

function checked(number, { width }, name) {
  const type = width === 8 ? "bigint" : "number";
  if (typeof number !== type) throw new Error(`'${name}' is of another type`);
  return number;
}

function numbersOfFunction(artifact, exports) {
  const [name] = artifact.exports;
  const numbers = [];
  while (numbers.length < artifact.count)
    try {
      numbers.push(checked(exports[name](numbers.length), artifact, name));
    } catch (error) {
      if (artifact.isGuess && numbers.length === 0) return numbers;
      throw new Error(`'${name}' of ${numbers.length}: ${error.message}`, { cause: error });
    }
  return numbers;
}

const FETCH = {
  memory: bytesOfMemory,
  function(artifact, exports, moduleId) {
    const numbers = numbersOfFunction(artifact, exports);
    return artifact.format === FORMAT
      ? dumpOfRanks(numbers, moduleId)
      : packNumbers(numbers, artifact);
  },
  globals: (artifact, exports) =>
    packNumbers(
      artifact.exports.map((name) => checked(exports[name]?.value, artifact, name)),
      artifact,
    ),
};

function fetchOne(artifact, instance, module, moduleId, left) {
  const data = FETCH[artifact.access](artifact, instance.exports, moduleId);
  const behind = artifact.format === COUNTS ? left.bytesFor(instance, module, artifact) : [];
  return joined(artifact.head, data, behind);
}

/** The artifact of counts that a module lists, if there is one. */
const countsOf = (module) => readArtifacts(module).find(({ format }) => format === COUNTS);

/** The counters of an instance, as a BigUint64Array; undefined if it does not count. */
export function countersOf({ exports }, module) {
  const counts = countsOf(module);
  if (counts === undefined) return undefined;
  const { buffer, byteOffset, length } = FETCH[counts.access](counts, exports);
  return new BigUint64Array(buffer.slice(byteOffset, byteOffset + length));
}

/** A file of counts with these counters; `begun` and `left`: LeftCalls, of where counting begins and where it ends. */
export function bytesOfCounts(counters, { begun, left }, instance, module) {
  const counts = countsOf(module);
  const numbers = new Uint8Array(counters?.buffer ?? 8 * (counts.count ?? counts.size / 8));
  return joined(counts.head, numbers, left.bytesFor(instance, module, counts), begun.bytesFor(instance, module, counts, BEGUN));
}

function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function heldByOne({ format, extension, description, head, access, exports: [name], offset, size }, exports, module) {
  const buffer = access === "memory" ? exports[name]?.buffer : undefined;
  const isShared = typeof SharedArrayBuffer === "function" && buffer instanceof SharedArrayBuffer;
  const memory = isShared && offset + size <= buffer.byteLength ? new Uint8Array(buffer, offset, size) : undefined;
  const mayMove = access !== "memory" && customSection(module, CHOSEN_STORE) === undefined;
  return { format, extension, description, head, memory, mayMove };
}

/** A module without functions has nothing to count. */
const isEmpty = ({ count, size }) => (count ?? size) === 0;

/**
 * The artifacts that an instance collects for files beside the record, without empty ones; none if the module's list
 * is damaged. `memory`: the artifact's bytes if other threads can read them. `mayMove`: it is in globals only because no
 * other store was chosen when the module was instrumented.
 */
export function heldBy({ exports }, module) {
  try {
    return readArtifacts(module)
      .filter((artifact) => artifact.extension !== "" && !isEmpty(artifact))
      .map((artifact) => heldByOne(artifact, exports, module));
  } catch {
    return [];
  }
}

/** A result of heldBy() in the form of artifactsOf(), for an instance whose thread is gone. */
export const artifactLeft = ({ memory, head, ...artifact }) => ({
  ...artifact,
  bytes: joined(head, memory, artifact.format === COUNTS ? UNKNOWN_CALLS : []),
});

/** The calls that are left in the middle where this is called and, if there is an `error`, those that it has left. */
function callsLeftBy(error) {
  const left = new LeftCalls();
  left.addCurrent();
  if (error !== undefined) left.addError(error);
  return left;
}

/**
 * Fetches what an instance of a WebAssembly.Module holds, or a list of instances, as artifactsOf() of recorder.d.ts
 * says. `isRecorded`: records are left out, since there is another; `left`: LeftCalls, of all instances of a program;
 * `counts()`: a file of counts in place of its own.
 */
export function artifactsOf(
  instance,
  module,
  { id = 1n, functions, isRecorded = false, onError, error, left = callsLeftBy(error), counts } = {},
) {
  const fail = (problem) => {
    if (onError === undefined) throw problem;
    onError(problem);
    return [];
  };
  let listed;
  try {
    listed = readArtifacts(module, functions);
  } catch (problem) {
    return fail(problem);
  }
  const moduleId = readIdentity(module)?.id ?? id;
  const fetch = (each, artifact) => {
    const { format, extension, description } = artifact;
    try {
      const isGiven = counts !== undefined && format === COUNTS;
      const bytes = isGiven ? counts() : fetchOne(artifact, each, module, moduleId, left);
      return bytes.length === 0 ? [] : [{ format, extension, description, bytes }];
    } catch (problem) {
      return fail(new Error(`${description} cannot be fetched: ${problem.message}`));
    }
  };
  const wanted = listed.filter(({ extension }) => !isRecorded || extension !== "");
  return [instance].flat().flatMap((each) => wanted.flatMap((artifact) => fetch(each, artifact)));
}

export const orderDump = (instance, module, options) =>
  artifactsOf(instance, module, options).find(({ format }) => format === FORMAT)?.bytes;
