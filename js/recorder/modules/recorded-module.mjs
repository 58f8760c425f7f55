// SPDX-License-Identifier: Apache-2.0
// What a record says of a module: its identity, and the names that belong to the ids of its trace
// points.
//
// The ids stand in the code: an instrumented function begins with `i32.const id, call tracePoint`,
// or with a check of its fuel that has its id. A module whose bytes are not at hand, or which was
// optimised after it was instrumented, has no names for some or all of its ids; a mapping that is
// given knows them.

import { DUE_EXPORTS, FUEL_EXPORTS } from "./counters.mjs";
import { Memory, Module } from "../engine/own-engine.mjs";
import { NUMBERS } from "../record/record-encoder.mjs";
import { sectionsOf, WasmReader } from "./wasm-reader.mjs";

const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const LOCAL_TEE = 0x22;
const I32_LOAD = 0x28;
const I32_STORE = 0x36;
const I64_LOAD = 0x29;
const I64_STORE = 0x37;
const I64_EXTEND_I32_U = 0xad;
/** In the alignment of an access: the number of a memory follows. */
const HAS_MEMORY = 0x40;
const I32_ADD = 0x6a;
const CALL = 0x10;
const RETURN_CALL = 0x12;
const I32_CONST = 0x41;
const GLOBAL_GET = 0x23;
const GLOBAL_SET = 0x24;
const I64_CONST = 0x42;
const I64_EQZ = 0x50;
const I64_GE_S = 0x59;
const I32_AND = 0x71;
const I32_OR = 0x72;
const I32_EQZ = 0x45;
const I32_EQ = 0x46;
const I32_WRAP_I64 = 0xa7;
const I64_AND = 0x83;
const I64_OR = 0x84;
const SELECT = 0x1b;
const BLOCK = 0x02;
const TRY_TABLE = 0x1f;
const REF = 0x64;
const REF_NULL = 0x63;
const IF = 0x04;
const ELSE = 0x05;
const END = 0x0b;
const DROP = 0x1a;
const TRY = 0x06;

/** An export of modules that are switched: it does nothing but trap. */
export const RECORDING_TRAP = "__warpo_trap_recording";

export const FIRST_ID = NUMBERS.firstId;
/** The bits of an id that tell how its function was entered; no id has them of its own. */
const MARKS = 0x300000;
const isMarked = (id) => id >= FIRST_ID && id <= (FIRST_ID | MARKS | 0xfffff);
/** The id of the mapping, without what tells how the function was entered. */
export const withoutMarks = (id) => (isMarked(id) ? id & ~MARKS : id);
/** Whether two ids on a stack, whose marks may be folded away, are of calls of one function. Another module's may differ by more of these steps. */
export const isOfSame = (one, other) => (one - other) % (MARKS & -MARKS) === 0 && Math.abs(one - other) <= MARKS;

/** By which a module tells that it may leave its stack. Where nothing is recorded it gets 0, and tells nothing when it comes back. */
const LEAVES = ["leaveStack", "leaveStackFuel"];
const SWITCHES = [...LEAVES, "enterStack"];
const SAMPLES = ["sample", "sampleCaller"];
const SECTIONS = ["beginSection", "endSection"];
/** What instrumenting adds to a module's imports from `builtin`, behind all others. */
const ADDED = ["tracePoint", "tracePointFuel", "outOfFuel", ...SAMPLES, "enterFrame", "leaveFrame", ...SWITCHES, "heap"];
/** What an instrumented module calls at its trace points: one of these, of module `builtin`. */
const TRACE_POINTS = ["tracePoint", "tracePointFuel"];
/** Whether a memory that a module imports from `builtin` takes the place of its own: called by its type (newMemory()). */
const isOwnMemory = (name) => /^memory \d+( \d+)?( shared)?( i64)?$/.test(name);
/** Where a module stores events by itself: one for each kind of event. */
const STORES = ["events", "timedEvents"];
/** Whether instrumenting has added a memory to a module's imports. */
export const isAddedMemory = ({ module, name, kind }) => module === "builtin" && kind === "memory" && (STORES.includes(name) || isOwnMemory(name));
/** Whether the memory of an entry of a module's imports is one of the recorder's, and not the program's. */
export const isStore = (entry) => isAddedMemory(entry) && !isOwnMemory(entry.name);
const isAdded = (entry) => isAddedMemory(entry) || (entry.module === "builtin" && ADDED.includes(entry.name));
/** The same of an entry of a module's exports. */
const isAddedExport = ({ module, name }) => module === undefined && name.startsWith("__warpo_");
/** The section that instrumenting leaves in every module. */
const IDENTITY = "warpo.module";
const isEntry = ({ module, name }) =>
  module === "builtin" && [...TRACE_POINTS, "enterFrame"].includes(name);
