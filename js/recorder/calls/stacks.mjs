// SPDX-License-Identifier: Apache-2.0
// The stacks of a thread while their events are packed: its own stack, stacks of tasks (marks.mjs), unwound stacks, and
// stacks that code leaves by itself (switched-stacks.mjs). Each has its own stream in the record. Streams are reused
// when their stack has ended.
//
// Unwinding is not announced before it begins: the unwound stack keeps its stream, and the thread goes on with another
// one.

import { EndedCalls } from "./ended-calls.mjs";
import { ENTRY } from "./marks.mjs";
import { NUMBERS } from "../record/record-encoder.mjs";
import { isOfSame } from "../modules/function-ids.mjs";
import { isSection } from "./sections.mjs";
import { chainOf, SwitchedStacks } from "./switched-stacks.mjs";
import { SWITCH } from "./switches.mjs";
import { Unwinding } from "./unwinding.mjs";

// Maximum number of live tasks with streams. Further tasks are only counted.
const MOST_TASKS = 1024;
// Maximum number of ended tasks that are remembered because another task may wait for them. All tasks that end in one
// turn of microtasks may do so before a task that waits for them goes on.
const MOST_ENDED_TASKS = 2 * MOST_TASKS;
// Replaces the number of a stack that runs again: see warpo/Wasm/TracePoints.h.
const STACK_IS_REPLACED = 0;

export class Stacks {
  #own;
  #openStream;
  #put;
  #noteSwitch;
  #moduleOf;
  #base; // of the thread's own stack
  #running; // innermost last: { stack, isSuspended, entry, within }, where `stack` is one of SwitchedStacks
  #tasks = new Map(); // by number
  #unused = [];
  #opened = [];
  #hidden = 0;
  #unwinding = new Unwinding();
  #unwound = new Map(); // stacks: { stream, unwound }, by number
  #split = 0;
  #switched = new SwitchedStacks();
  #isReplaced = false; // whether another stack replaces the one that is left next
  #ended;
  #entered; // a task that has no event yet: { from, fuel }
  #startedStreams = new Set(); // streams whose starts are in the record
  #endedTasks = new Map(); // by number: { from, at }, the stream on which they ended and when
  #lastForgotten = 0; // the highest number of an ended task that was forgotten
  #lostCauses = 0;
  #starts = []; // where start functions began: { stack, hasStream }, innermost last
  #cause; // the ended task that the next task waited for

  /**
   * `own`: the stream of the thread's own stack. `openStream(number)` opens another one. `put(stream, id, entry)` packs
   * an event with the clocks of `entry`, a copy of an entry in the buffer. `noteSwitch(kind, to, { from, at, calls },
   * entry)` notes that stream `to` runs now, after `from`, on which `calls` are open. The clock of `from` is at `at`,
   * by default at that of `entry`; without `entry`, the clocks of both are at `at`.
   * `moduleOf(id)`: the module of a call, if it is known.
   */
  constructor(own, openStream, { put, noteSwitch, moduleOf }) {
    this.#base = { stream: own };
    this.#own = { stack: this.#base };
    this.#opened.push(own);
    this.#running = [this.#own];
    this.#openStream = openStream;
    this.#put = put;
    this.#noteSwitch = noteSwitch;
    this.#moduleOf = moduleOf;
    this.#ended = new EndedCalls(moduleOf);
  }

  /** The stream of the events that follow; undefined if they belong to a task without a stream. */
  get stream() {
    return this.#running.at(-1).stack.stream;
  }

  get streams() {
    return this.#opened;
  }

  /** The known open calls of the thread's own stack, outermost first. */
  get ownCalls() {
    return this.#base.stream?.openCalls() ?? [];
  }

