// SPDX-License-Identifier: Apache-2.0
// Recognises the function by which Node's own WASI ends the process.

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** What node:wasi binds to each instance; undefined if the program has not loaded node:wasi, whose loading warns. */
function findExit() {
  if (!process.moduleLoadList.includes("NativeModule wasi")) return undefined;
  try {
    const { WASI } = require("node:wasi");
    return Object.getPrototypeOf(new WASI({ version: "preview1" }).wasiImport).proc_exit;
  } catch {
    // Not permitted: nor is it to the program.
    return undefined;
  }
}

let known;

/** Whether `exit` has been bound of `target`. No function says so, but `instanceof` looks at what was bound. */
function isBoundOf(target, exit) {
  const prototype = {};
  Object.defineProperty(target, "prototype", { value: prototype, configurable: true });
  try {
    return Function.prototype[Symbol.hasInstance].call(exit, Object.create(prototype));
  } catch {
    return false;
  } finally {
    delete target.prototype;
  }
}

/**
 * Whether a program's `proc_exit` is Node's own that does not return: it ends the process or thread at once, without
 * calling listeners. A program's own function may have the same name.
 */
export function endsAtOnce(exit) {
  if (exit.name !== "bound proc_exit") return false;
  known ??= findExit();
  return known !== undefined && isBoundOf(known, exit);
}
