// SPDX-License-Identifier: Apache-2.0
// JavaScript Promise Integration: tells a recorder when calls begin that may be suspended (WebAssembly.promising), when they
// are (WebAssembly.Suspending), and when they go on.
//
// What promising() returns stays a function of WebAssembly of the same type, which tables take: a module that exports what it
// imports has the engine make it. It calls a function of JavaScript, which makes the marks around the call of the engine's own.

import { Instance, Module } from "./own-engine.mjs";
import { readModuleTypes, VALUE_TYPES } from "./wasm-types.mjs";

const CODES = new Map(Object.entries(VALUE_TYPES).map(([code, name]) => [name, Number(code)]));
const LONGEST_TYPE = 100;

const passing = new Map(); // modules by type

/** A module that imports a function of this type and exports it; undefined for types that it does not know. */
function passingModule({ params, results }) {
  const isKnown = (type) => CODES.has(type) && type !== "v128";
  if (![...params, ...results].every(isKnown) || params.length + results.length > LONGEST_TYPE)
    return undefined;
  const key = `${params}:${results}`;
  if (!passing.has(key)) passing.set(key, makePassing(params, results));
  return passing.get(key);
}

function makePassing(params, results) {
  const codes = (types) => [types.length, ...types.map((type) => CODES.get(type))];
  const section = (id, contents) => [id, contents.length, ...contents];
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...codes(params), ...codes(results)]),
    ...section(2, [1, 0, 0, 0, 0]),
    ...section(7, [1, 0, 0, 0]),
  ];
  return new Module(Uint8Array.from(bytes));
}

/** `passed` as a function of WebAssembly that has this type; undefined if it cannot be. */
function asFunctionOf(type, passed) {
  const module = passingModule(type);
  return module && new Instance(module, { "": { "": passed } }).exports[""];
}

/** The types of functions that WebAssembly exports: their names are their indices in the module that has them. */
export class FunctionTypes {
  #modules = [];

  /** The bytes of a module, perhaps. */
  add(bytes) {
    if (WebAssembly.promising === undefined) return;
    try {
      this.#modules.push(readModuleTypes(bytes));
    } catch {
      // The engine will say what is wrong with them.
    }
  }

  /** The type of a function; undefined if it cannot be told. */
  of(exported) {
    return this.#modules
      .map((module) => module.functionTypeAt(Number(exported.name)))
      .find((type) => type !== undefined && this.#isOfType(exported, type));
  }

  #isOfType(exported, type) {
    try {
      return asFunctionOf(type, exported) !== undefined;
    } catch {
      return false;
    }
  }
}

// As they are when the recorder is loaded.
const { Promise } = globalThis;
const { then } = Promise.prototype;
const react = (promise, reaction) => void then.call(promise, reaction, reaction);

/** `types`: FunctionTypes; `tasks()` gives the recorder's TaskMarks (marks.mjs), undefined while nothing is recorded. */
export function hookSuspension(replacements, types, tasks) {
  const originals = new WeakMap(); // what promising() was called with, by its results

  function marked(promising, type) {
    const call = (...args) => {
      const marks = tasks();
      if (marks === undefined) return promising(...args);
      const task = marks.enter();
      try {
        return promising(...args);
      } finally {
        marks.leave(task);
      }
    };
    return asFunctionOf({ params: type.params, results: ["externref"] }, call);
  }

  /**
   * Marks that the current task will wait for this value, if there is a task; returns what the engine is to wait for.
   * Its reaction to that promise stands between ours, the latter of which is added when the engine's has been: all three run one after the other.
   */
  function waitFor(value) {
    const marks = tasks();
    if (!marks?.hasTask) return value;
    // As the engine does, which waits in any case.
    const promise = Promise.resolve(value);
    const wait = marks.suspend(() => react(promise, () => marks.back(wait)));
    react(promise, () => marks.resume(wait));
    return promise;
  }

  replacements.replace("promising", (call) => ({
    apply(target, self, [exported, ...rest]) {
      const original = originals.get(exported) ?? exported;
      const promising = Reflect.apply(call, self, [original, ...rest]);
      const type = types.of(original);
      const result = (type && marked(promising, type)) ?? promising;
      originals.set(result, original);
      return result;
    },
  }));
  replacements.replace("Suspending", () => ({
    construct(target, [imported, ...rest], newTarget) {
      if (typeof imported !== "function")
        return Reflect.construct(target, [imported, ...rest], newTarget);
      const suspending = function (...args) {
        return waitFor(Reflect.apply(imported, this, args));
      };
      return Reflect.construct(target, [suspending, ...rest], newTarget);
    },
  }));
}
