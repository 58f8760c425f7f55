// SPDX-License-Identifier: Apache-2.0
// Binaryen's Asyncify: a module that can leave all its calls (unwind) and come back into them later (rewind), when its
// host calls exported functions. The recorder is notified of these calls here.

import { ENTRY } from "./marks.mjs";
import { Module } from "../engine/own-engine.mjs";
import { asFunctionOf } from "../modules/passing.mjs";
import { sectionsOf, WasmReader } from "../modules/wasm-reader.mjs";

const I32_CONST = 0x41;
const LOCAL_GET = 0x20;
const GLOBAL_GET = 0x23;
const GLOBAL_SET = 0x24;
const I32_LOAD = 0x28;
const I64_LOAD = 0x29;
const CALL = 0x10;
const RETURN_CALL = 0x12;

const STOP = 0;
const UNWIND = 1;
const REWIND = 2;
/** The functions' roles, by the names under which Binaryen exports them. */
const KNOWN_NAMES = {
  asyncify_start_unwind: UNWIND,
  asyncify_stop_unwind: STOP,
  asyncify_start_rewind: REWIND,
  asyncify_stop_rewind: STOP,
};
// Maximum size of such a function's body in bytes, with trace points and the code of other instrumentations.
const LARGEST_BODY = 400;

/** The roles of a module's exports, by name; undefined if it has no such functions. */
function byName(module) {
  const names = Module.exports(module).map(({ name }) => name);
  const known = Object.entries(KNOWN_NAMES);
  return known.every(([name]) => names.includes(name)) ? new Map(known) : undefined;
}

/**
 * What the code says that begins there: it sets the state to this number, and to go on the global with the data, which
 * it then looks at.
 */
function readFunction(bytes, at, end) {
  const reader = new WasmReader(bytes, at, end);
  const reads = (opcode) => reader.byte() === opcode;
  try {
    if (!reads(I32_CONST)) return undefined;
    const role = reader.byte();
    if (role > REWIND || !reads(GLOBAL_SET)) return undefined;
    const state = reader.number();
    if (role !== STOP && !(reads(LOCAL_GET) && reads(0) && reads(GLOBAL_SET))) return undefined;
    const given = role === STOP ? undefined : reader.number();
    if (!reads(GLOBAL_GET)) return undefined;
    const data = reader.number();
    if ((given ?? data) !== data || ![I32_LOAD, I64_LOAD].includes(reader.byte())) return undefined;
    return { role, globals: `${state} ${data}` };
  } catch {
    return undefined;
  }
}

