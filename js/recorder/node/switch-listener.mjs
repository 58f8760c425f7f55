// SPDX-License-Identifier: Apache-2.0
// Lets a thread of its own (switch-thread.mjs) switch recording in the threads of a program, in Node, whatever runs there: V8 interrupts WebAssembly too,
// where functions and the rounds of loops begin.

import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { isMainThread, threadId } from "node:worker_threads";
import { platform } from "./node-platform.mjs";
import { OF_SWITCH } from "../engine/engine-stack.mjs";

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

/** Lets that thread switch recording in this one: `interrupt(wish)` returns what Recorder.interrupt() does. */
export function offerSwitch(interrupt) {
  Object.defineProperty(globalThis, Symbol.for(KEY), { value: interrupt, configurable: true });
}

/** Recording in all threads of a process, each of which has one of these, as one pipe switches it. */
export class ProcessSwitch {
  #word; // whether it is on, for threads that begin to record
  #recorder;

  /** `memory`: of the main thread's. */
  constructor(memory = new SharedArrayBuffer(4)) {
    this.#word = new Int32Array(memory);
    offerSwitch((wish) => this.#interrupt(wish));
  }

  get memory() {
    return this.#word.buffer;
  }

  get enabled() {
    return Atomics.load(this.#word, 0) === 1;
  }
  set enabled(value) {
    Atomics.store(this.#word, 0, Number(value));
  }

  /** The recorder of this thread, which `open(options)` makes. */
  open(open) {
    this.#recorder = open({ enabled: this.enabled });
    // It may have been switched meanwhile.
    this.#recorder.enabled = this.enabled;
    return this.#recorder;
  }

  /** The main thread's state is that of the process; the others follow. */
  #interrupt(wish) {
    const state = this.#recorder === undefined ? this.#stateAfter(wish) : this.#recorder.own.interrupt(wish);
    if (state === undefined || state === "busy") return state;
    if (isMainThread) this.enabled = state === "on";
    else if (this.#recorder === undefined) return undefined;
    return isMainThread ? state : `${state} in thread ${threadId}`;
  }

  #stateAfter(wish) {
    if (wish === "toggle") return this.enabled ? "off" : "on";
    return ["on", "off"].includes(wish) ? wish : undefined;
  }
}

/**
 * From now on lines `on`, `off` and `toggle` that are written to a pipe or a socket switch recording, as this thread's offerSwitch() or ProcessSwitch has
 * it. `fd` is its descriptor, of which this takes possession. The new state is answered on the `socket`, or said on standard error (`message`), or neither
 * (`nowhere`); `report(text)` hears why that cannot go on. `state`: the memory of the ProcessSwitch, if there is one. For the main thread.
 */
export function listenForSwitch(fd, answer, report, state) {
  platform.startSwitch({ fd, answer, state, expression: `globalThis[Symbol.for("${KEY}")]`, source: OF_SWITCH }, report);
}
