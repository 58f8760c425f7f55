// SPDX-License-Identifier: Apache-2.0
// The thread that keeps the time of clock `thread` in Node: one for the process, started by the main thread, because a
// thread ends with the one that started it. If the main thread has started none, each other thread starts its own.

import { availableParallelism } from "node:os";
import * as threads from "node:worker_threads";
import { endTime, STATE, stateOf } from "../engine/kept-time.mjs";
import { dataOfProcess } from "./process-data.mjs";

const { BroadcastChannel, isMainThread, MessageChannel, receiveMessageOnPort, threadId } = threads;
// The current one: the recorder's own threads do not belong to the program (worker-hook.mjs).
const { Worker } = threads;

// Without the process's options, which may start a recorder in each worker. Does not write to the program's streams.
export const OF_ITS_OWN = { execArgv: [], env: {}, stdout: true, stderr: true };

// Numbers in the memory that a keeper shares with its threads: one of PHASES, and the number of requests.
const PHASE = 0;
const REQUESTS = 1;
const PHASES = { none: 0, starting: 1, running: 2, failed: 3 };

// A running worker can end without a word, for lack of memory. In milliseconds; a busy machine takes some of them.
const PATIENCE = 30_000;

// What the worker does first: threads that wait for it hear of a failure at once, not by an event.
const STARTER = `
  const { workerData: { script, failures, memory } } = require("node:worker_threads");
  import(script).catch((error) => {
    failures.postMessage(error.message);
    const numbers = new Int32Array(memory);
    Atomics.store(numbers, ${PHASE}, ${PHASES.failed});
    Atomics.notify(numbers, ${PHASE});
  });
`;

const channelOf = (owner) => `warpo: the time of thread ${owner}`;

/** The requests, as the worker receives them. */
export class TimeRequests {
  #numbers;
  #channel;
  #taken = 0;

  constructor({ memory, owner }) {
    this.#numbers = new Int32Array(memory);
    this.#channel = new BroadcastChannel(channelOf(owner));
    Atomics.store(this.#numbers, PHASE, PHASES.running);
    Atomics.notify(this.#numbers, PHASE);
  }

  wait() {
    Atomics.wait(this.#numbers, REQUESTS, this.#taken);
  }

  /** Those that have come since the last call: `{ time }`, a description of kept-time.mjs, or `{ drain }` of startDrain(). */
  take() {
    const requests = [];
    for (const count = Atomics.load(this.#numbers, REQUESTS); this.#taken !== count; ++this.#taken)
      requests.push(receiveMessageOnPort(this.#channel).message);
    return requests;
  }
}

class TimeKeeper {
  #numbers;
  #owner;
  #failures;
  #reason;

  constructor(memory, owner) {
    this.#numbers = new Int32Array(memory);
    this.#owner = owner;
  }

  get memory() {
    return this.#numbers.buffer;
  }

  get #phase() {
    return Atomics.load(this.#numbers, PHASE);
  }

  /** Whether it runs, or will as far as is known. */
  get isStarted() {
    return this.#phase === PHASES.starting || this.#phase === PHASES.running;
  }

  /** Does not fail: keep() does, if there is no worker. */
  start() {
    if (this.#phase !== PHASES.none) return;
    Atomics.store(this.#numbers, PHASE, PHASES.starting);
    const { port1, port2: failures } = new MessageChannel();
    this.#failures = port1;
    const script = new URL("./time-keeper.mjs", import.meta.url).href;
    const workerData = { script, failures, memory: this.memory, owner: this.#owner };
    try {
      new Worker(STARTER, { eval: true, workerData, transferList: [failures], ...OF_ITS_OWN }).unref();
    } catch (error) {
      this.#reason = error.message;
      Atomics.store(this.#numbers, PHASE, PHASES.failed);
    }
  }

  /** Known to the thread that has started it. */
  #whyFailed() {
    this.#reason ??= this.#failures && receiveMessageOnPort(this.#failures)?.message;
    return this.#reason ?? "it did not start";
  }

  /**
   * When this returns, the time is kept as kept-time.mjs describes. The worker starts without this thread's event loop,
   * so this can wait for it, as long as a busy machine takes.
   */
  keep(description) {
    this.start();
    Atomics.wait(this.#numbers, PHASE, PHASES.starting);
    if (this.#phase === PHASES.failed) throw new Error(`the clock's worker failed: ${this.#whyFailed()}`);
    this.#request({ time: description });
    if (Atomics.wait(stateOf(description), 0, STATE.waiting, PATIENCE) === "timed-out")
      throw new Error("the clock's worker failed: it does not answer");
  }

  /** For the thread that has started it, whose time it keeps: drains that one, too (drain.mjs). See Drain for the result. */
  drain(description, sink) {
    this.#request({ drain: { description, sink } });
    return { failure: () => receiveMessageOnPort(this.#failures)?.message };
  }

  #request(message) {
    const channel = new BroadcastChannel(channelOf(this.#owner));
    channel.postMessage(message);
    channel.close();
    Atomics.add(this.#numbers, REQUESTS, 1);
    Atomics.notify(this.#numbers, REQUESTS);
  }
}

const newMemory = () => new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);

/** The main thread's keeper, which other threads know by its memory. */
export const timeOfProcess = isMainThread ? new TimeKeeper(newMemory(), 0) : dataOfProcess && new TimeKeeper(dataOfProcess.time, 0);

let ownKeeper;

// For the program, for what keeps its time, for what writes its record, and one to spare.
const PROCESSORS_FOR_EACH = 4;

/** Whether the keeper drains the main thread too: as threads of their own, the two would have the program wait for them. */
export const keeperDrains = isMainThread && availableParallelism() < PROCESSORS_FOR_EACH;

/** Has the time kept as kept-time.mjs describes it. */
export function startKeeper(description) {
  const keeper = isMainThread || timeOfProcess?.isStarted ? timeOfProcess : (ownKeeper ??= new TimeKeeper(newMemory(), threadId));
  keeper.keep(description);
  return { ready: Promise.resolve(), stop: () => endTime(description) };
}
