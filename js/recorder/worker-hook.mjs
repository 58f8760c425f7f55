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

/** Node's arguments of a thread that inherits all from this one. */
const inheritedArguments = () => [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(/\s+/).filter((argument) => argument !== "")];

/** A thread has some of Node's arguments; the others are those of the process, and hold for it anyway. */
function makeProfiled(make, options, script, profiles) {
  const given = options?.execArgv ?? argumentsOf({ execArgv: inheritedArguments() }, script);
  let execArgv;
  try {
    execArgv = [...given, ...profiles.argumentsBeside(given)];
  } catch {
    // There is no place for its samples, or they are somebody else's: it samples itself.
    return make(options);
  }
  const start = (arguments_) => {
    const worker = make({ ...options, execArgv: arguments_ });
    profiles.follow(worker);
    return worker;
  };
  try {
    return start(execArgv);
  } catch (error) {
    if (error?.code !== "ERR_WORKER_INVALID_EXEC_ARGV") throw error;
    const refused = error.message.replace(/^[^:]*: /, "").split(", ");
    try {
      return start(execArgv.filter((argument) => !refused.includes(argument)));
    } catch {
      // It samples itself then.
      return make(options);
    }
  }
}

/**
 * `script`: its address. `onStart()` is called before a thread starts, `onEnd(threadId)` after one has ended. `profiles()`: the ThreadProfiles of
 * threads that this one starts, or what has its argumentsBeside() and follow(); undefined: they are not profiled. What the program sees of `Worker` is as before.
 */
export function hookWorkers(script, { onStart, onEnd, profiles = () => undefined }) {
  const threads = createRequire(import.meta.url)("node:worker_threads");
  const { Worker } = threads;
  const construct = (target, [source, options, ...rest], newTarget) => {
    onStart();
    const isText = options?.eval && typeof source === "string" && isScript(source);
    const own = hasOwnOptions(options)
      ? { ...options, execArgv: argumentsOf(options, script) }
      : options;
    const make = (given) => Reflect.construct(target, [isText ? codeAfter(script, source) : source, given, ...rest], newTarget);
    const worker = profiles() === undefined ? make(own) : makeProfiled(make, own, script, profiles());
    const { threadId } = worker;
    worker.once("exit", () => onEnd(threadId));
    return worker;
  };
  threads.Worker = new Proxy(Worker, { construct });
  Worker.prototype.constructor = threads.Worker;
  syncBuiltinESMExports();
}