const isHeap = ({ module, name }) => module === "builtin" && name === "heap";
const isTracePoint = ({ module, name }) => module === "builtin" && TRACE_POINTS.includes(name);

/** Whether a module with these imports from `builtin` tells what it does with its heap. */
export const tellsOfHeap = (names) => names.includes("heap");

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

/** The contents of a module's first custom section of this name, or `undefined`. */
export function customSection(source, wanted) {
  if (source instanceof Module) {
    const [section] = Module.customSections(source, wanted);
    return section && new Uint8Array(section);
  }
  for (const { id, contents } of sectionsOf(source))
    if (id === 0 && contents.name() === wanted) return contents.slice(contents.end - contents.at);
  return undefined;
}

/**
 * The name of the function that a module's trace points call, `tracePoint` or `tracePointFuel`;
 * undefined of a module that has none, or of bytes that are no module.
 */
export const tracePointNameOf = (source) => importsOf(source).find(isTracePoint)?.name;

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

/** What a module imports, as Module.imports() has it; nothing of bytes that are no module. */
export function importsOf(source) {
  if (source instanceof Module) return Module.imports(source);
  try {
    for (const { id, contents } of sectionsOf(source))
      if (id === 2) return readImports(contents);
  } catch {
    // Whoever compiles it will say what is wrong.
  }
  return [];
}

/** Entries of `Module.imports()` or `Module.exports()` of a module without those that instrumenting has added. */
export function asCompiled(module, entries) {
  const isOurs = (entry) => isAdded(entry) || isAddedExport(entry);
  const isInstrumented = entries.some(isOurs) && customSection(module, IDENTITY) !== undefined;
  return isInstrumented ? entries.filter((entry) => !isOurs(entry)) : entries;
}

const isRecorded = (entry) =>
  isTracePoint(entry) ||
  (entry.module === "builtin" && [...SAMPLES, ...SECTIONS, "heap"].includes(entry.name));

/** Whether a module gives anything to be recorded; false for bytes that are no module. */
export const isInstrumented = (source) => importsOf(source).some(isRecorded);

/** Whether a module has been given something to record, beside sections, which programs have by themselves. */
export const hasTracePoints = (source) => importsOf(source).some((entry) => isRecorded(entry) && !isSectionCall(entry.name));

/** Whether hosts can read the counter of a module's fuel. */
export const exportsFuel = (source) => exportsOneOf(source, FUEL_EXPORTS);

function exportsOneOf(source, names) {
  if (source instanceof Module)
    return Module.exports(source).some(({ name }) => names.includes(name));
  for (const { id, contents } of sectionsOf(source)) {
    if (id !== 7) continue;
    for (let count = contents.number(); count > 0; --count) {
      const name = contents.name();
      contents.byte();
      contents.number();
      if (names.includes(name)) return true;
    }
  }
  return false;
}

/** What of builtins are calls of sections. */
export const isSectionCall = (name) => SECTIONS.includes(name);

/** The names of the functions that a module imports from `builtin`. */
export const builtinsOf = (source) =>
  importsOf(source)
    .filter(({ module, kind }) => module === "builtin" && kind === "function")
    .map(({ name }) => name);

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

/** The contents of a module's name section, or `undefined`. */
export const nameSectionOf = (source) => customSection(source, "name");

