// SPDX-License-Identifier: Apache-2.0
// What a record says of a module: its identity, and the names that belong to the ids of its trace
// points.
//
// The ids stand in the code (entry-code.mjs). A module whose bytes are not at hand, or which was
// optimised after it was instrumented, has no names for some or all of its ids; a mapping that is
// given knows them.

import { firstMemoryExport, IDENTITY, isAdded, isEntry, isHeap } from "./builtin-imports.mjs";
import { calledFirst, readEntry, readMarker, readReferenced } from "./entry-code.mjs";
import { customSection, exportsOneOf, hasStart, nameSectionOf, readImports, readNames } from "./module-parts.mjs";
import { sectionsOf, WasmReader } from "./wasm-reader.mjs";

/** An export of modules of --traps-in=thread: docs/instrumented-module.md. */
export const REPORT_TRAP = "__warpo_report_trap";
/** An export of modules that are switched: it does nothing but trap. */
export const RECORDING_TRAP = "__warpo_trap_recording";

/**
 * The identity that warpo-instrument wrote into a module as the section `warpo.module`; `undefined`
 * without it. Throws if it is damaged.
 */
export function readIdentity(source) {
  const section = customSection(source, IDENTITY);
  if (section === undefined) return undefined;
  const fail = (what) => new Error(`the section warpo.module ${what}`);
  if (section.length <= 41) throw fail(`has ${section.length} bytes, at least 42 are needed`);
  const reader = new WasmReader(section);
  const version = reader.byte();
  if (version !== 1) throw fail(`has version ${version}, known is 1`);
  const id = reader.u64();
  return { id, hash: reader.slice(32), build: reader.slice(reader.number()) };
}

/** What the costs of instructions are called that a module counts fuel by: `1` for the usual ones. */
function readCosts(source) {
  const section = customSection(source, "warpo.fuel");
  if (section === undefined) return "1";
  const reader = new WasmReader(section);
  const version = reader.byte();
  if (version !== 1) throw new Error(`the section warpo.fuel has version ${version}, known is 1`);
  const costs = reader.name();
  if (!/^[\w-]{1,48}$/.test(costs))
    throw new Error(`the section warpo.fuel calls the costs '${costs}', not a name of up to 48 letters, digits, '-' and '_'`);
  return costs;
}

/**
 * What `bytes` trace: `functions`, `{ id, index, name, isMarked }` each; `imports`, `{ module, name, id }` each; the
 * names of `exports`; whether it `reportsTraps`.
 */
function readTraced(bytes, names) {
  const found = [];
  const exported = new Map();
  const exports = []; // [name, index]
  const referenced = new Map(); // functions by those that are called for references to them
  let reportsTraps = false;
  let imports = [];
  let added; // the indices of imports that the original does not have
  for (const { id, contents } of sectionsOf(bytes)) {
    if (id === 2) {
      imports = readImports(contents).filter(({ kind }) => kind === "function");
      added = new Set(imports.flatMap((entry, index) => (isAdded(entry) ? [index] : [])));
    } else if (id === 7) {
      for (let count = contents.number(); count > 0; --count) {
        const name = contents.name();
        const isFunction = contents.byte() === 0;
        const index = contents.number();
        if (!isFunction) continue;
        exports.push([name, index]);
        if (name !== "" && !exported.has(index)) exported.set(index, name);
      }
    } else if (id === 10) {
      const tracePoint = imports.findIndex(isEntry);
      const hasMarkers = imports.some(isHeap);
      const count = contents.number();
      for (let index = imports.length; index < imports.length + count; ++index) {
        const body = contents.part(contents.number());
        for (let locals = body.number(); locals > 0; --locals) {
          body.number();
          body.typeByte();
        }
        const { index: replaced, reportsTraps: reports = false } = readReferenced(body, added) ?? {};
        if (replaced !== undefined) referenced.set(index, replaced);
        reportsTraps ||= reports;
        if (exported.has(index) && !exported.has(replaced)) exported.set(replaced, exported.get(index));
        const { at } = body;
        let { id: traced, isMarked } = readEntry(body, tracePoint);
        if (traced === 0 && hasMarkers) {
          body.at = at;
          ({ id: traced, isMarked } = readMarker(body));
        }
        if (traced <= 0) continue;
        found.push({ id: traced, index, isMarked, called: imports[calledFirst(body, added)] });
      }
    }
  }
  // Functions around imports stand behind all others and have the first ids.
  const first = found[0]?.id;
  const onlyImports = found.every(({ called }) => called !== undefined);
  const tracedBy = ({ id, called }) => (onlyImports || id < first ? called : undefined);
  const functions = found.map((each) => ({ ...each, name: nameOf(each.index, tracedBy(each)) }));
  const isTraced = new Set(found.map(({ index }) => index));
  return {
    functions,
    imports: found.filter(tracedBy).map(({ id, called: { module, name } }) => ({ module, name, id })),
    exports: exports.filter(([, index]) => isTraced.has(index) || isTraced.has(referenced.get(index))).map(([name]) => name),
    reportsTraps,
  };

  /** `traced`: the import whose calls this function traces. */
  function nameOf(index, traced) {
    const name = names.get(index) || (traced ? undefined : exported.get(index));
    if (name) return traced ? name.replace(/ \(traced\)$/, "") : name;
    if (traced !== undefined) return `${traced.module}.${traced.name}`;
    return `func[${index - added.size}]`;
  }
}

