// SPDX-License-Identifier: Apache-2.0
// V8's profiler in a program's worker threads, in Node. A session within a thread loses its samples if the thread is
// terminated or waits for ever, so Node itself profiles these threads: it writes a file however a thread ends.

import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { platform } from "./node-platform.mjs";
import { openRecorder } from "../open-recorder.mjs";
import { awaitChange } from "../engine/waiting.mjs";

const FOLDER = "--cpu-prof-dir=";
const NAME = "warpo-threads-";
const DESCRIPTORS = "/proc/self/fd/";
/** As Node calls them: date, time, process, thread, number. */
const THREAD_OF_FILE = /^CPU\.\d+\.\d+\.\d+\.(\d+)\.\d+\.cpuprofile$/;
/** Milliseconds for all threads to end; one that had not begun leaves no file. */
const PATIENCE = 5000;

/**
 * The Node options by which it profiles this thread for the main one; undefined if it does not. Hidden from the
 * thread's program, which may pass its options on to processes.
 */
export function takeProfilingArguments() {
  const isOurs = (argument) => argument.startsWith(FOLDER) && (argument.includes(NAME) || argument.startsWith(FOLDER + DESCRIPTORS));
  const at = process.execArgv.findIndex(isOurs);
  return at < 1 ? undefined : process.execArgv.splice(at - 1, 3);
}

/** For what was seen of another thread, which has ended: its own number is not known then. */
export const createRecorderOfThread = (threadId, options) => openRecorder(options, { ...platform, thread: 0, worker: threadId });

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A part of it ends with a brace, too.
  }
}

/** For the main thread. */
export class ThreadProfiles {
  #folder = join(tmpdir(), `${NAME}${process.pid}-${process.hrtime.bigint()}`);
  #folderOfThreads; // the path by which threads know it; undefined before the first thread
  #interval;
  #workers = new Map(); // those that have not ended, by thread id

  /** `frequency`: samples a second. */
  constructor(frequency) {
    this.#interval = Math.max(1, Math.round(1e6 / frequency));
  }

  /**
   * Node options for a thread to be profiled, beside its own. Throws without a folder, or if the thread has a profile
   * of its own, which would be lost.
   */
  argumentsBeside(given) {
    if (given.some((argument) => argument.startsWith("--cpu-prof"))) throw new Error("the program has the thread profiled");
    this.#folderOfThreads ??= this.#makeFolder();
    return ["--cpu-prof", FOLDER + this.#folderOfThreads, `--cpu-prof-interval=${this.#interval}`];
  }

  /**
   * Node creates the folder of a profile if it is missing, but not one behind a descriptor. So on Linux a thread leaves
   * nothing behind if it writes after close(). The descriptor remains open until the process ends.
   */
  #makeFolder() {
    mkdirSync(this.#folder, { recursive: true });
    try {
      return existsSync(DESCRIPTORS) ? DESCRIPTORS + openSync(this.#folder) : this.#folder;
    } catch (error) {
      rmSync(this.#folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** A thread was started with these arguments. */
  follow(worker) {
    const { threadId } = worker;
    this.#workers.set(threadId, worker);
    worker.once("exit", () => this.#workers.delete(threadId));
  }

  /** Ends all threads, as the process does anyway, and calls `take(threadId, profile)` for each that began. */
  close(take) {
    if (this.#folderOfThreads === undefined) return;
    try {
      for (const [id, profile] of this.#awaitProfiles()) take(id, profile);
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  /** The profiles of all threads, `[threadId, profile]` each. A thread has written its own once those that it started have. */
  #awaitProfiles() {
    for (const worker of this.#workers.values()) worker.terminate();
    // This thread waits: the others need nothing of it to end.
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const profiles = new Map();
    for (const end = performance.now() + PATIENCE; ;) {
      this.#readProfiles(profiles);
      if ([...this.#workers.keys()].every((id) => profiles.has(id)) || performance.now() > end) break;
      awaitChange(cell, 0, 0, 5);
    }
    return [...profiles].sort(([one], [other]) => one - other);
  }

  /** Those that are whole: a thread may still write one. */
  #readProfiles(profiles) {
    for (const file of readdirSync(this.#folder)) {
      const id = Number(THREAD_OF_FILE.exec(file)?.[1]);
      if (Number.isNaN(id) || profiles.has(id)) continue;
      const text = readFileSync(join(this.#folder, file), "utf8");
      const profile = text.endsWith("}") ? parse(text) : undefined;
      if (profile !== undefined) profiles.set(id, profile);
    }
  }
}
