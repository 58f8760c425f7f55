// SPDX-License-Identifier: Apache-2.0
// JavaScript Promise Integration: tells a recorder when calls begin that may be suspended (WebAssembly.promising), when they
// are (WebAssembly.Suspending), and when they go on.
//
// What promising() returns stays a function of WebAssembly of the same type, which tables take. It calls a function of JavaScript,
// which makes the marks around the call of the engine's own.

import { asFunctionOf } from "../modules/passing.mjs";
import { readModuleTypes } from "../modules/wasm-types.mjs";

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

  /** The type of a function; undefined if unknown. */
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

/**
 * `types`: FunctionTypes; `tasks()` gives the recorder's TaskMarks (marks.mjs), undefined while nothing is recorded. `onWait()` is called on a stack that
 * will wait for a promise; what it returns, if anything, is called when the stack is about to go on.
 */
export function hookSuspension(replacements, types, tasks, onWait = () => {}) {
  const originals = new WeakMap(); // what promising() was called with, by its results
  const started = new WeakMap(); // tasks, by the promises of their ends

  function marked(promising, type) {
    const call = (...args) => {
      const marks = tasks();
      if (marks === undefined) return promising(...args);
      const task = marks.enter();
      try {
        const end = promising(...args);
        started.set(end, task);
        return end;
      } finally {
        marks.leave(task);
      }
    };
    return asFunctionOf({ params: type.params, results: ["externref"] }, call);
  }

  /**
   * Says that the current stack will wait for this value, and marks the task if there is one; returns what the engine is to wait for.
   * Its reaction to that promise stands between ours, the latter of which is added when the engine's has been: all three run one after the other.
   */
  function waitFor(value) {
    const marks = tasks();
    const goesOn = onWait();
    if (!marks?.hasTask && goesOn === undefined) return value;
    // As the engine does, which waits in any case.
    const promise = Promise.resolve(value);
    if (goesOn !== undefined) react(promise, goesOn);
    if (!marks?.hasTask) return promise;
    const wait = marks.suspend(() => react(promise, () => marks.back(wait)), started.get(promise));
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
