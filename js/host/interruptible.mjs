// SPDX-License-Identifier: Apache-2.0
// Signals in the middle of a program. Node handles them only between calls, and a program is one call: without this, they
// would kill it and lose the record. warpo-run sends SIGINT for each (NodeEngine.cpp).

import { constants } from "node:os";
import { Script } from "node:vm";
import { GuestExit } from "./failures.mjs";

const KEY = "warpo.program";
const CODE = 128 + constants.signals.SIGINT;
const script = new Script(`globalThis[Symbol.for("${KEY}")]()`, { filename: import.meta.url });

/** Handles signals outside the call, and again after the one that ended it. */
export function endAtSignals() {
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

/** Returns the call's result; throws GuestExit, after `onInterrupt()`, if SIGINT ends it. */
export function interruptible(call, onInterrupt) {
  let result;
  const key = Symbol.for(KEY);
  globalThis[key] = () => {
    delete globalThis[key];
    result = call();
  };
  try {
    // V8 then terminates the script at SIGINT, whatever it calls.
    script.runInThisContext({ breakOnSigint: true, displayErrors: false });
  } catch (error) {
    if (error?.code !== "ERR_SCRIPT_EXECUTION_INTERRUPTED") throw error;
    onInterrupt();
    throw new GuestExit(CODE);
  }
  return result;
}
