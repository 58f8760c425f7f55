// SPDX-License-Identifier: Apache-2.0
// The stacks of a thread while their events are packed: its own one, those of tasks (marks.mjs) and those that have been unwound, each of
// which has a stream of the record for itself. Streams are used again when their stack has ended.
//
// Where a stack is unwound nothing said before that it would be: it keeps its stream, and the thread goes on with another one.

import { EndedCalls } from "./ended-calls.mjs";
import { ENTRY } from "./marks.mjs";
import { NUMBERS } from "./record-encoder.mjs";
import { isSection } from "./sections.mjs";
import { Unwinding } from "./unwinding.mjs";

// Live tasks that have streams. What further ones do is counted.
const MOST_TASKS = 1024;
// Ids that tell how a function was entered differ by multiples of this.
const FUNCTIONS = 1 << 20;

export class Stacks {
  #own;
  #openStream;
  #put;
  #running; // innermost last: { stream, isSuspended, entry }
  #tasks = new Map(); // by number
  #unused = [];
  #opened = [];
  #hidden = 0;
  #unwinding = new Unwinding();
  #unwound = new Map(); // stacks: { stream, calls }, by number
  #split = 0;
  #ended = new EndedCalls();
  #entered; // a task that has no event yet: { from, fuel }

  /**
   * `own`: the stream of the thread's own stack. `openStream(number)` opens another one. `put(stream, id, entry)` packs an event that
   * has the clocks of `entry`, what `copy(at)` returns of an entry in the buffer.
   */
  constructor(own, openStream, put) {
    this.#own = { stream: own };
    this.#opened.push(own);
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
    return this.#opened;
  }

  /** The calls that are open on the thread's own stack, as far as is known, outermost first. */
  get ownCalls() {
    return this.#own.stream?.openCalls() ?? [];
  }