/** The lines `id name` of a mapping file. */
function parseMapping(text) {
  const functions = [];
  for (const line of text.split(/\r?\n/)) {
    const match = /^(\d+) (.+)$/.exec(line);
    const id = Number(match?.[1] ?? 0);
    if (id > 0 && id < 0x80000000) functions.push([id, match[2]]);
  }
  return functions;
}

/**
 * Describes a module for RecordWriter.module(). It is given as bytes or as a WebAssembly.Module, which has no code to
 * find ids in. Adds the `ids` of its functions by index, whether they have marks (`isMarked`) and it reports traps
 * (`reportsTraps`; both undefined if unknown), its `tracedImports` and `tracedExports` (readTraced()), and its
 * `memoryExport` (firstMemoryExport()); `id` is undefined if it has none. `given`: ModuleOptions of recorder.d.ts;
 * `keepsCode`: also keep the `code` of a switchable module, for where V8 interrupts it.
 */
export function describeModule(source, given = {}) {
  const identity = readIdentity(source);
  const names = readNames(nameSectionOf(source));
  let traced = { functions: [], imports: [], exports: [] };
  try {
    if (!(source instanceof WebAssembly.Module)) traced = readTraced(source, names.functions);
  } catch {
    // What is unknown here leaves functions without names; engines run such a module.
  }
  const found = traced.functions;
  let functions = found.map(({ id, name }) => [id, name]);
  if (given.mapping !== undefined) functions = functions.concat(parseMapping(given.mapping));
  return {
    id: identity?.id ?? given.id,
    hash: identity?.hash ?? new Uint8Array(),
    build: identity?.build ?? new Uint8Array(),
    name: given.name ?? (names.module || (given.fileName ?? "")),
    functions: [...new Map(functions)],
    places: customSection(source, "warpo.places"),
    ids: new Map(found.map(({ id, index }) => [index, id])),
    // A copy: the program may change its own.
    code: given.keepsCode && found.length > 0 && exportsOneOf(source, [RECORDING_TRAP]) ? new Uint8Array(source) : undefined,
    tracedImports: traced.imports,
    tracedExports: traced.exports,
    reportsTraps: found.length > 0 ? traced.reportsTraps : undefined,
    isMarked: found.length > 0 ? found.some(({ isMarked }) => isMarked) : undefined,
    hasStart: source instanceof WebAssembly.Module ? undefined : hasStart(source),
    costs: readCosts(source),
    memoryExport: source instanceof WebAssembly.Module ? undefined : firstMemoryExport(source),
  };
}