/**
 * The module's name and its functions' names (a Map by index), of its name section: what is behind
 * damage in it is left out.
 */
export function readNames(section) {
  const names = { module: "", functions: new Map() };
  try {
    if (section !== undefined) readNameSection(section, names);
  } catch {
    // Engines do not look at it.
  }
  return names;
}

function readNameSection(section, names) {
  const reader = new WasmReader(section);
  while (!reader.done) {
    const id = reader.byte();
    const part = reader.part(reader.number());
    if (id === 0) names.module = part.name();
    else if (id === 1)
      for (let count = part.number(); count > 0; --count)
        names.functions.set(part.number(), part.name());
  }
}

const KINDS = ["function", "table", "memory", "global", "tag"];

function readImports(reader) {
  const imports = [];
  for (let count = reader.number(); count > 0; --count) {
    const entry = { module: reader.name(), name: reader.name() };
    const kind = reader.byte();
    imports.push({ ...entry, kind: KINDS[kind] });
    if (kind === 0) {
      reader.number();
    } else if (kind === 1) {
      reader.typeByte();
      reader.limits();
    } else if (kind === 2) {
      reader.limits();
    } else if (kind === 3) {
      reader.typeByte();
      reader.byte();
    } else if (kind === 4) {
      reader.byte();
      reader.number();
    } else {
      throw new Error("an import of an unknown kind");
    }
  }
  return imports;
}

/** Whether the next instructions have these opcodes; those of numbers are read with one. */
function reads(body, opcodes) {
  return opcodes.every((opcode) => {
    if (body.done || body.byte() !== opcode) return false;
    if (opcode === IF) body.byte();
    else if (![I64_EQZ, I64_GE_S, I64_AND, I64_OR, I32_AND, I32_OR, I32_EQZ, I32_EQ, I32_ADD, I32_WRAP_I64, I64_EXTEND_I32_U, ELSE, END, DROP].includes(opcode))
      body.number();
    return true;
  });
}

/**
 * Reads the check of the fuel that may stand where a function begins; returns the id in it, 0 if
 * there is none.
 */
function readCheck(body) {
  const { at } = body;
  if (reads(body, [GLOBAL_GET, GLOBAL_GET, I64_GE_S, IF])) {
    const hasId = body.bytes[body.at] === I32_CONST;
    const id = hasId ? (body.byte(), body.signed()) : 0;
    const rest = [GLOBAL_GET, CALL, GLOBAL_SET, ...(hasId ? [DROP] : []), END];
    if (reads(body, rest)) return id;
  }
  body.at = at;
  return 0;
}

/**
 * Reads the code that runs only in the first execution of a function, which reports it; returns the id that it reports, 0 if there is no such
 * code.
 */
function readFirstExecution(body) {
  const { at } = body;
  const bit = [GLOBAL_GET, I64_CONST, I64_AND, I64_EQZ, IF, GLOBAL_GET, I64_CONST, I64_OR, GLOBAL_SET];
  if (reads(body, bit) && body.byte() === I32_CONST) {
    const id = body.signed();
    const fuel = body.bytes[body.at] === GLOBAL_GET ? [GLOBAL_GET] : [];
    if (reads(body, [...fuel, CALL, I32_CONST, ...fuel, CALL, END])) return id;
  }
  body.at = at;
  return 0;
}

/**
 * What stands behind that: other checks, and `i32.const id, call`, or `local.get` for the constant,
 * of what instrumenting added.
 */
function skipRestOfEntry(body, added) {
  for (;;) {
    readCheck(body);
    readFirstExecution(body);
    const { at } = body;
    const mayStore = skipRoomCheck(body);
    if (skipId(body) && body.byte() === CALL && added.has(body.number()) && (!mayStore || skipStore(body))) continue;
    body.at = at;
    return;
  }
}

/** Passes an access of a memory; false for other instructions. */
function skipAccess(body, opcode) {
  if (body.byte() !== opcode) return false;
  if (body.number() & HAS_MEMORY) body.number();
  body.number();
  return true;
}

