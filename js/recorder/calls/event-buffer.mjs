// SPDX-License-Identifier: Apache-2.0
// The event buffer of a thread: an instance of recorder.wasm with its buffer, from which streams are packed.

import { moduleOf, recorderOf } from "../engine/clocks.mjs";
import { Entries } from "./entries.mjs";
import { ENTRY, StartMarks, TaskMarks } from "./marks.mjs";
import { clearTimeout, Instance, queueMicrotask, setTimeout } from "../engine/own-engine.mjs";
import { address, NUMBERS } from "../record/record-encoder.mjs";
import { Stacks } from "./stacks.mjs";
import { wholeNanoseconds } from "./streams.mjs";
import { SWITCH } from "./switches.mjs";
import { mayWait } from "../engine/waiting.mjs";

// Milliseconds after which buffered events are written, if the thread returns to its event loop.
const PATIENCE = 250;

/** So many events are packed at a time, if something is done in between: they take some 3 us. */
const PORTION = 256;

/** The 64-bit number whose lower half is the word `at`; exact up to 2^53. */
const wide = (words, at) => (words[at] >>> 0) + (words[at + 1] >>> 0) * 2 ** 32;

/**
 * The shim of an instance that joins a stack. `hasFuel`: the stack's events have fuel; `countsFuel`: the module's do.
 */
const shimFor = (hasFuel, countsFuel) =>
  hasFuel
    ? countsFuel ? "joined-fuel" : "joined-without-fuel"
    : countsFuel ? "joined-dropping-fuel" : "joined";

