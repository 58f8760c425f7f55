// SPDX-License-Identifier: Apache-2.0
// Lets a thread of its own (switch-thread.mjs) switch recording in the main thread, in Node, whatever runs there: V8 interrupts WebAssembly too, where
// functions and the rounds of loops begin.

import { platform } from "./node-platform.mjs";
import { OF_SWITCH } from "./engine-stack.mjs";

/** Where that thread finds Recorder.interrupt(). */
const KEY = "warpo.switch";

/**
 * From now on what others write to a socket switches recording: lines `on`, `off` and `toggle`. Each is answered by the new state. `fd` is the socket's, of
 * which this takes possession.
 */
export function listenForSwitch(recorder, fd) {
  const value = (wish) => recorder.own.interrupt(wish);
  Object.defineProperty(globalThis, Symbol.for(KEY), { value, configurable: true });
  platform.startSwitch({ fd, expression: `globalThis[Symbol.for("${KEY}")]`, source: OF_SWITCH });
}
