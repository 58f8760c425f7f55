// SPDX-License-Identifier: Apache-2.0
// The threads of a process, in Node: each says to the main thread, without a turn of anybody's event loop, in which
// memory its record lies; the main thread finishes those that their threads did not finish.

import { BroadcastChannel, receiveMessageOnPort, threadId } from "node:worker_threads";
import { FileSink } from "../record/file-sink.mjs";
import { finishLeftRecord } from "../threads/left-record.mjs";
import { PATIENCE } from "../threads/thread-gate.mjs";

const CHANNEL = "warpo.threads";

function post(message) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(message);
  channel.close();
}

/**
 * For a thread that is not the main one: it is about to create `file`, an absolute path; undefined: it could not. Then,
 * `description` of left-record.mjs, of what it writes there.
 */
export const announceFile = (file) => post({ creating: { threadId, file } });
export const announceRecord = (file, description) => post({ begun: { threadId, file, description } });

/**
 * For such a thread too: an instance collects what heldBy() of artifacts.mjs says; it has been fetched, and written.
 */
export const announceHeld = (artifacts) => post({ held: { threadId, artifacts } });
export const announceFetched = () => post({ fetched: threadId });

/** For such a thread that Node profiles: its program begins. */
export const announceProgram = () => post({ program: { threadId, begin: Number(process.hrtime.bigint() / 1000n) } });

/** To be called by the thread that started another one, when that has ended. */
export const announceEnd = (endedId) => post({ ended: endedId });

/** For the main thread. */
export class ThreadRecords {
  #channel = new BroadcastChannel(CHANNEL);
  #records = new Map(); // by thread id: { file, description }
  #files = new Map(); // of all records, by thread id
  #begunFiles = new Map(); // in which there is no record yet, by thread id
  #held = new Map(); // by thread id: lists of what its instances collect
  #begins = new Map(); // of the programs of threads that Node profiles, by thread id
  #hasHeld = false;
  #report;
  #onLeft;

  /**
   * `report(file, message)` hears what went wrong; `onLeft(threadId, artifacts)` gets what instances of a thread held
   * that has not fetched it.
   */
  constructor(report, onLeft) {
    this.#report = report;
    this.#onLeft = onLeft;
    this.#channel.onmessage = ({ data }) => this.#hear(data);
    this.#channel.unref();
  }

  #hear({ creating, begun, ended, held, fetched, program }) {
    if (creating !== undefined) {
      this.#begunFiles.set(creating.threadId, creating.file);
    } else if (begun !== undefined) {
      this.#begunFiles.delete(begun.threadId);
      this.#records.set(begun.threadId, begun);
      this.#files.set(begun.threadId, begun.file);
    } else if (held !== undefined) {
      this.#hasHeld = true;
      const known = this.#held.get(held.threadId) ?? [];
      this.#held.set(held.threadId, [...known, ...held.artifacts]);
    } else if (fetched !== undefined) {
      this.#held.delete(fetched);
    } else if (program !== undefined) {
      this.#begins.set(program.threadId, program.begin);
    } else {
      this.end(ended);
    }
  }

  /** A thread has ended; if it did not finish its record, that is done now. */
  end(endedId) {
    this.#hearAll();
    this.#finish(endedId, true);
    this.#leave(endedId);
  }

  #hearAll() {
    for (let next; (next = receiveMessageOnPort(this.#channel)) !== undefined;) this.#hear(next.message);
  }

  #leave(id) {
    const artifacts = this.#held.get(id);
    this.#held.delete(id);
    if (artifacts !== undefined) this.#onLeft(id, artifacts);
  }

  #finish(id, hasEnded) {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#records.delete(id);
    const { file, description } = record;
    try {
      finishLeftRecord(description, { patience: hasEnded ? 0 : PATIENCE }, (size) => new FileSink({ file, size }));
    } catch (error) {
      this.#report(file, error.reason ?? error.message);
    }
  }

  /** Whether instances of any thread have collected something by themselves. */
  get hasHeld() {
    return this.#hasHeld;
  }

  /**
   * When the program of a thread that Node profiles began, in microseconds of process.hrtime(); undefined if it did
   * not.
   */
  beginOf(id) {
    return this.#begins.get(id);
  }

  /** After close(): the files of threads that ended before they had a record. */
  get begunFiles() {
    return [...this.#begunFiles.values()].filter((file) => file !== undefined);
  }

  /** The process ends: finishes the records of all threads. Returns where they are, `[threadId, file]` each. */
  close() {
    this.#hearAll();
    for (const id of [...this.#records.keys()]) this.#finish(id, false);
    for (const id of [...this.#held.keys()]) this.#leave(id);
    this.#channel.close();
    return [...this.#files].sort(([one], [other]) => one - other);
  }
}
