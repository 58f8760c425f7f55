// SPDX-License-Identifier: Apache-2.0
// The threads that a program starts, in Node: each loads a script first, whatever options its program gives it.

import { createRequire, syncBuiltinESMExports } from "node:module";
import { Script } from "node:vm";

/** Of a thread with these arguments that loads the script. */
function argumentsWith(script, execArgv) {
  const hasScript = execArgv.some((argument) => argument === script || argument === `--import=${script}`);
  return hasScript ? execArgv : [...execArgv, "--import", script];
}

function isScript(code) {
  try {
    new Script(code);
    return true;
  } catch {
    return false;
  }
}

/**
 * Code for a thread whose program is given as text: Node imports nothing before that, unless it is a module. The
 * program runs as it would without: with the same globals and lines, and its exceptions are not caught.
 */
const codeAfter = (script, code) => `import(${JSON.stringify(script)}).then(() => process.nextTick(() => {
  const { constants, runInThisContext } = require("node:vm");
  const importModuleDynamically = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  runInThisContext(${JSON.stringify(code)}, { filename: "[worker eval]", importModuleDynamically });
}));`;

/** Node's arguments of a thread that inherits all from this one. */
const inheritedArguments = () => [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(/\s+/).filter((argument) => argument !== "")];

/**
 * Node options for a thread that is profiled; undefined if its samples have no place or belong to somebody else: then
 * it samples itself.
 */
function profiledArguments(execArgv, profiles) {
  try {
    return [...execArgv, ...profiles.argumentsBeside(execArgv)];
  } catch {
    return undefined;
  }
}

/** Starts a thread by make(execArgv), or make() with those that its program gives. */
function startThread(make, options, script, profiles) {
  const own = options?.execArgv || undefined;
  // Node says what is wrong with it.
  if (own !== undefined && !Array.isArray(own)) return make();
  const makeWith = (execArgv) => {
    try {
      return make(execArgv);
    } catch (error) {
      if (error?.code !== "ERR_WORKER_INVALID_EXEC_ARGV") throw error;
      // A thread takes some of the process's options; the others apply to it anyway. Options that the program gives may
      // still be refused.
      const refused = error.message.replace(/^[^:]*: /, "").split(", ");
      return make(execArgv.filter((argument) => own?.includes(argument) || !refused.includes(argument)));
    }
  };
  // With options of its own a thread does not inherit all from this one.
  const hasOwnOptions = own !== undefined || typeof options?.env === "object";
  const given = argumentsWith(script, own ?? (hasOwnOptions ? process.execArgv : inheritedArguments()));
  const profiled = profiles && profiledArguments(given, profiles);
  if (profiled) {
    try {
      const worker = makeWith(profiled);
      profiles.follow(worker);
      return worker;
    } catch (error) {
      if (error?.code !== "ERR_WORKER_INVALID_EXEC_ARGV") throw error;
      // It samples itself then.
    }
  }
  return hasOwnOptions ? makeWith(given) : make();
}

/**
 * `script`: its address. `onStart()` is called before a thread starts, `onEnd(threadId)` after one has ended.
 * `profiles()`: the ThreadProfiles of threads started by this one, or an object with argumentsBeside() and follow();
 * undefined: they are not profiled. The program sees `Worker` unchanged.
 */
export function hookWorkers(script, { onStart, onEnd, profiles = () => undefined }) {
  const threads = createRequire(import.meta.url)("node:worker_threads");
  const { Worker } = threads;
  const construct = (target, [source, options, ...rest], newTarget) => {
    onStart();
    const isText = options?.eval && typeof source === "string" && isScript(source);
    const code = isText ? codeAfter(script, source) : source;
    const make = (execArgv) => Reflect.construct(target, [code, execArgv ? { ...options, execArgv } : options, ...rest], newTarget);
    const worker = startThread(make, options, script, profiles());
    const { threadId } = worker;
    worker.once("exit", () => onEnd(threadId));
    return worker;
  };
  threads.Worker = new Proxy(Worker, { construct });
  Worker.prototype.constructor = threads.Worker;
  syncBuiltinESMExports();
}
