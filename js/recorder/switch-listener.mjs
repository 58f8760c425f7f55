// SPDX-License-Identifier: Apache-2.0
// Lets a thread of its own (switch-thread.mjs) switch recording in the main thread, in Node, whatever runs there: V8 interrupts WebAssembly too, where
// functions and the rounds of loops begin.

import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { platform } from "./node-platform.mjs";
import { OF_SWITCH } from "./engine-stack.mjs";

/** Where that thread finds Recorder.interrupt(). */
const KEY = "warpo.switch";

/** Opens a named pipe for listenForSwitch(), whoever writes to it, and however often. Throws if it is none. */
export function openSwitch(path) {
  // For writing too: then it has no end where a writer goes away.
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  if (fstatSync(fd).isFIFO()) return fd;
  closeSync(fd);
  throw new Error("that is no named pipe, as mkfifo makes them");
}

/**
 * From now on lines `on`, `off` and `toggle` that are written to a pipe or a socket switch recording. `fd` is its descriptor, of which this takes
 * possession. The new state is answered on the `socket`, or said on standard error (`message`), or neither (`nowhere`).
 */
export function listenForSwitch(recorder, fd, answer) {
  const value = (wish) => recorder.own.interrupt(wish);
  Object.defineProperty(globalThis, Symbol.for(KEY), { value, configurable: true });
  platform.startSwitch({ fd, answer, expression: `globalThis[Symbol.for("${KEY}")]`, source: OF_SWITCH });
}
