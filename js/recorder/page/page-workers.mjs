// SPDX-License-Identifier: Apache-2.0
// Records the workers of a page, including those that its workers start. A worker's record is in memory shared with the
// page, which finishes it and adds it to its own record, however the worker has ended.

import { finishLeftRecord } from "../threads/left-record.mjs";
import { RecordReader } from "../record/record-reader.mjs";
import { SharedSink } from "../threads/shared-sink.mjs";
import { PATIENCE } from "../threads/thread-gate.mjs";
import { hookWorkersOf } from "./page-worker-starter.mjs";

/**
 * Milliseconds for which a terminated worker may still run: Chromium gives it two seconds to return to its event loop.
 */
const ENDING = 3000;

class PageWorkers {
  #open;
  #onError;
  #recorder;
  #names;
  #records = []; // { id, worker, description, buffer }
  #terminated = new WeakMap(); // by worker: when terminate() was called
  #count = 0;
  #said = new Set();

  /** See hookPageWorkers(). */
  constructor(open, names, onError) {
    this.#open = open;
    this.#names = names;
    this.#onError = onError;
  }

  report(text) {
    if (!this.#said.has(text)) this.#recorder.problems.push(text);
    this.#said.add(text);
  }

  get obstacle() {
    if (this.#names === undefined) return "the page is not cross-origin isolated";
    if (this.#recorder.isLimited || !this.#recorder.canAdopt) return "the record has a limit, a sink, or is closed";
    return undefined;
  }

  begin() {
    if (this.#recorder !== undefined) return true;
    try {
      this.#recorder = this.#open().own;
    } catch (error) {
      this.#onError(error);
      return false;
    }
    this.#recorder.finishers.push(() => this.#finish());
    return true;
  }

  take(worker, port) {
    this.#names.share();
    const id = this.#listen(port, worker);
    const { clock, isRing, bufferBytes } = this.#recorder;
    const options = { clock: clock.name, policy: isRing ? "ring" : "block", bufferBytes };
    return { name: `worker ${id}`, recording: { options, names: this.#names.memory } };
  }

  /** `worker`: undefined for one that another worker has started. */
  #listen(port, worker) {
    const id = ++this.#count;
    port.onmessage = ({ data: { problem, begun, started } }) => {
      if (problem !== undefined) this.report(`worker ${id}: ${problem}`);
      if (begun !== undefined) this.#records.push({ id, worker, ...begun });
      if (started !== undefined) this.#listen(started);
    };
    return id;
  }

  noteTerminate(worker) {
    if (!this.#terminated.has(worker)) this.#terminated.set(worker, Date.now());
  }

  #patienceWith(worker) {
    const ended = worker && this.#terminated.get(worker);
    return ended === undefined ? PATIENCE : Math.max(0, ended + ENDING - Date.now());
  }

  #finish() {
    for (const { id, worker, description, buffer } of this.#records.splice(0).sort((one, other) => one.id - other.id)) {
      const sink = new SharedSink(buffer);
      try {
        finishLeftRecord(description, { patience: this.#patienceWith(worker), goesOn: true }, () => sink);
        this.#recorder.adopt(new RecordReader(sink), { number: BigInt(id), name: `thread ${id}` });
      } catch (error) {
        this.report(`worker ${id} is not in the record: ${error.message}`);
      }
    }
  }
}

/**
 * Hooks `Worker`; returns a function that removes the hook. `open()` returns the page's recorder; `onError(error)` is
 * called if it throws. `names`: the recorder's SharedNames, undefined if memory cannot be shared.
 */
export function hookPageWorkers(open, names, onError) {
  return globalThis.document === undefined ? () => {} : hookWorkersOf(new PageWorkers(open, names, onError));
}