  /** The number of suspended tasks, unwound stacks and other suspended stacks. */
  get suspended() {
    const suspended = [...this.#tasks.values()].filter(({ isSuspended }) => isSuspended).length;
    const resumers = new Set([...this.#tasks.values(), this.#own].flatMap(({ stack }) => [...chainOf(stack)]));
    const left = this.#switched.waiting.filter((stack) => !resumers.has(stack));
    return suspended + this.#unwound.size + left.length;
  }

  /** Whether the thread's own stack is the only one. */
  get isSingle() {
    return this.#running.length === 1 && this.#own.stack === this.#base && this.suspended === 0;
  }

  /** The number of tasks without a stream. */
  get hidden() {
    return this.#hidden;
  }

  /** How often a task went on after waiting for another one that has been forgotten. */
  get lostCauses() {
    return this.#lostCauses;
  }

  /** The number of unwound calls whose callers went on. Each of them ends, and begins anew when it is rewound. */
  get split() {
    return this.#split;
  }

  /** Whether events are to be packed one by one, with isRepeated() before and noteReturn() after each. */
  get isMoving() {
    return this.#unwinding.isActive || this.#running.at(-1).isRewound === true;
  }

  /** Whether the event with this id only unwinds or rewinds a call. */
  isRepeated(id) {
    return this.#unwinding.isRepeated(id);
  }

  /** To be called after an event: leaves a stack that was rewound within other calls if it has ended. */
  noteReturn(entry) {
    const { stream } = this;
    if (!this.#running.at(-1).isRewound || stream === undefined || stream.openCount > 0) return;
    this.#unused.push(stream);
    this.#leaveRewound(entry);
  }

  /** Notes that the current stack has an event, with the fuel `fuelOf()`. */
  noteEvent(fuelOf) {
    this.#noteRun(fuelOf);
    this.#running.at(-1).stack.isEmpty = false;
  }

  /** Notes that the current stack has run: it has an event, or is left. So it was not suspended before. */
  #noteRun(fuelOf) {
    const current = this.#running.at(-1);
    current.entry = undefined;
    this.#begin(current.stack);
    if (this.#entered === undefined) return;
    // Fuel burnt before a task's first call counts for the caller, since its import may have no trace points.
    const { from, fuel } = this.#entered;
    this.#entered = undefined;
    const entered = fuelOf();
    from.stack.stream?.pause(entered);
    this.stream?.pause(fuel);
    this.stream?.proceed(entered);
  }

  /** Whether readers might attribute a trap that a module reports to another call than the one that it ended. */
  get watchesTraps() {
    return this.#running.length > 1 || this.#opened[0].watchesTraps || this.#running[0].stack.resumer !== undefined;
  }

  addTwins(ids) {
    return this.#opened[0].addTwins(ids);
  }

  /**
   * Whether a report that a trap has ended the outermost call with this id may mean another instance's, and the engine's
   * stack shows which calls have ended besides the innermost.
   */
  endsInnermost(id) {
    return this.isSingle && this.#opened[0].isOfTwins(id);
  }

  /**
   * A module reports that a trap ended the call with this id; `isOutermost`: the outermost of several. Returns the
   * stream of the call; undefined if the call was ended here, or where another thread packed its end. Modules report it when they run again, when another task
   * may have begun or gone on. Stacks that the call had resumed end here, with the clocks of `entry`, the last one
   * before the report; the remaining stack runs from then on.
   */
  streamOfTrapped(id, isOutermost, entry) {
    if (this.#ended.take(id)) return undefined;
    const withCall = ({ stack }) => [...chainOf(stack)].filter(({ stream }) => stream?.openCalls().includes(id));
    const around = this.#running.findLast((running) => withCall(running).length > 0);
    if (around === undefined) return this.stream?.knowsCalls || this.#ended.hasHad(id) ? undefined : this.stream;
    const stack = withCall(around).at(isOutermost ? -1 : 0);
    if (around.stack !== stack) {
      this.#noteEnded(this.#endAbove(around, stack, entry));
      this.#put(stack.stream, -NUMBERS.suspendedId, entry);
    }
    if (!isOutermost) this.#endMarkedAbove(stack.stream, id, entry);
    return stack.stream;
  }

  /**
   * Readers end the innermost call of the function, with or without marks. Calls with other marks above the one with
   * this id end first.
   */
  #endMarkedAbove(stream, id, entry) {
    const calls = stream.openCalls();
    const above = calls.slice(calls.lastIndexOf(id) + 1).filter((other) => isOfSame(other, id));
    for (const other of above.toReversed()) {
      this.#put(stream, NUMBERS.trapId, entry);
      this.#put(stream, -other, entry);
    }
  }

  /** Handles a mark of this kind, with the clocks of `entry`. `before`: a copy of the entry before a mark of rest. */
  mark(kind, number, entry, before) {
    if (kind === ENTRY.cause) {
      this.#cause = this.#endedTasks.get(number);
      if (this.#cause === undefined && number <= this.#lastForgotten) ++this.#lostCauses;
      return;
    }
    if (kind === ENTRY.twins) {
      this.#opened[0].meetTwins(number);
      return;
    }
    if (kind === ENTRY.rest) {
      // A module need not report at once that it has unwound.
      if (this.#unwinding.isActive) this.#settle(entry);
      this.#rest(entry, number !== 0, before?.words[0] > 0);
      return;
    }
    if (kind === ENTRY.start || kind === ENTRY.started) {
      if (kind === ENTRY.start) this.#start(number);
      else this.#endStart(number, entry);
      return;
    }
    if (kind === ENTRY.trapped) {
      this.#noteEnded(this.#endCalls(this.stream, entry, (id, at) => at >= number && !isSection(id)));
      return;
    }
    if (kind === ENTRY.leaveStack) {
      this.#leaveStack(number, entry);
      return;
    }
    if (kind === ENTRY.enterStack) {
      if (number === STACK_IS_REPLACED) this.#isReplaced = true;
      else this.#enterStack(number, entry);
      return;
    }
    if (kind >= ENTRY.unwind) {
      this.#move(kind, number, entry);
      return;
    }
    // A ring may have forgotten how a task began.
    if (kind === ENTRY.resume && !this.#tasks.has(number)) this.#tasks.set(number, { stack: { stream: this.#takeStream() }, isSuspended: false });
    if (kind === ENTRY.enter) {
      this.#enter(number, entry);
      return;
    }
    const task = this.#tasks.get(number);
    if (task === undefined) return;
    if (kind === ENTRY.suspend) task.entry = entry;
    else if (kind === ENTRY.resume) this.#resume(task, entry);
    else this.#leave(number, task, entry);
  }

  /** Marks are missing before `entry`, so the current stack is unknown. */
  forget(entry) {
    this.#own.stack = this.#base;
    this.#isReplaced = false;
    this.#switchTo([this.#own], entry);
    for (const task of this.#tasks.values()) task.within = undefined;
    this.#unwinding.finish();
    const ofTasks = [...this.#tasks.values()].map(({ stack }) => stack);
    for (const { stream } of [...ofTasks, ...this.#switched.waiting, ...this.#unwound.values()]) stream?.lose(0, 0);
  }

  /** The calls of a stack that start or resume another one. */
  #callsOn(stream) {
    const isCall = (id) => id !== NUMBERS.suspendedId && id !== NUMBERS.trapId;
    return stream.openCalls().filter(isCall);
  }

  /**
   * Notes that calls on `stream` begin within those on the stream `from`; returns whether the latter are known. Noted
   * for each task and continuation, even those that the host starts: if times are equal, their order distinguishes
   * them.
   */
  #noteStart(stream, from, entry) {
    if (stream === undefined) return false;
    const calls = from?.openCount > 0 ? this.#callsOn(from) : [];
    const isKnown = calls.length > 0;
    if (isKnown) this.#startedStreams.add(stream);
    else this.#startedStreams.delete(stream);
    this.#noteSwitch(SWITCH.starts, stream, isKnown ? { from, calls } : { from: stream }, entry);
    return isKnown;
  }

  /** Notes that the host makes the calls on this stream after its last event. */
  #noteHost(stream) {
    if (stream !== undefined && this.#startedStreams.delete(stream))
      this.#noteSwitch(SWITCH.starts, stream, { from: stream, at: stream.lastMoment });
  }

  /** A stack that ran within a call of another stack no longer does. */
  #noteReturn(within, entry) {
    if (within !== undefined && within.starter === this.stream)
      this.#noteSwitch(SWITCH.returns, within.starter, { from: within.stream }, entry);
  }

  #noteEnd(number, stream) {
    if (stream === undefined) return;
    this.#endedTasks.set(number, { from: stream, at: stream.lastMoment });
    if (this.#endedTasks.size <= MOST_ENDED_TASKS) return;
    const [first] = this.#endedTasks.keys();
    this.#endedTasks.delete(first);
    this.#lastForgotten = Math.max(this.#lastForgotten, first);
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

  #enter(number, entry) {
    const from = this.#running.at(-1);
    const task = { isSuspended: false };
    task.stack = { since: entry, starter: from.stack, task };
    this.#tasks.set(number, task);
    this.#switchTo([...this.#running, task], entry);
    this.#entered = { from, fuel: entry.fuel };
  }

  #resume(task, entry) {
    // Microtasks run on an empty stack, and in any order with the one that makes the mark for it.
    this.#rest(entry);
    this.#switchTo([this.#own, task], entry);
    if (task.isSuspended && this.stream?.openCount > 0) {
      this.#put(this.stream, -NUMBERS.suspendedId, entry);
      if (this.#cause !== undefined) this.#noteSwitch(SWITCH.resumes, this.stream, this.#cause, entry);
    }
    this.#cause = undefined;
    task.isSuspended = false;
  }

  #leave(number, task, entry) {
    const hasEnded = task.entry === undefined;
    // It has no event in the record.
    if (hasEnded) task.stack.since = undefined;
    else this.#begin(task.stack);
    const { stream } = task.stack;
    if (!hasEnded) {
      if (stream?.openCount > 0) this.#put(stream, NUMBERS.suspendedId, task.entry);
      task.isSuspended = true;
      task.entry = undefined;
    }
    const place = this.#running.indexOf(task);
    if (place > 0) this.#switchTo(this.#running.slice(0, place), entry);
    this.#noteReturn(task.within, entry);
    task.within = undefined;
    if (!hasEnded) return;
    this.#awaitReports([...chainOf(task.stack)].flatMap((stack) => this.#end(stack, entry)));
    this.#noteEnd(number, stream);
    this.#tasks.delete(number);
  }

  /** These calls have been ended together; modules will report of some that a trap ended them. */
  #awaitReports(calls) {
    if (calls.length > 0) this.#opened[0].watchTraps();
    this.#ended.add(calls);
  }
  /** The same for calls whose modules have reported, or never will; another instance may report one with the same id. */
  #noteEnded(calls) {
    if (calls.length > 0) this.#opened[0].watchTraps();
    this.#ended.note(calls);
  }

  /** A start function begins, within `level` others. */
  #start(level) {
    this.#starts[level] = { stack: this.#running.at(-1).stack, hasStream: this.stream !== undefined };
    this.stream?.noteStart(level);
  }

  /** It has ended. If it trapped, its calls have ended with it. */
  #endStart(level, entry) {
    const current = this.#running.at(-1);
    // Another thread may have seen the begin, or a ring forgotten it.
    const { stack, hasStream } = this.#starts[level] ?? { stack: current.stack, hasStream: true };
    this.#starts.length = Math.min(this.#starts.length, level);
    const ended = [...chainOf(current.stack)].includes(stack) ? this.#endAbove(current, stack, entry) : [];
    const { stream } = this;
    if (stream !== undefined) {
      const first = hasStream ? stream.openAtStart(level) : 0;
      ended.push(...this.#endCalls(stream, entry, (id, at) => at >= first && !isSection(id)));
    }
    // Its instance seldom runs again, to report the trap. Other modules report theirs.
    const own = this.#moduleOf(ended[0]);
    const isOwn = (id) => this.#moduleOf(id) === own;
    this.#noteEnded(ended.filter(isOwn));
    this.#awaitReports(ended.filter((id) => !isOwn(id)));
  }

  /** Gives a stack its stream when it has its first event or is left; before that, it need not exist. */
  #begin(stack) {
    const { since, starter, task } = stack;
    if (since === undefined) return;
    stack.since = stack.starter = stack.task = undefined;
    stack.isEmpty = true;
    const stream = (stack.stream = this.#takeStream());
    stream?.proceed(since.fuel);
    // Others may resume it later, but it belongs to the stack that resumed it first.
    const isWithin = this.#noteStart(stream, starter?.stream, since);
    if (isWithin && task !== undefined) task.within = { starter: starter.stream, stream };
  }

  #leaveStack(number, entry) {
    this.#noteRun(() => entry.fuel);
    const current = this.#running.at(-1);
    const { stream } = this;
    if (stream?.openCount > 0) this.#put(stream, NUMBERS.suspendedId, entry);
    stream?.pause(entry.fuel);
    current.stack = this.#switched.leave(current.stack, number, entry, this.#isReplaced);
    this.#isReplaced = false;
  }

  #enterStack(number, entry) {
    const current = this.#running.at(-1);
    const { stack: before } = current;
    this.stream?.pause(entry.fuel);
    current.stack = this.#switched.enter(number, before, entry);
    if (before !== this.#base) this.#end(before, entry);
    this.stream?.proceed(entry.fuel);
    if (this.stream?.openCount > 0) this.#put(this.stream, -NUMBERS.suspendedId, entry);
  }

  /** Ends a stack that has been paused and will not run again. Returns the calls that end. */
  #end(stack, entry) {
    this.#switched.forget(stack);
    const { stream } = stack;
    if (stream === undefined) return [];
    // A stack may be ended twice, and its stream may belong to another one by then.
    stack.stream = undefined;
    stream.proceed(entry.fuel);
    const ended = this.#endCalls(stream, entry, () => true);
    stream.pause(entry.fuel);
    // A stream without events is not reused at first: the start noted for it would apply to the calls of the next
    // stack.
    if (!stack.isEmpty || this.#opened.length > MOST_TASKS / 2) this.#unused.push(stream);
    return ended;
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
    this.#unwound.set(number, { stream, unwound });
    // The thread goes on with an empty stack.
    if (this.#running.at(-1).isRewound) this.#leaveRewound(entry);
    else this.#exchange(this.#takeStream(), entry);
  }

  /** The current stack goes on in another stream. */
  #exchange(stream, { fuel }) {
    this.stream?.pause(fuel);
    this.#running.at(-1).stack.stream = stream;
    this.#noteHost(stream);
    stream?.proceed(fuel);
  }

  /** Ends the unwound stack with this number, if there is one: it will not be rewound. */
  #abandon(number, entry) {
    const stack = this.#unwound.get(number);
    if (stack === undefined) return;
    this.#unwound.delete(number);
    this.#awaitReports(this.#end(stack, entry));
  }

  #rewind(number, entry) {
    const stack = this.#unwound.get(number);
    // A ring may have forgotten it.
    if (stack === undefined) return;
    this.#unwound.delete(number);
    this.#unwinding.rewind(stack.unwound);
    const { stream: current } = this;
    const { stream } = stack;
    const isWithin = current?.openCount > 0;
    if (isWithin) {
      this.#switchTo([...this.#running, { stack: { stream }, isRewound: true, within: { starter: current, stream } }], entry);
    } else {
      this.#exchange(stream, entry);
      if (current !== undefined) this.#unused.push(current);
    }
    if (stream === undefined) return;
    this.#put(stream, -NUMBERS.suspendedId, entry);
    if (isWithin) this.#noteSwitch(SWITCH.resumes, stream, { from: current, calls: this.#callsOn(current) }, entry);
  }

  /** The thread goes back from a stack that was rewound within another one. */
  #leaveRewound(entry) {
    const { within } = this.#running.at(-1);
    this.#switchTo(this.#running.slice(0, -1), entry);
    this.#noteReturn(within, entry);
  }

