// SPDX-License-Identifier: Apache-2.0
// The stacks of a thread while their events are packed: its own one, and those of tasks (marks.mjs), each of which has a stream
// of the record for itself. Streams are used again when their task has ended.

import { ENTRY } from "./marks.mjs";
import { NUMBERS } from "./record-encoder.mjs";
import { isSection } from "./sections.mjs";

// Live tasks that have streams. What further ones do is counted.
const MOST_TASKS = 1024;

export class Stacks {
  #own;
  #openStream;
  #put;
  #running; // innermost last: { stream, isSuspended, entry }
  #tasks = new Map(); // by number
  #unused = [];
  #opened = [];
  #hidden = 0;

  /**
   * `own`: the stream of the thread's own stack. `openStream(number)` opens another one. `put(stream, id, entry)` packs an event that
   * has the clocks of `entry`, what `copy(at)` returns of an entry in the buffer.
   */
  constructor(own, openStream, put) {
    this.#own = { stream: own };
    this.#running = [this.#own];
    this.#openStream = openStream;
    this.#put = put;
  }

  /** The stream of the events that follow; undefined if they are of a task that has none. */
  get stream() {
    return this.#running.at(-1).stream;
  }

  /** All streams. */
  get streams() {
    return [this.#own.stream, ...this.#opened];
  }

  /** Tasks that are suspended. */
  get suspended() {
    return [...this.#tasks.values()].filter(({ isSuspended }) => isSuspended).length;
  }

  /** Tasks that had no stream. */
  get hidden() {
    return this.#hidden;
  }

  /** The current stack has an event: it has not been suspended. */
  noteEvent() {
    this.#running.at(-1).entry = undefined;
  }

  /** A mark of this kind, with the clocks of `entry`. */
  mark(kind, number, entry) {
    if (kind === ENTRY.rest) {
      this.#rest(entry);
      return;
    }
    // A ring may have forgotten how a task began.
    const isNew = kind === ENTRY.enter || (kind === ENTRY.resume && !this.#tasks.has(number));
    if (isNew) this.#tasks.set(number, { stream: this.#takeStream(), isSuspended: false });
    const task = this.#tasks.get(number);
    if (task === undefined) return;
    if (kind === ENTRY.enter) this.#switchTo([...this.#running, task], entry);
    else if (kind === ENTRY.suspend) task.entry = entry;
    else if (kind === ENTRY.resume) this.#resume(task, entry);
    else this.#leave(number, task, entry);
  }

  /** Marks are missing before `entry`: what runs is not known. */
  forget(entry) {
    this.#switchTo([this.#own], entry);
    for (const { stream } of this.#tasks.values()) stream?.lose(0, 0);
  }

  #takeStream() {
    if (this.#unused.length > 0) return this.#unused.pop();
    if (this.#opened.length === MOST_TASKS) {
      ++this.#hidden;
      return undefined;
    }
    const stream = this.#openStream(this.#opened.length + 1);
    this.#opened.push(stream);
    return stream;
  }

  #resume(task, entry) {
    this.#switchTo([this.#own, task], entry);
    if (task.isSuspended && task.stream?.openCount > 0) this.#put(task.stream, -NUMBERS.suspendedId, entry);
    task.isSuspended = false;
  }

  #leave(number, task, entry) {
    const { stream } = task;
    if (task.entry !== undefined) {
      if (stream?.openCount > 0) this.#put(stream, NUMBERS.suspendedId, task.entry);
      task.isSuspended = true;
      task.entry = undefined;
    } else {
      this.#endCalls(stream, entry, () => true);
      this.#tasks.delete(number);
      if (stream !== undefined) this.#unused.push(stream);
    }
    const place = this.#running.indexOf(task);
    if (place > 0) this.#switchTo(this.#running.slice(0, place), entry);
  }

  #rest(entry) {
    this.#switchTo([this.#own], entry);
    // Sections of modules without trace points may outlast a call from the host.
    this.#endCalls(this.#own.stream, entry, (id) => !isSection(id));
  }

  /** The outermost of these calls and all within it were ended by a trap or an exception. */
  #endCalls(stream, entry, isOne) {
    if (!(stream?.openCount > 0)) return;
    const calls = stream.openCalls();
    const outermost = calls.find(isOne);
    // An end is that of the innermost call of its function, and takes those above it along.
    for (const id of calls) {
      if (id !== outermost) continue;
      this.#put(stream, NUMBERS.trapId, entry);
      this.#put(stream, -outermost, entry);
    }
  }

  /** Fuel counts for the stack that runs. */
  #switchTo(running, { fuel }) {
    this.stream?.pause(fuel);
    this.#running = running;
    this.stream?.proceed(fuel);
  }
}
