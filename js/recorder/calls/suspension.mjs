// SPDX-License-Identifier: Apache-2.0
// JavaScript Promise Integration: records when calls that may be suspended begin (WebAssembly.promising), when they are
// suspended (WebAssembly.Suspending), and when they go on.
//
// The result of promising() stays a WebAssembly function of the same type, so that it can be put into tables. It calls
// a JavaScript function, which makes the marks around the call of the engine's own result.

import { asFunctionOf } from "../modules/passing.mjs";
import { readModuleTypes } from "../modules/wasm-types.mjs";

/** The types of exported functions. The name of such a function is its index in its module. */
export class FunctionTypes {
  #modules = [];

  /** `bytes`: of a module; ignored if they are none. */
  add(bytes) {
    if (WebAssembly.promising === undefined) return;
    try {
      this.#modules.push(readModuleTypes(bytes));
    } catch {
      // The engine will report the error.
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

// Read when the recorder is loaded, before the program can replace them.
const { Promise } = globalThis;
const { then } = Promise.prototype;
const react = (promise, reaction) => void then.call(promise, reaction, reaction);

/**
 * `types`: FunctionTypes. `tasks()` returns the recorder's TaskMarks (marks.mjs), undefined while nothing is recorded.
 * `onWait()` is called on a stack that will wait for a promise; it may return a function to call before the stack goes
 * on.
 */
export function hookSuspension(replacements, types, tasks, onWait = () => {}) {
  const originals = new WeakMap(); // arguments of promising(), by its results
  const started = new WeakMap(); // tasks, by the promises for their results

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
   * Notes that the current stack will wait for this value, and marks the task if there is one. Returns the value that
   * the engine is to wait for. Our second reaction to that promise is added after the engine's, so that all three run
   * in order: ours, the engine's, ours.
   */
  function waitFor(value) {
    const marks = tasks();
    const goesOn = onWait();
    if (!marks?.hasTask && goesOn === undefined) return value;
    // The engine waits for any value in the same way.
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