/** Passes what stands before a trace point that may store its event by itself (--events-in=memory); false if something else stands there. */
function skipRoomCheck(body) {
  const { at } = body;
  const loads = () => reads(body, [I32_CONST]) && skipAccess(body, I32_LOAD);
  const isThere = loads() && reads(body, [LOCAL_TEE]) && loads() && reads(body, [I32_EQ, IF]);
  if (!isThere) body.at = at;
  return isThere;
}

/** Passes how it stores the event, behind its call. */
function skipStore(body) {
  const stores = reads(body, [ELSE, LOCAL_GET]) && skipId(body) && reads(body, [I64_EXTEND_I32_U]) && skipAccess(body, I64_STORE);
  const { at } = body;
  const storesTime = reads(body, [LOCAL_GET, I32_CONST]) && skipAccess(body, I64_LOAD) && skipAccess(body, I64_STORE);
  if (!storesTime) body.at = at;
  return stores && reads(body, [I32_CONST, LOCAL_GET, I32_CONST, I32_ADD]) && skipAccess(body, I32_STORE) && reads(body, [END]);
}

/** Passes an id, or the variable that has it; false for other instructions. */
function skipId(body) {
  const opcode = body.byte();
  if (opcode !== I32_CONST && opcode !== LOCAL_GET) return false;
  body.signed();
  return true;
}

/** Passes what keeps a call in a memory of the module's, and tells of it (--heap-stack=memory). */
function skipKeptCall(body) {
  const { at } = body;
  const keeps = reads(body, [GLOBAL_GET, LOCAL_TEE, I32_CONST, I32_AND, I32_CONST]) && skipAccess(body, I32_STORE);
  if (!keeps || !reads(body, [LOCAL_GET, I32_CONST, I32_ADD, GLOBAL_SET, GLOBAL_GET, CALL])) body.at = at;
}

/**
 * The function that a body only calls behind its entry, as those do which trace an import; else
 * `undefined`.
 */
function calledFirst(body, added) {
  skipRestOfEntry(body, added);
  skipKeptCall(body);
  const { at } = body;
  if (!reads(body, [GLOBAL_GET, LOCAL_SET, GLOBAL_GET, I32_CONST, I32_AND, GLOBAL_SET])) body.at = at;
  while (!body.done) {
    const opcode = body.byte();
    if (opcode === CALL || opcode === RETURN_CALL) return body.number();
    if (opcode === LOCAL_GET) body.number();
    else if (opcode === IF || !skipBlockHead(body, opcode)) return undefined;
  }
  return undefined;
}

/** The id that a body begins with if it adds the marks of a call to it, or 0. */
function readMarkedId(body) {
  const { at } = body;
  if (body.byte() === I32_CONST) {
    const id = body.signed();
    if (reads(body, [GLOBAL_GET, I32_OR, LOCAL_SET, I32_CONST, GLOBAL_SET])) return id;
  }
  body.at = at;
  return 0;
}

/**
 * The function whose references go to this body, which marks the call or looks for traps before it calls; else
 * `undefined`.
 */
function readReferenced(body, added) {
  const { at } = body;
  const marks = reads(body, [I32_CONST, GLOBAL_SET]);
  if (!marks) body.at = at;
  const behindMarks = body.at;
  const looksForTraps = reads(body, [GLOBAL_GET, LOCAL_SET, LOCAL_GET, I32_CONST, I32_AND]);
  if (!looksForTraps) body.at = behindMarks;
  const referenced = looksForTraps
    ? calledBehindTraps(body)
    : marks
      ? calledFirst(body, added)
      : undefined;
  body.at = at;
  return referenced;
}

/** The function that such a body calls behind the one that tells of traps. */
function calledBehindTraps(body) {
  let called;
  let calls = 0;
  while (!body.done && calls < 2) {
    const opcode = body.byte();
    if (opcode === RETURN_CALL) return body.number();
    if (opcode === CALL) {
      called = body.number();
      ++calls;
    } else if ([I32_CONST, LOCAL_GET, LOCAL_SET, GLOBAL_GET, GLOBAL_SET].includes(opcode)) {
      body.signed();
    } else if (!skipBlockHead(body, opcode) && ![I32_AND, I32_OR, I32_EQ, SELECT, END].includes(opcode)) {
      return undefined;
    }
  }
  return called;
}