export class EventBuffer {
  #owner;
  #stacks;
  #exports;
  #hasFuel;
  #entries;
  #isUsed = false;
  #isAwake = false;
  #timer;
  #traps = []; // copies of trap entries; the entry that follows has the id of the call that the trap ended
  #trapped; // a copy of an entry with the clocks of the trap
  #begin; // address of the first entry that is being encoded
  #last; // a copy of the last entry before that
  #mark = { end: 0 }; // the last entry that was no event: its end, and a copy unless it was a loss
  /** Called when the thread is at rest, at the latest before its next event. Modules may report traps meanwhile. */
  onRest;
  /** Marks for the code that follows tasks. */
  tasks = new TaskMarks((kind, number) => {
    // Only this thread knows which stack runs.
    this.#owner.drain.end();
    this.#exports.mark(number, kind);
  });
  /** Marks around start functions. */
  starts = new StartMarks((kind, number) => this.#exports.mark(number, kind) !== 0);

  /**
   * `owner`: the recorder (recorder.mjs). `own`: the stream of the thread's own stack; `openStream(number)` opens one
   * for a task. `hasFuel`: the first module counts fuel.
   */
  constructor(owner, own, openStream, hasFuel) {
    this.#owner = owner;
    this.#stacks = new Stacks(own, openStream, {
      put: (...event) => this.#put(...event),
      noteSwitch: (...change) => this.#noteSwitch(...change),
      moduleOf: (id) => this.#owner.moduleOf?.(id),
    });
    this.#hasFuel = hasFuel;
    this.#entries = new Entries(owner.memory, owner.clock, own.eventSize);
  }

  /** A buffer in the owner's memory. */
  static open(...of) {
    const buffer = new EventBuffer(...of);
    buffer.#open();
    return buffer;
  }

  #open() {
    const { memory, clock, bufferBytes, enoughBytes, isRing } = this.#owner;
    const { encoder } = memory;
    const { exports } = new Instance(recorderOf(clock, this.#hasFuel, encoder.isShared), {
      recorder: {
        memory: memory.memory,
        ...clock.imports(memory.cell),
        drain: () => this.#drain(),
        wake: () => this.#wake(),
      },
    });
    const region = memory.region(bufferBytes);
    exports.open(encoder.calls.buffer(), region, bufferBytes / 2, enoughBytes, Number(isRing));
    exports.mayWait.value = Number(mayWait);
    this.#exports = exports;
    this.#sleep();
    this.#owner.drain.expectEvents();
  }

  /** Encodes a full half that no drain takes. */
  #drain() {
    if (this.#owner.whileWriting(() => this.takeFilled())) this.#exports.isDrained.value = Number(this.#owner.drain.takesOver());
  }

  /** From now on no drain takes full halves. */
  stopDraining() {
    this.#exports.isDrained.value = 0;
  }

  #sleep() {
    if (!this.#owner.runsOnce) this.#exports.sleep();
  }

  /** Called at the first event since the thread was at rest. It is at rest again when it runs its microtasks. */
  #wake() {
    if (this.#isAwake) return;
    this.#isAwake = true;
    queueMicrotask(() => {
      try {
        this.onRest?.();
      } finally {
        this.#exports.mark(0, ENTRY.rest);
        this.#exports.rest();
        this.#isAwake = false;
        this.#sleep();
      }
    });
    if (this.#owner.isRing) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#owner.closed) this.empty();
    }, PATIENCE);
    this.#timer.unref?.();
  }

  /** Records that the calls that are open on the thread's own stack end now. */
  endCalls() {
    this.#exports.mark(1, ENTRY.rest);
    this.#exports.rest();
  }

  /** Records that a trap has ended all but the `alive` outermost calls of the current stack. */
  endAllBut(alive) {
    this.#exports.mark(alive, ENTRY.trapped);
  }

  /** The thread has several instances of the module with these stack ids, `{ first, count }`, from now on. */
  meetTwins(ids) {
    const number = this.#stacks.addTwins(ids);
    if (number > 0) this.#exports.mark(number, ENTRY.twins);
  }

  /** Whether all events have been packed. */
  get isEmpty() {
    const { memory } = this.#owner;
    return memory.filled === 0 && memory.next === address(this.#exports.first.value);
  }

  /** See Stacks, also for those below. */
  get suspendedTasks() {
    return this.#stacks.suspended;
  }
  get hiddenTasks() {
    return this.#stacks.hidden;
  }

  get lostCauses() {
    return this.#stacks.lostCauses;
  }

  get splitCalls() {
    return this.#stacks.split;
  }

  get ownCalls() {
    return this.#stacks.ownCalls;
  }

  get hasOneStack() {
    return this.#stacks.isSingle;
  }

  get hasFuel() {
    return this.#hasFuel;
  }

  /**
   * The functions for one instance: `tracePoint` and `switches` (for other stacks), both by their import names, and
   * `store(id, fuel)`, which stores any other event. `memory`: in which it may store its events by itself, undefined if it
   * may not. `window`: that of its module's ids, undefined if it needs none (stack-ids.mjs). `countsFuel`: whether the
   * module counts fuel; `hasStore`: whether it would store its events.
   */
  forInstance(window, countsFuel, hasStore) {
    const isFirst = !this.#isUsed;
    this.#isUsed = true;
    // The fuel of several instances is added up.
    const isDirect = window === undefined && (this.#hasFuel ? isFirst : !countsFuel);
    const { clock, memory } = this.#owner;
    const mayStore = isDirect && !countsFuel && !this.#hasFuel && hasStore && clock.mayStore;
    const exports = isDirect ? this.#exports : this.#joined(window, countsFuel);
    const { tracePointFuel, leaveStack, leaveStackFuel } = exports;
    const tracePoint = mayStore ? exports.storedPoint : exports.tracePoint;
    const { enterStack } = this.#exports;
    return countsFuel
      ? { tracePoint: { tracePointFuel }, switches: { leaveStackFuel, enterStack }, store: tracePointFuel }
      : {
          tracePoint: { tracePoint },
          switches: { leaveStack, enterStack },
          store: (id) => tracePoint(id),
          memory: mayStore ? memory.memory : undefined,
        };
  }

  #joined(window = { id: 0, first: 0, count: 0x7fffffff }, countsFuel) {
    const { id, first, count } = window;
    const recorder = { ...this.#exports, first: id, count, delta: first - id };
    return new Instance(moduleOf(shimFor(this.#hasFuel, countsFuel)), { recorder }).exports;
  }

  /** Switches recording off, where `section` is the id of the section that replaces unrecorded calls; 0: on. */
  switch(section) {
    this.#exports.switch(section);
    if (!this.#isAwake) this.#sleep();
  }

  /** Stops recording: later events are counted as lost. */
  stop() {
    this.#exports.stopped.value = 1;
    clearTimeout(this.#timer);
  }

  /** Runs an action that is not part of the program: its events are neither recorded nor counted as lost. */
  quietly(action) {
    const { memory } = this.#owner;
    const { stopped, lost, depth, marks } = this.#exports;
    const kept = [stopped, lost, depth, marks].map((global) => ({ global, value: global.value }));
    const { next } = memory;
    // The halves are not swapped meanwhile, so the action's events overwrite no recorded one.
    stopped.value = 1;
    try {
      return action();
    } finally {
      for (const { global, value } of kept) global.value = value;
      this.#exports.continueAt(next);
    }
  }

  empty() {
    if (this.#owner.isRing) this.#owner.whileWriting(() => this.#loseOldest());
    this.#exports.flush();
    this.#sleep();
  }

  /** Drops the events that remain after stop(); returns their number. */
  finish() {
    const { first, lost } = this.#exports;
    const { memory } = this.#owner;
    const begin = address(first.value);
    const waiting =
      lost.value +
      this.#countWaiting(begin, memory.next) +
      this.#countWaiting(memory.taken, memory.filled);
    lost.value = 0;
    memory.setEmptied();
    this.#exports.continueAt(begin);
    this.#exports.updateBuffer();
    return waiting;
  }

  /**
   * The number of events from one address up to another (0: none), including those reported as lost.
   */
  #countWaiting(begin, end) {
    let count = 0;
    for (let at = begin; at < end; at += this.#entries.sizeAt(at)) {
      const kind = this.#entries.kindAt(at);
      if (kind === ENTRY.event) ++count;
      else if (kind === ENTRY.loss) count += this.#lossAt(at);
    }
    return count;
  }

  /**
   * Encodes the events that another thread has left in its buffer; this buffer was never opened. `knowsStacks`: they
   * belong to that thread's own stack unless marks say otherwise. Returns the number of events that are not encoded.
   */
  takeLeft(knowsStacks) {
    const { memory, isRing } = this.#owner;
    const { words, numbers } = memory;
    const at = memory.encoder.calls.buffer() / 4;
    let first, halfSize, end, waiting;
    // A thread that still runs may swap the halves, but only once, since nothing but this call empties one. During the
    // swap the end may be in the other half for a moment; an ended thread never leaves it there (`swap` of
    // recorder.wat.in).
    do {
      ({ waiting } = memory);
      [first, halfSize] = Array.from(words.subarray(at, at + 2), address);
      end = memory.next;
    } while (memory.filled !== waiting.filled || end < first || end > first + halfSize);
    const { taken, filled } = waiting;
    const lost = numbers[at / 2 + 2];
    if (!knowsStacks) return lost + this.#countWaiting(taken, filled) + this.#countWaiting(first, end);
    if (isRing && lost > 0) this.#lose(lost, this.#timeAt(taken));
    if (filled !== 0) this.#take(taken, filled);
    this.#take(first, end);
    if (isRing) return 0;
    if (this.#owner.room === 0) return lost;
    if (lost > 0) this.#lose(lost, 0);
    return 0;
  }

  /** Records the loss of events that a ring has overwritten. */
  #loseOldest() {
    const { other, lost } = this.#exports;
    if (lost.value > 0) {
      const before = this.#timeAt(address(other.value));
      this.#stacks.forget(this.#copy(address(other.value)));
      this.#lose(lost.value, before);
    }
    lost.value = 0;
    this.#exports.updateBuffer();
  }

  /** The time of the entry at `at`, where a half begins; 0 if the clock only counts events. */
  #timeAt(at) {
    const { memory } = this.#owner;
    const { isTime, isFuel } = this.#owner.clock;
    if (this.#entries.kindAt(at) === ENTRY.time) {
      this.#entries.noteTime(at);
      return wholeNanoseconds(memory.time);
    }
    return isFuel ? wide(memory.words, at / 4 + 2) : isTime ? wholeNanoseconds(memory.numbers[at / 8 + 1]) : 0;
  }

  /** Records a loss of `count` events. `before`: the time of the first event, if the loss is before it. */
  #lose(count, before, taken) {
    this.#stacks.stream?.lose(count, before, taken);
    this.#owner.counts.lostToBuffer += count;
  }

  /** Encodes the half that is full, if one is. */
  takeFilled() {
    const { memory } = this.#owner;
    const { taken, filled } = memory.waiting;
    if (filled === 0) return;
    this.#take(taken, filled);
    memory.setEmptied();
  }

  /** Encodes the entries from one address up to another, as far as the limit allows. */
  #take(begin, end) {
    this.#begin = begin;
    this.#mark = { end: 0 };
    for (let at = begin; at < end;) {
      const kind = this.#entries.kindAt(at);
      if (kind === ENTRY.event) {
        at = this.#takeNext(at, end);
      } else {
        const next = at + this.#entries.sizeAt(at);
        const before = kind === ENTRY.rest ? this.#entryBefore(at) : undefined;
        this.#noteMark(kind, at, next);
        if (kind === ENTRY.loss) this.#lose(this.#lossAt(at), 0, next);
        else if (kind === ENTRY.recorded) this.#takeRecorded(at);
        else if (kind === ENTRY.time) this.#entries.noteTime(at);
        else this.#stacks.mark(kind, this.#entries.numberAt(at), this.#copy(at), before);
        at = next;
      }
      this.#owner.memory.taken = at;
    }
    this.#keepTraps();
    this.#last = this.#entryBefore(end);
    // One block for each half, so that a killed process loses little. Not if fuel is the only clock: the number of
    // halves may vary from run to run, so those blocks end only when they are full.
    if (!this.#owner.clock.isFuel) for (const stream of this.#stacks.streams) stream.finishBlock();
    if (this.#owner.room === 0) this.#owner.reachLimit();
  }

  /** The mark of a time is not an entry by itself: the last one is that before. */
  #noteMark(kind, at, end) {
    const copy = kind === ENTRY.loss ? undefined : kind === ENTRY.time ? this.#entryBefore(at) : this.#copy(at);
    this.#mark = { end, copy };
  }

  /** A copy of the entry that ends at `at`; undefined for a loss. */
  #entryBefore(at) {
    if (at === this.#begin) return this.#last;
    return at === this.#mark.end ? this.#mark.copy : this.#copy(at - this.#entries.eventSize);
  }

  /**
   * Encodes the event at `at`, and as many of those up to `end` as can be encoded at once. Returns where it stopped.
   */
  #takeNext(at, end) {
    const next = at + this.#entries.eventSize;
    const { watchesTraps, isMoving } = this.#stacks;
    if ((this.#traps.length > 0 || watchesTraps) && !this.#isPlain(at)) return next;
    this.#stacks.noteEvent(() => this.#copy(at).fuel);
    if (isMoving) return this.#takeMoving(at);
    if (!watchesTraps) return this.#takeEvents(at, end);
    // No further than is taken at once: else each portion would look through the whole half again.
    return this.#takeEvents(at, this.#nextTrap(next, Math.min(end, at + PORTION * this.#entries.eventSize)));
  }

  /** The address of the next entry that reports a trap; `end` if there is none before it. */
  #nextTrap(at, end) {
    const { words } = this.#owner.memory;
    const { trapId } = NUMBERS;
    const size = this.#entries.eventSize / 4;
    let word = at / 4;
    while (word < end / 4 && words[word] !== trapId) word += size;
    return word * 4;
  }

  /**
   * A copy of the trap entry at `at`, with the clocks of the trap itself: no fuel has been burnt since, and the best
   * known time is that of the entry before.
   */
  #momentOfTrap(at) {
    const { words, fuel } = this.#copy(at);
    if (!this.#owner.clock.isTime) return { words, fuel };
    const last = this.#entryBefore(at);
    if (last) words.set(last.words.subarray(2, 4), 2);
    return { words, fuel };
  }

  #isTrap(at) {
    return this.#entries.idAt(at) === NUMBERS.trapId;
  }

  /**
   * Whether the event at `at` is to be encoded as usual. If not, it belongs to a report of a trap, and is encoded here
   * for the stack of the call that the trap ended.
   */
  #isPlain(at) {
    if (this.#isTrap(at)) {
      if (this.#traps.length === 0) this.#trapped = this.#momentOfTrap(at);
      this.#traps.push(this.#copy(at));
      return false;
    }
    let traps = this.#traps;
    this.#traps = [];
    if (traps.length === 0) return true;
    const id = this.#entries.idAt(at);
    if (traps.length > 1 && this.#stacks.endsInnermost(-id)) traps = traps.slice(0, 1);
    const entry = this.#copy(at);
    const stream = this.#stacks.streamOfTrapped(-id, traps.length > 1, this.#trapped);
    if (stream !== undefined) {
      for (const trap of traps) this.#put(stream, NUMBERS.trapId, trap);
      this.#put(stream, id, entry);
      this.#stacks.noteReturn(entry);
    }
    return false;
  }

  /** The end that explains these traps is yet to come: another thread may pack it. */
  #keepTraps() {
    const { stream } = this.#stacks;
    if (stream !== undefined) for (const trap of this.#traps) this.#put(stream, NUMBERS.trapId, trap);
    this.#traps = [];
  }

  /** Encodes the event at `at` while stacks are unwound or rewound. */
  #takeMoving(at) {
    const next = at + this.#entries.eventSize;
    if (this.#stacks.isRepeated(this.#entries.idAt(at))) return next;
    this.#takeEvents(at, next);
    this.#stacks.noteReturn(this.#copy(at));
    return next;
  }

  /** Encodes at least one event, from `at` on; returns where it stopped. */
  #takeEvents(at, end) {
    const { stream } = this.#stacks;
    const { eventSize } = this.#entries;
    if (this.#owner.room === 0 || stream === undefined) {
      if (stream === undefined) ++this.#owner.counts.lostToLimit;
      else stream.leaveOut(1);
      return at + eventSize;
    }
    const { between, room } = this.#owner;
    between?.();
    const { meaningless, packed } = stream;
    const next = stream.pack(at, Math.min(end, at + Math.min(room, between ? PORTION : Infinity) * eventSize));
    this.#owner.room -= stream.packed - packed;
    this.#owner.counts.meaningless += stream.meaningless - meaningless;
    return next;
  }

  /** Encodes that the recorder occupied the thread until the entry at `at`. */
  #takeRecorded(at) {
    const { stream, isMoving } = this.#stacks;
    if (this.#owner.room > 0 && stream !== undefined && !isMoving) this.#encode(stream, -NUMBERS.recordingId, this.#copy(at));
  }

  /** Encodes an event with this id and the clocks of `entry`, a copy. */
  #put(stream, id, entry) {
    if (this.#owner.room === 0) return;
    --this.#owner.room;
    this.#encode(stream, id, entry);
  }

  #encode(stream, id, { words }) {
    const { scratch } = this.#owner.memory;
    stream.pack(scratch, this.#entries.put(scratch, id, words), false);
  }

  /**
   * Records that stream `to` runs after `from`, with the clocks of `entry`, a copy. Returns are recorded for clocks
   * with time only: fuel does not advance while a stack does not run.
   */
  #noteSwitch(kind, to, { from, at, calls = [] }, entry) {
    const { clock, switches } = this.#owner;
    const { isTime } = clock;
    const isRecorded = switches !== undefined && to.number !== undefined && from.number !== undefined;
    if (!isRecorded || (kind === SWITCH.returns && !isTime)) return;
    const time = entry === undefined ? at : this.#momentOf(to, entry);
    // Calls that began at the same time, but ended before this start, must be in an earlier block.
    if (kind === SWITCH.starts && entry !== undefined && to.lastMoment === time) to.finishBlock();
    switches.add(kind, { stream: to.number, time, from: from.number, at: at ?? this.#momentOf(from, entry), calls, isTime });
  }

  /** The clock of a stream at an entry, of which this is a copy. */
  #momentOf(stream, { words }) {
    const { memory } = this.#owner;
    const { scratch } = memory;
    memory.words.set(words, scratch / 4);
    return stream.momentOf(scratch);
  }

  /** A copy of the entry at `at`: its words, and its fuel as a bigint. */
  #copy(at) {
    const words = this.#entries.copy(at);
    const fuelAt = this.#owner.clock.isTime ? 4 : 2;
    const fuel = this.#hasFuel ? new BigUint64Array(words.slice(fuelAt, fuelAt + 2).buffer)[0] : 0n;
    return { words, fuel };
  }

  /** The number of lost events in a loss entry. */
  #lossAt(at) {
    return address(this.#entries.numberAt(at));
  }
}