  /** Tasks and unwound stacks that are suspended. */
  get suspended() {
    return [...this.#tasks.values()].filter(({ isSuspended }) => isSuspended).length + this.#unwound.size;
  }

  /** Tasks that had no stream. */
  get hidden() {
    return this.#hidden;
  }

  /** Unwound calls whose callers went on: each of them ends, and begins anew when it goes on. */
  get split() {
    return this.#split;
  }

  /** Events are to be packed one by one: isRepeated() is asked before each, and noteReturn() called behind it. */
  get isMoving() {
    return this.#unwinding.isActive || this.#running.at(-1).isRewound === true;
  }

  /** Whether the event of this id, with the clocks of `entry`, only unwinds or rewinds a call. */
  isRepeated(id) {
    return this.#unwinding.isRepeated(id);
  }

  /** A stack that was rewound within other calls may have ended. */
  noteReturn(entry) {
    const { isRewound, stream } = this.#running.at(-1);
    if (!isRewound || stream === undefined || stream.openCount > 0) return;
    this.#unused.push(stream);
    this.#switchTo(this.#running.slice(0, -1), entry);
  }

  /** The current stack has an event, whose fuel `fuelOf()` gives: it has not been suspended. */
  noteEvent(fuelOf) {
    this.#running.at(-1).entry = undefined;
    if (this.#entered === undefined) return;
    // What has been burnt up to a task's first call is burnt by the caller: its import may have no trace points.
    const { from, fuel } = this.#entered;
    this.#entered = undefined;
    const entered = fuelOf();
    from.stream?.pause(entered);
    this.stream?.pause(fuel);
    this.stream?.proceed(entered);
  }

  /** Whether a module may say that a trap took a call of another stack than the one that runs, or one that has been ended here. */
  get awaitsTraps() {
    return this.#running.length > 1 || this.#ended.isAny;
  }

  /**
   * A module says that a trap took a call of this id: returns the stream of the call; undefined if it has been ended here. The module
   * says so when it runs again: by then a task may have begun, or gone on.
   */
  streamOfTrapped(id) {
    if (this.#ended.take(id)) return undefined;
    const around = this.#running.findLast(({ stream }) => stream?.openCalls().includes(id));
    if (around !== undefined) return around.stream;
    return this.#ended.hasHad(id) ? undefined : this.stream;
  }

  /** A mark of this kind, with the clocks of `entry`. */
  mark(kind, number, entry) {
    if (kind === ENTRY.rest) {
      // A module need not say at once that it has unwound.
      if (this.#unwinding.isActive) this.#settle(entry);
      this.#rest(entry);
      return;
    }
    if (kind >= ENTRY.unwind) {
      this.#move(kind, number, entry);
      return;
    }
    // A ring may have forgotten how a task began.
    const isNew = kind === ENTRY.enter || (kind === ENTRY.resume && !this.#tasks.has(number));
    if (isNew) this.#tasks.set(number, { stream: this.#takeStream(), isSuspended: false });
    const task = this.#tasks.get(number);
    if (task === undefined) return;
    if (kind === ENTRY.enter) {
      const from = this.#running.at(-1);
      this.#switchTo([...this.#running, task], entry);
      this.#entered = { from, fuel: entry.fuel };
    } else if (kind === ENTRY.suspend) task.entry = entry;
    else if (kind === ENTRY.resume) this.#resume(task, entry);
    else this.#leave(number, task, entry);
  }

  /** Marks are missing before `entry`: what runs is not known. */
  forget(entry) {
    this.#switchTo([this.#own], entry);
    this.#unwinding.finish();
    for (const { stream } of [...this.#tasks.values(), ...this.#unwound.values()]) stream?.lose(0, 0);
  }

  #takeStream() {
    if (this.#unused.length > 0) return this.#unused.pop();
    if (this.#opened.length > MOST_TASKS) {
      ++this.#hidden;
      return undefined;
    }
    const stream = this.#openStream(this.#opened.length);
    this.#opened.push(stream);
    return stream;
  }

  #resume(task, entry) {
    // Microtasks run on an empty stack, in any order with the one that says so.
    this.#rest(entry);
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

  #move(kind, number, entry) {
    if (kind === ENTRY.unwind) this.#unwinding.unwind(number);
    else if (kind === ENTRY.rewind) this.#rewind(number, entry);
    else this.#settle(entry);
  }

  /** A stack has been unwound, or rewound. */
  #settle(entry) {
    const { number, unwound } = this.#unwinding.finish();
    if (unwound.length === 0) return;
    this.#abandon(number, entry);
    const { stream } = this;
    const open = stream?.openCalls().filter((id) => !isSection(id)) ?? [];
    if (unwound.length < open.length) {
      for (const id of unwound) this.#put(stream, id, entry);
      this.#split += unwound.length;
      return;
    }
    if (stream !== undefined) this.#put(stream, NUMBERS.suspendedId, entry);
    this.#unwound.set(number, { stream, calls: unwound.length });
    // The thread goes on with an empty stack.
    if (this.#running.at(-1).isRewound) this.#switchTo(this.#running.slice(0, -1), entry);
    else this.#exchange(this.#takeStream(), entry);
  }

  /** The current stack goes on in another stream. */
  #exchange(stream, { fuel }) {
    this.stream?.pause(fuel);
    this.#running.at(-1).stream = stream;
    stream?.proceed(fuel);
  }

  /** Nothing will come back into this stack, if there is one. */
  #abandon(number, entry) {
    const stack = this.#unwound.get(number);
    if (stack === undefined) return;
    this.#unwound.delete(number);
    if (stack.stream === undefined) return;
    stack.stream.proceed(entry.fuel);
    this.#endCalls(stack.stream, entry, () => true);
    stack.stream.pause(entry.fuel);
    this.#unused.push(stack.stream);
  }

  #rewind(number, entry) {
    const stack = this.#unwound.get(number);
    // A ring may have forgotten it.
    if (stack === undefined) return;
    this.#unwound.delete(number);
    this.#unwinding.rewind(stack.calls);
    const { stream: current } = this;
    if (current?.openCount > 0) {
      this.#switchTo([...this.#running, { stream: stack.stream, isRewound: true }], entry);
    } else {
      this.#exchange(stack.stream, entry);
      if (current !== undefined) this.#unused.push(current);
    }
    if (stack.stream !== undefined) this.#put(stack.stream, -NUMBERS.suspendedId, entry);
  }

  #rest(entry) {
    while (this.#running.at(-1).isRewound) {
      const { stream } = this.#running.at(-1);
      this.#endCalls(stream, entry, () => true);
      if (stream !== undefined) this.#unused.push(stream);
      this.#switchTo(this.#running.slice(0, -1), entry);
    }
    this.#switchTo([this.#own], entry);
    // Sections of modules without trace points may outlast a call from the host.
    this.#endCalls(this.#own.stream, entry, (id) => !isSection(id));
  }

  /** The outermost of these calls and all within it were ended by a trap or an exception. */
  #endCalls(stream, entry, isOne) {
    if (!(stream?.openCount > 0)) return;
    const calls = stream.openCalls();
    const first = calls.findIndex(isOne);
    if (first < 0) return;
    // An end is that of the innermost call of its function, and takes those above it along.
    const outermost = calls[first];
    const isMarkedOtherwise = (id) => id !== outermost && (id - outermost) % FUNCTIONS === 0;
    const taken = calls.slice(first).filter((id) => id !== NUMBERS.suspendedId && !isSection(id));
    this.#ended.add(taken);
    const ended = calls.some(isMarkedOtherwise) ? taken : taken.filter((id) => id === outermost);
    for (const id of ended.reverse()) {
      this.#put(stream, NUMBERS.trapId, entry);
      this.#put(stream, -id, entry);
    }
  }

  /** Fuel counts for the stack that runs. */
  #switchTo(running, { fuel }) {
    this.#entered = undefined;
    this.stream?.pause(fuel);
    this.#running = running;
    this.stream?.proceed(fuel);
  }
}
