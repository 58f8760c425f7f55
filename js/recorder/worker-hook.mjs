// SPDX-License-Identifier: Apache-2.0
// The threads that a program starts, in Node: each loads a script first, whatever options its program gives it.

import { createRequire, syncBuiltinESMExports } from "node:module";
import { Script } from "node:vm";

/** Node's arguments of a thread that has options of its own, which it does not inherit all from this one. */
function argumentsOf({ execArgv = process.execArgv }, script) {
  const hasScript = execArgv.some((argument) => argument === script || argument === `--import=${script}`);
  return hasScript ? execArgv : [...execArgv, "--import", script];
}

const hasOwnOptions = (options) => Array.isArray(options?.execArgv) || typeof options?.env === "object";

function isScript(code) {
  try {
    new Script(code);
    return true;
  } catch {
    return false;
  }
}

/**
 * Code for a thread whose program is given as text. Node imports nothing before that, unless the code is a module. It runs
 * where and as it would: it sees the same globals, has the same lines, and what it throws is not caught.
 */
const codeAfter = (script, code) => `import(${JSON.stringify(script)}).then(() => process.nextTick(() => {
  const { constants, runInThisContext } = require("node:vm");
  const importModuleDynamically = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  runInThisContext(${JSON.stringify(code)}, { filename: "[worker eval]", importModuleDynamically });
}));`;

/**
 * `script`: its address. `onStart()` is called before a thread starts, `onEnd(threadId)` after one has ended. What the program
 * sees of `Worker` is as before.
 */
export function hookWorkers(script, { onStart, onEnd }) {
  const threads = createRequire(import.meta.url)("node:worker_threads");
  const { Worker } = threads;
  const construct = (target, [source, options, ...rest], newTarget) => {
    onStart();
    const isText = options?.eval && typeof source === "string" && isScript(source);
    const own = hasOwnOptions(options)
      ? { ...options, execArgv: argumentsOf(options, script) }
      : options;
    const args = [isText ? codeAfter(script, source) : source, own, ...rest];
    const worker = Reflect.construct(target, args, newTarget);
    const { threadId } = worker;
    worker.once("exit", () => onEnd(threadId));
    return worker;
  };
  threads.Worker = new Proxy(Worker, { construct });
  Worker.prototype.constructor = threads.Worker;
  syncBuiltinESMExports();
}
