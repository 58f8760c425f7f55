// SPDX-License-Identifier: Apache-2.0
// Ctrl-C in the middle of a program. Node hears signals between calls, and a program is a single one: it would be killed, and what was
// recorded of it lost.

import { constants } from "node:os";
import { Script } from "node:vm";
import { GuestExit } from "./failures.mjs";

const KEY = "warpo.program";
const CODE = 128 + constants.signals.SIGINT;
const script = new Script(`globalThis[Symbol.for("${KEY}")]()`, { filename: "warpo" });

/** For SIGINT before and after the call, and again after the one that has ended it. */
export const endAtInterrupt = () => process.on("SIGINT", () => process.exit(CODE));

/** The result of the call, which SIGINT ends with a GuestExit. */
export function interruptible(call) {
  let result;
  const key = Symbol.for(KEY);
  globalThis[key] = () => {
    delete globalThis[key];
    result = call();
  };
  try {
    // Node has V8 end a script at SIGINT, whatever it calls.
    script.runInThisContext({ breakOnSigint: true, displayErrors: false });
  } catch (error) {
    throw error?.code === "ERR_SCRIPT_EXECUTION_INTERRUPTED" ? new GuestExit(CODE) : error;
  }
  return result;
}