  /** `isNow`: the calls end at `entry`; `isBegin`: the last event began a call, in which nothing can be shown. */
  #rest(entry, isNow = false, isBegin = false) {
    while (this.#running.at(-1).isRewound) {
      const { stack } = this.#running.at(-1);
      this.#leaveRewound(entry);
      this.#awaitReports(this.#end(stack, entry));
    }
    this.#switchTo([this.#own], entry);
    const ended = this.#endAbove(this.#own, this.#base, entry);
    // Sections of modules without trace points may outlast a call from the host.
    const left = this.#endCalls(this.#base.stream, entry, (id) => !isSection(id), isNow);
    if (!isNow && !isBegin) this.#base.stream?.noteLeft(left.length);
    this.#awaitReports([...ended, ...left]);
  }

  /**
   * Ends the current stack of `running` and those that had resumed it, after a trap, up to `last`, which becomes the
   * current one. Returns the calls that end.
   */
  #endAbove(running, last, entry) {
    if (running.stack === last) return [];
    this.stream?.pause(entry.fuel);
    const chain = [...chainOf(running.stack)];
    const above = chain.includes(last) ? chain.slice(0, chain.indexOf(last)) : chain;
    const ended = above.flatMap((stack) => this.#end(stack, entry));
    this.#switched.forget(last);
    running.stack = last;
    this.stream?.proceed(entry.fuel);
    return ended;
  }

  /**
   * Ends the outermost call for which `isOne(id)` and all calls within it, after a trap or an exception, or where they
   * are (`isNow`). Returns them.
   */
  #endCalls(stream, entry, isOne, isNow = false) {
    if (!(stream?.openCount > 0)) return [];
    const calls = stream.openCalls();
    const first = calls.findIndex(isOne);
    if (first < 0) return [];
    const outermost = calls[first];
    const isOfOutermost = (id) => isOfSame(id, outermost);
    const taken = calls.slice(first).filter((id) => id !== NUMBERS.suspendedId && !isSection(id));
    if (isNow) {
      for (const id of calls.slice(first).reverse()) this.#put(stream, -id, entry);
      return taken;
    }
    // The calls end at the last entry before. Two traps make all calls of a function end at once, also if their marks
    // are folded away: with one end each, the outer ones would seem to run until now. That is not possible if such a
    // call is open around these.
    const same = taken.filter(isOfOutermost);
    const isAlsoAround = calls.slice(0, first).some(isOfOutermost);
    const traps = same.length > 1 && !isAlsoAround ? 2 : 1;
    for (const id of isAlsoAround ? same.reverse() : [outermost]) {
      for (let trap = 0; trap < traps; ++trap) this.#put(stream, NUMBERS.trapId, entry);
      this.#put(stream, -id, entry);
    }
    return taken;
  }

  /** Makes the last of `running` the current stack. Fuel counts for the current stack only. */
  #switchTo(running, { fuel }) {
    this.#entered = undefined;
    this.#begin(this.#running.at(-1).stack);
    this.stream?.pause(fuel);
    this.#running = running;
    this.stream?.proceed(fuel);
  }
}