/** Passes what stands behind the opcode of a block; false for other opcodes. */
function skipBlockHead(body, opcode) {
  if (![IF, TRY, BLOCK, TRY_TABLE].includes(opcode)) return false;
  const type = body.bytes[body.at];
  if (type === REF || type === REF_NULL) body.byte();
  body.signed();
  if (opcode === TRY_TABLE) body.slice(3); // one clause
  return true;
}

/** The trace point, or the check, that a body begins with: its `id` without marks, or 0, and whether it adds marks to that. */
function readEntry(body, tracePoint) {
  const marked = readMarkedId(body);
  skipMarker(body);
  const id = readCheck(body) || readFirstExecution(body) || readTracePoint(body, tracePoint, marked);
  return { id, isMarked: marked !== 0 };
}

/** Passes the id that heap events find on the engine's stack. */
function skipMarker(body) {
  const { at } = body;
  if (readMarker(body).id === 0) body.at = at;
}

/** What a body begins with where nothing but its id is of interest, for those who find it on the engine's stack: like readEntry(). */
function readMarker(body) {
  const isConstant = body.byte() === I32_CONST;
  const id = isConstant ? body.signed() : 0;
  return { id: isConstant && body.byte() === DROP ? id : 0, isMarked: false };
}

/** What stands before a trace point that is switched (--switchable). */
const SWITCH = [GLOBAL_GET, I32_WRAP_I64, LOCAL_TEE, I32_CONST, I32_AND, I32_EQZ, IF];

function readTracePoint(body, tracePoint, marked) {
  const { at } = body;
  const isSwitched = reads(body, SWITCH);
  if (!isSwitched) body.at = at;
  const mayStore = skipRoomCheck(body);
  if (body.byte() !== (marked ? LOCAL_GET : I32_CONST)) return 0;
  const id = marked ? (body.number(), marked) : body.signed();
  let opcode = body.byte();
  if (opcode === GLOBAL_GET) {
    body.number(); // the fuel
    opcode = body.byte();
  }
  const isCall = opcode === CALL && body.number() === tracePoint;
  const isEntry = isCall && (!mayStore || skipStore(body)) && (!isSwitched || body.byte() === END);
  return isEntry ? withoutMarks(id) : 0;
}

/** `{ id, index, name, isMarked }` of each function that `bytes` trace. */
function readFunctions(bytes, names) {
  const found = [];
  const exported = new Map();
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
        if (isFunction && name !== "" && !exported.has(index)) exported.set(index, name);
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
        const referenced = readReferenced(body, added);
        if (exported.has(index) && !exported.has(referenced))
          exported.set(referenced, exported.get(index));
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
  return found.map(({ id, index, isMarked, called }) => {
    const name = nameOf(index, onlyImports || id < first ? called : undefined);
    return { id, index, name, isMarked };
  });

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
 * Describes a module (its bytes, or a WebAssembly.Module, which has no code to find ids in) as
 * RecordWriter.module() takes it, with the `ids` of its functions by their indices, and whether they have marks (`isMarked`, undefined
 * if that is not known); `id` is undefined if it has none. `given` is ModuleOptions of recorder.d.ts; `keepsCode`: a module that is
 * switched has its `code` too, for where V8 interrupts it.
 */
export function describeModule(source, given = {}) {
  const identity = readIdentity(source);
  const names = readNames(nameSectionOf(source));
  let found = [];
  try {
    if (!(source instanceof WebAssembly.Module)) found = readFunctions(source, names.functions);
  } catch {
    // What is unknown here leaves functions without names; engines run such a module.
  }
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
    isMarked: found.length > 0 ? found.some(({ isMarked }) => isMarked) : undefined,
    costs: readCosts(source),
  };
}
