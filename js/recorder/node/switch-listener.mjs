// SPDX-License-Identifier: Apache-2.0
// Lets a separate thread (switch-thread.mjs) switch recording in the threads of a program in Node, even while they run
// WebAssembly: V8 can interrupt it at the beginning of functions and of loop iterations.

import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { isMainThread, threadId } from "node:worker_threads";
import { platform } from "./node-platform.mjs";
import { OF_INTERRUPT } from "../engine/engine-stack.mjs";

/** Key of the global symbol under which that thread finds the function of offerSwitch(). */
const KEY = "warpo.switch";

/** Opens a named pipe for listenForSwitch(); any number of writers may come and go. Throws if `path` is no pipe. */
export function openSwitch(path) {
  // Opened for writing too, so that there is no end of file when the last writer closes the pipe.
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  if (fstatSync(fd).isFIFO()) return fd;
  closeSync(fd);
  throw new Error("that is no named pipe, as mkfifo makes them");
}

/**
 * Lets that thread switch recording in this one by `interrupt(wish)`, which returns the same as Recorder.interrupt().
 */
export function offerSwitch(interrupt) {
  Object.defineProperty(globalThis, Symbol.for(KEY), { value: interrupt, configurable: true });
}

/** The state of recording in a process, which one pipe switches. Each thread has one of these. */
export class ProcessSwitch {
  #word; // whether it is on, for threads that begin to record
  #recorder;

  /** `memory`: that of the main thread's ProcessSwitch; default: a new one. */
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

  /** Opens this thread's recorder by `open(options)`, and returns it. */
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
 * Switches recording by lines `on`, `off` and `toggle` read from a pipe or socket, through offerSwitch() or the
 * ProcessSwitch of each thread. To be called in the main thread. Takes ownership of the descriptor `fd`. `answer`:
 * whether the new state is written to the `socket`, to standard error (`message`), or `nowhere`. `report(text)` is
 * called if listening fails. `state`: the memory of the ProcessSwitch, if there is one.
 */
export function listenForSwitch(fd, answer, report, state) {
  platform.startSwitch({ fd, answer, state, expression: `globalThis[Symbol.for("${KEY}")]`, source: OF_INTERRUPT }, report);
}
