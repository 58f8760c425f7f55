// SPDX-License-Identifier: Apache-2.0
// The threads of a process, in Node: each says to the main thread, without a turn of anybody's event loop, in which memory its
// record lies; the main thread finishes those that their threads did not finish.

import { BroadcastChannel, receiveMessageOnPort, threadId } from "node:worker_threads";
import { FileSink } from "./file-sink.mjs";
import { finishLeftRecord } from "./left-record.mjs";

const CHANNEL = "warpo.threads";

function tell(message) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(message);
  channel.close();
}

/** For a thread that is not the main one: `description` of left-record.mjs, of what it writes to `file`. */
export const announceRecord = (file, description) => tell({ begun: { threadId, file, description } });

/** For whoever started a thread: it has ended. */
export const announceEnd = (endedId) => tell({ ended: endedId });

/** For the main thread. */
export class ThreadRecords {
  #channel = new BroadcastChannel(CHANNEL);
  #records = new Map(); // by thread id: { file, description }
  #report;

  /** `report(file, message)` hears what went wrong. */
  constructor(report) {
    this.#report = report;
    this.#channel.onmessage = ({ data }) => this.#hear(data);
    this.#channel.unref();
  }

  #hear({ begun, ended }) {
    if (begun !== undefined) this.#records.set(begun.threadId, begun);
    else this.end(ended);
  }

  /** A thread has ended; if it did not finish its record, that is done now. */
  end(endedId) {
    this.#hearAll();
    this.#finish(endedId, true);
  }

  #hearAll() {
    for (let next; (next = receiveMessageOnPort(this.#channel)) !== undefined;) this.#hear(next.message);
  }

  #finish(id, hasEnded) {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#records.delete(id);
    const { file, description } = record;
    try {
      finishLeftRecord(description, hasEnded, (size) => new FileSink({ file, size }));
    } catch (error) {
      this.#report(file, error.reason ?? error.message);
    }
  }

  /** The process ends: finishes the records of all threads. */
  close() {
    this.#hearAll();
    for (const id of [...this.#records.keys()]) this.#finish(id, false);
    this.#channel.close();
  }
}