function findIn(bytes, { at, end }, look) {
  for (let place = at; place < end; ++place) {
    const found = look(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `[index, reader]` of each function's body that is small. */
function smallBodies(bytes) {
  let imported = 0;
  const bodies = [];
  for (const { id, contents } of sectionsOf(bytes)) {
    if (id === 2) imported = countImportedFunctions(contents);
    if (id !== 10) continue;
    const count = contents.number();
    for (let i = 0; i < count; ++i) {
      const body = contents.part(contents.number());
      if (body.end - body.at <= LARGEST_BODY) bodies.push([imported + i, body]);
    }
  }
  return bodies;
}

function countImportedFunctions(reader) {
  let functions = 0;
  for (let count = reader.number(); count > 0; --count) {
    reader.name();
    reader.name();
    const kind = reader.byte();
    if (kind === 0) ++functions;
    if (kind === 1) reader.typeByte();
    if (kind === 1 || kind === 2) reader.limits();
    else if (kind === 3) {
      reader.typeByte();
      reader.byte();
    } else {
      if (kind === 4) reader.byte();
      reader.number();
    }
  }
  return functions;
}

const hasAllRoles = (roles) => [STOP, UNWIND, REWIND].every((role) => roles.includes(role));

/** The same for modules whose exports have other names, since Emscripten shortens them. */
function byCode(bytes) {
  const bodies = smallBodies(bytes);
  const found = new Map(); // by index
  for (const [index, body] of bodies) {
    const about = findIn(bytes, body, (at) => readFunction(bytes, at, body.end));
    if (about !== undefined) found.set(index, about);
  }
  const { globals } = [...found.values()].find(({ role }) => role === UNWIND) ?? {};
  for (const [index, about] of found) if (about.globals !== globals) found.delete(index);
  if (!hasAllRoles([...found.values()].map(({ role }) => role))) return undefined;

  const exported = exportedFunctions(bytes);
  const roles = new Map(exported.flatMap(([name, index]) => (found.has(index) ? [[name, found.get(index).role]] : [])));
  if (hasAllRoles([...roles.values()])) return roles;
  // Other instrumentations may export functions that call them. Parts of other instructions may look like such a call.
  const callers = new Map(bodies.filter(([index]) => !found.has(index)));
  for (const [name, index] of exported) {
    const body = callers.get(index);
    const called = body && findIn(bytes, body, (at) => at + 1 < body.end && calledAt(bytes, at, body, found));
    if (called) roles.set(name, called.role);
  }
  return roles;
}

/** What is called there, of `found`; if it takes data, with the caller's own. */
function calledAt(bytes, at, body, found) {
  if (![CALL, RETURN_CALL].includes(bytes[at])) return undefined;
  const called = found.get(new WasmReader(bytes, at + 1, body.end).number());
  const passesData = at >= body.at + 2 && bytes[at - 2] === LOCAL_GET && bytes[at - 1] === 0;
  return called?.role === STOP || passesData ? called : undefined;
}

/** `[name, index]` of each. */
function exportedFunctions(bytes) {
  const exported = [];
  for (const { id, contents } of sectionsOf(bytes)) {
    if (id !== 7) continue;
    for (let count = contents.number(); count > 0; --count) {
      const name = contents.name();
      const isFunction = contents.byte() === 0;
      const index = contents.number();
      if (isFunction) exported.push([name, index]);
    }
  }
  return exported;
}

// The possible types of the exports: the data's address has 32 or 64 bits, as the memory does.
const DATA_TYPES = ["i32", "i64"].map((type) => ({ params: [type], results: [] }));
const NO_DATA = [{ params: [], results: [] }];

/** `around` as a WebAssembly function of the type of `exported`; undefined if that is none of `types`. */
function standIn(exported, types, around) {
  for (const type of types) {
    try {
      if (asFunctionOf(type, exported) !== undefined) return asFunctionOf(type, around);
    } catch {
      // It has another type.
    }
  }
  return undefined;
}

let stacks = 0; // the number of stacks that have been unwound

/** The exports of an instance, with its Asyncify functions replaced by ones that make marks. */
function markedExports(exports, roles, tasks) {
  const numbers = new Map(); // of stacks, by where their data lies
  let current; // { role, number }, while a stack is unwound or rewound
  const mark = (kind, number) => tasks()?.mark(kind, number);
  const unwind = (original) => (data) => {
    original(data);
    // If a stack was never rewound, its data may have been reused for another stack.
    if (!numbers.has(data)) numbers.set(data, ++stacks);
    current = { role: UNWIND, number: numbers.get(data) };
    mark(ENTRY.unwind, current.number);
  };
  const rewind = (original) => (data) => {
    original(data);
    if (!numbers.has(data)) return;
    current = { role: REWIND, number: numbers.get(data) };
    mark(ENTRY.rewind, current.number);
  };
  // Optimisers may merge the two stop functions, which are identical.
  const stop = (original) => () => {
    if (current !== undefined) mark(current.role === UNWIND ? ENTRY.unwound : ENTRY.rewound, current.number);
    current = undefined;
    original();
  };
  const around = { [UNWIND]: unwind, [REWIND]: rewind, [STOP]: stop };
  const members = Object.entries(exports).map(([name, value]) => {
    const role = roles.get(name);
    const marked = role !== undefined && standIn(value, role === STOP ? NO_DATA : DATA_TYPES, around[role](value));
    return [name, marked || value];
  });
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(members)));
}

/**
 * Hooks instances of such modules. `tasks()` returns the recorder's TaskMarks (marks.mjs), undefined while nothing is
 * recorded.
 */
export class AsyncifyHook {
  #tasks;
  #roles = new WeakMap(); // by what stands for bytes
  #exports = new WeakMap(); // by instance
  #original; // of WebAssembly.Instance.prototype

  constructor(tasks) {
    this.#tasks = tasks;
  }

  /** `source`, an object of the caller's, stands for these bytes of a module. */
  add(source, bytes) {
    try {
      this.#roles.set(source, byCode(bytes));
    } catch {
      // Code that cannot be read has no such functions.
    }
  }

  /**
   * An instance of the module, of these bytes if they are known, has been made, and the program has not seen it yet.
   */
  attach(instance, module, source) {
    const roles = byName(module) ?? (source && this.#roles.get(source));
    if (roles === undefined) return;
    this.#exports.set(instance, markedExports(instance.exports, roles, this.#tasks));
    this.#hookInstances();
  }

  // An own member of the instance would hide what classes that extend WebAssembly.Instance make of it.
  #hookInstances() {
    if (this.#original !== undefined) return;
    const { prototype } = WebAssembly.Instance;
    this.#original = Object.getOwnPropertyDescriptor(prototype, "exports");
    const marked = this.#exports;
    const get = new Proxy(this.#original.get, {
      apply: (target, self, args) => {
        const exports = Reflect.apply(target, self, args);
        return marked.get(self) ?? exports;
      },
    });
    Object.defineProperty(prototype, "exports", { ...this.#original, get });
  }

  undo() {
    if (this.#original !== undefined)
      Object.defineProperty(WebAssembly.Instance.prototype, "exports", this.#original);
  }
}
