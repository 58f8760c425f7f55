// SPDX-License-Identifier: Apache-2.0
// The recorder for JavaScript: trace points of any number of module instances, into one record of
// the format `warpo`. What Node and browsers do differently is given by node.mjs and browser.mjs.

import { AdoptedRecords } from "./threads/adopted-record.mjs";
import { clockFieldsOf } from "./calls/clock-fields.mjs";
import { createClock } from "./engine/clocks.mjs";
import { EventCounts } from "./record/event-counts.mjs";
import { ExpectedInstances } from "./modules/expected-instances.mjs";
import { Drain, mayDrain } from "./threads/drain.mjs";
import { KnownModules } from "./modules/known-modules.mjs";
import { LinkedFunctions } from "./modules/linked-functions.mjs";
import { MemorySink } from "./record/memory-sink.mjs";
import { performance } from "./engine/own-engine.mjs";
import { KIND } from "./record/payload.mjs";
import { costsOf } from "./calls/probe-cost.mjs";
import { CAUSE, NUMBERS } from "./record/record-encoder.mjs";
import { RecordWriter } from "./record/record-writer.mjs";
import { RecordedCalls } from "./calls/recorded-calls.mjs";
import { RecordedHeap } from "./heap/recorded-heap.mjs";
import { RecordedSamples } from "./samples/recorded-samples.mjs";
import { RecordedSections } from "./calls/recorded-sections.mjs";
import { importedFunctionCount, inertBuiltin, leavesOutHeap, memoriesFor, reportsLate } from "./modules/builtin-imports.mjs";
import { bufferSizes, checkOptions } from "./recorder-options.mjs";
import { hasRoomOnStack } from "./calls/stack-room.mjs";
import { StackTable } from "./record/stack-table.mjs";
import { StreamMemory, wholeNanoseconds } from "./calls/streams.mjs";
import { Switches } from "./calls/switches.mjs";
import { ThreadGate } from "./threads/thread-gate.mjs";
import { describeRecord } from "./threads/thread-record.mjs";

// Maximum size of the end of a stream, in words: a block with its losses.
const LAST_WORDS = 128;

/** Depth of the stack, in small calls, that must be free for writing; taking a half needs less. */
const STACK_OF_WRITING = 256;

const RECORDING_OFF = new TextEncoder().encode("(recording off)");

export class Recorder {
  /** Without the events that the drain takes; see allCounts. */
  counts = new EventCounts();
  error;
  /** How many events may still be kept. */
  room;
  /** The program ends with its first trap; calls that are open then stay open. */
  runsOnce;
  /** Another thread may have to finish the record. */
  isAnnounced;
  #gate; // where another thread drains the buffer, or may have to finish the record
  /** The thread that may take full halves of the buffer: Drain. */
  drain;
  #limitReached = false;
  #onFailure; // called once with the reason, if recording fails while the program runs
  #reportsLate = false; // a module keeps its open calls, and has reported them as of the last sample or heap event
  #isFull = false; // whether a block did not fit below maxBytes
  #name;
  #sink;
  #writer;
  #platform;
  modules;
  #writing = false;
  closed = false;
  #adopted;
  samples;
  #heap;
  #sections = new RecordedSections(this, (action) => this.#write(action));
  #calls;
  #stacks; // the record's table of stacks; undefined before the first one
  #switches; // the record's switches between stacks; undefined before the first one
  /** Instances that are not complete yet. */
  expected = new ExpectedInstances();
  #linked = new LinkedFunctions(this.expected, (number, ids) => this.#write((writer) => writer.linked(number, ids)));
  #isStored = false; // whether a module stores its events by itself
  /** Human-readable list of what is missing in the record. */
  problems = [];
  /** Called before the record ends. */
  finishers = [];

  constructor(options, platform) {
    checkOptions(options);
    const { clock = "exact" } = options;
    this.isRing = options.policy === "ring";
    this.runsOnce = options.runsOnce ?? false;
    this.maxItems = options.maxItems ?? Infinity;
    this.room = this.maxItems;
    this.#calls = new RecordedCalls(this, {
      enabled: options.enabled ?? true,
      write: (action) => this.#write(action),
      offId: (module) => this.#sections.idOf(module, RECORDING_OFF),
    });
    this.#adopted = new AdoptedRecords(this);
    this.maxBytes = options.maxBytes ?? Infinity;
    this.#platform = platform;
    this.samples = new RecordedSamples(this, options, (action) => this.#quietly(action));
    this.#heap = new RecordedHeap(this, this.samples.sampler, options);
    this.clock = createClock(clock, platform.startKeeper);
    this.modules = new KnownModules({
      names: options.names,
      needsFuel: this.clock.isFuel,
      isRing: this.isRing,
      declare: (description) => this.#declareModule(description),
      declareFuel: (name) => this.#declareFuel(name),
    });
    this.#name =
      options.file ?? (options.fd === undefined ? "record" : `file descriptor ${options.fd}`);
    this.#try("open", () => (this.#sink = this.#openSink(options)));
    const isDrained = mayDrain(options, platform, this) && this.#sink?.shared !== undefined;
    Object.assign(this, bufferSizes(options, { isDrained, orders: this.clock.isFuel && !this.isRing }));
    this.isAnnounced = options.announce !== undefined;
    const isShared = isDrained || this.isAnnounced || this.clock.mayStore;
    this.memory = new StreamMemory({ isShared });
    this.#beginClock(options.fallbackClock);
    if (isShared) this.#gate = new ThreadGate(this.memory.encoder);
    const clockFields = clockFieldsOf(this.clock, options.begin);
    this.#writer = new RecordWriter(this.#sink, clockFields, this.memory.encoder);
    // The name of a fuel clock depends on the first module.
    if (!this.clock.isFuel) this.#write((writer) => writer.begin());
    if (this.room === 0) this.reachLimit();
    const description = describeRecord(this, clockFields);
    if (this.error === undefined) options.announce?.(description);
    this.#onFailure = options.onFailure;
    const report = (reason) => this.problems.push(`the traced thread packs its events itself: ${reason}`);
    this.drain = new Drain(this.memory, this.#gate, {
      start: isDrained ? () => platform.startDrain(description, this.#sink.shared, report) : undefined,
      startsLate: platform.startsThreadsLate,
      onFailure: (reason) => this.#fail("write", reason),
      onEnd: (counts) => this.#takeOver(counts),
    });
  }

  /** `fallback`: the clock to use if this one fails, if any. */
  #beginClock(fallback) {
    try {
      this.clock.begin?.(this.memory.memory.buffer);
    } catch (error) {
      if (fallback === undefined) throw error;
      this.clock = createClock(fallback);
      this.problems.push(`the clock is '${fallback}': ${error.message}`);
    }
  }

  get isLimited() {
    return this.maxItems !== Infinity || this.maxBytes !== Infinity;
  }

  /** The drain has ended, having taken so many events. */
  #takeOver(drained) {
    this.#calls.buffer?.stopDraining();
    for (const [name, count] of Object.entries(drained)) this.counts[name] += count;
  }

  /** The counts of all events so far. */
  get allCounts() {
    const drained = this.drain.counts;
    return Object.fromEntries(Object.entries(this.counts).map(([name, count]) => [name, count + (drained[name] ?? 0)]));
  }

  #openSink(options) {
    const { file, fd, sink } = options;
    if (typeof sink === "function") return { write: (bytes) => sink(bytes.slice()), close() {} };
    if (file !== undefined || fd !== undefined) return this.#platform.openFile({ file, fd });
    const shared = mayDrain(options, this.#platform, this) ? this.#platform.openMemory?.() : undefined;
    return shared ?? new MemorySink();
  }

  /** The current time, in counts of the record's clock. */
  now() {
    return this.clock.isTime ? wholeNanoseconds(performance.now()) : 0;
  }

  /** The engine's number of this thread if another thread of the program started it; else 0. */
  get worker() {
    return this.#platform.worker ?? 0;
  }

  /** The thread number of its streams; 0 in a record without time, which must be the same for every run. */
  get thread() {
    return this.clock.isFuel ? 0 : this.#platform.thread;
  }

  /** Runs an action that may fail. The first failure is kept in `error`; all later events are lost. */
  #try(what, action) {
    if (this.error !== undefined) return;
    try {
      this.within(action);
    } catch (cause) {
      this.#fail(what, cause?.reason ?? cause?.message ?? cause);
    }
  }

  #write(action) {
    this.#try("write", () => action(this.#writer));
  }

  #fail(what, reason) {
    this.error ??= `${this.#name}: cannot ${what}: ${reason}`;
    this.#stop();
    this.#onFailure?.(this.error);
    this.#onFailure = undefined;
  }

  /** Runs an action that changes the memory otherwise than by storing events. */
  within(action) {
    return this.#gate === undefined ? action() : this.#gate.within(action);
  }

  #stop() {
    this.#calls.buffer?.stop();
  }

  /** Whether all events are lost from now on. */
  get hasStopped() {
    return this.error !== undefined || this.#limitReached;
  }

  reachLimit() {
    this.#limitReached = true;
    this.#stop();
  }

  /** Returns the module's number in the record, 0 if nothing can be written any more. */
  #declareModule(description) {
    let number = 0;
    this.#write((writer) => (number = writer.module(description)));
    return number;
  }

  #declareFuel(name) {
    const clock = this.clock.isFuel ? NUMBERS.timeClock : NUMBERS.fuelClock;
    this.#write((writer) => writer.fuelClock(clock, name));
  }

  /** Declares all modules of a program, `[module, given]` each, before any instance of them is made. */
  declare(modules) {
    const all = this.modules.keep(modules, this.closed);
    for (const about of all) if (about.storesEvents) this.#calls.join(about);
    this.#linked.declareByName(all.map((about, i) => [about, modules[i][1]]));
  }

  /** The functions of `builtin` for an instance of a module. `given`: ModuleOptions (recorder.d.ts), see also LinkedFunctions. */
  builtinOf(module, given) {
    const about = this.modules.about(module, given, this.closed);
    const { source, names, traces, samples, reportsHeap, hasSections, storesEvents, known } = about;
    if (known === undefined) return inertBuiltin(source);
    this.expected.addComplete();
    const { instance } = given;
    const events = !storesEvents ? undefined : traces ? this.#calls.expectInstance(about, instance) : this.#calls.forInstance(about);
    this.#linked.expect(about, given);
    // Sections on a stack belong to its first module.
    const { number } = events === undefined ? known : this.#calls.firstModule;
    const keepsStack = names.includes("enterFrame");
    this.#reportsLate ||= (samples || reportsHeap) && reportsLate(source);
    const switchesStacks = traces && names.includes("enterStack");
    // Only this thread knows which stack runs.
    if (switchesStacks) this.drain.end();
    this.#isStored ||= events?.memory !== undefined;
    return {
      ...(samples && this.samples.builtinOf(known, names)),
      ...(reportsHeap && this.#heapBuiltinOf(about, instance, keepsStack)),
      ...(traces && events.tracePoint),
      ...memoriesFor(source, events?.memory),
      ...(switchesStacks && events.switches),
      ...(names.includes("enterModule") && this.#calls.enterModuleOf(known, instance)),
      ...(hasSections && this.#sections.builtinOf(number, events, { keepsStack, traces, look: instance ?? (() => undefined) })),
    };
  }

  #heapBuiltinOf({ source, description, known }, look, keepsStack) {
    const { memoryExport } = description;
    const imports = importedFunctionCount(source);
    return this.#heap.builtinOf(known, { keepsStack, look, imports, memoryExport, mayLeaveOut: leavesOutHeap(source) });
  }

  get enabled() {
    return this.#calls.enabled;
  }
  set enabled(value) {
    this.#calls.enabled = Boolean(value);
  }

  /**
   * Switches recording `on` or `off`, or toggles it, when another thread has interrupted this one. Returns the new
   * state, `busy` if the recorder itself was interrupted, and undefined if there is nothing to switch.
   */
  interrupt(wish) {
    if (this.closed || !["on", "off", "toggle"].includes(wish)) return undefined;
    if (!this.#calls.isInProgram || this.samples.guest.isCalling) return "busy";
    this.enabled = wish === "toggle" ? !this.enabled : wish === "on";
    return this.enabled ? "on" : "off";
  }

  /** Ends the sections that modules without trace points have left open. */
  closeSections() {
    if (this.closed || !this.#sections.mayBeLeftOpen) return;
    this.#calls.buffer.empty();
    this.#sections.end(this.#calls.streams[0].openSections);
  }

  get sectionFaults() {
    return this.#sections.faults;
  }

  /** Opens a stream of samples or heap events with this name; `open(memory, stream, emit, stacks)` makes its packer. */
  openSamples(module, name, open) {
    let stream = 0;
    this.#write((writer) => (stream = writer.stream(module, this.thread, name)));
    const emit = (...block) => this.#emitSamples(...block);
    return this.within(() => open(this.memory, stream, emit, this.#stackTable));
  }

  get #stackTable() {
    return (this.#stacks ??= new StackTable(this.memory.encoder, (block) => this.#emitSamples(block, 0)));
  }

  /** The number of the module of a call with this id on any of the thread's stacks. */
  moduleOf(stackId) {
    return this.#calls.frameOf(stackId).module;
  }

  /** The thread's switches from one stack to another. */
  get switches() {
    const resolve = (stackId) => this.#calls.frameOf(stackId);
    const emit = (block) => this.#emitSamples(block, 0);
    return (this.#switches ??= new Switches(this.memory.encoder, this.#stackTable, resolve, emit));
  }

  /** Writes a block of stacks, or of `count` samples, unless the record would become too large. */
  #emitSamples(block, count) {
    this.#isFull ||= !this.hasRoomFor(block.size);
    if (this.#isFull) {
      this.counts.lostToLimit += count;
      this.reachLimit();
      return;
    }
    this.#write((writer) => {
      this.#sections.declare(writer);
      writer.samples(block, count);
    });
    if (this.error === undefined) this.counts.written += count;
    else this.counts.lostToFailure += count;
  }

  /** Calls `keep`, which packs one more sample, unless a limit has been reached. */
  keepSample(keep) {
    if (this.closed || this.#limitReached) {
      this.counts.lostToLimit += Number(!this.closed);
      return;
    }
    if (!this.whileWriting(keep)) ++this.counts.lostToBuffer;
    else if (--this.room === 0) this.reachLimit();
  }

  /**
   * The same for `waiting` entries at once: `pack(count)` packs as many as the limit allows. Returns whether it was
   * called.
   */
  keepSamples(waiting, pack) {
    const count = this.#limitReached ? 0 : Math.min(waiting, this.room);
    this.counts.lostToLimit += waiting - count;
    if (count === 0) return false;
    if (!this.whileWriting(() => pack(count))) {
      this.counts.lostToBuffer += count;
      return false;
    }
    this.room -= count;
    if (this.room === 0) this.reachLimit();
    return true;
  }

  /**
   * Writes a block of events of a stream's encoder; undefined for a stream that is not in the record. Returns
   * `written`, `beyond` if the record would become too large, or `failed`.
   */
  emit(encoder, block, events) {
    // Switches must come before the events that they refer to.
    this.#switches?.flush();
    this.#isFull ||= !this.hasRoomFor(block.size);
    if (events > 0 && this.#isFull) {
      this.reachLimit();
      return "beyond";
    }
    if (encoder !== undefined)
      this.#write((writer) => {
        if (events > 0) this.#sections.declare(writer);
        writer.events(encoder, block);
      });
    const isWritten = encoder !== undefined && this.error === undefined;
    this.counts[isWritten ? "written" : "lostToFailure"] += events;
    return isWritten ? "written" : "failed";
  }

  hasRoomFor(bytes) {
    if (this.maxBytes === Infinity || this.error !== undefined) return true;
    const { size, endSize } = this.#writer;
    return size + bytes + endSize + LAST_WORDS * this.#calls.streams.length <= this.maxBytes;
  }

  /**
   * Runs an action that may call the sink; returns whether it was run. It is not run from within the sink, which may
   * run traced code, nor near the end of the stack.
   */
  whileWriting(action) {
    if (this.#writing || !hasRoomOnStack(STACK_OF_WRITING)) return false;
    this.#writing = this.#calls.isWriting = true;
    this.within(() => {
      action();
      this.#writer.lost = this.#lost;
    });
    this.#writing = this.#calls.isWriting = false;
    return true;
  }

  /** An instance of a module that is recorded is complete. */
  attach(instance, name) {
    this.expected.attach(instance);
    this.#heap.attach(instance);
    if (this.samples.areTaken) this.samples.guest.offer(instance.exports, name);
  }

  /**
   * Calls `make`, by which the engine calls the start function of an instance, and returns its result. Calls that are
   * still open within it have ended.
   */
  aroundStart(make) {
    if (this.closed) return make();
    const marked = () => this.#calls.aroundStart(make);
    return this.#reportsLate ? marked() : this.samples.sampler.aroundStart(marked);
  }

  /** The instance that `look`, an argument of builtinOf(), was to return could not be made. */
  drop(look) {
    this.expected.drop(look);
  }

  #quietly(action) {
    const { buffer } = this.#calls;
    return buffer === undefined ? action() : buffer.quietly(action);
  }

  openCalls() {
    if (this.#reportsLate) return [];
    const framed = this.samples.sampler.openCalls();
    if (framed.length === 0) return this.#calls.open();
    return framed.map(({ module, id }) => ({ module: this.modules.idOf(module), id }));
  }

  addPhases(phases) {
    const count = (time) => (this.clock.isTime ? wholeNanoseconds(time) : 0);
    const rows = phases.map(({ name, begin, end, unit, ticks }) => {
      const known = unit === undefined ? { unit: "", ticks: 0 } : { unit, ticks };
      return { name, begin: count(begin), end: count(end), ...known };
    });
    if (this.closed || rows.length === 0) return;
    this.#write((writer) => {
      writer.begin();
      writer.phases(rows);
    });
  }

  /** To be called if a signal ends the program in the middle of calls, which have lasted until now. */
  endCalls() {
    if (!this.closed) this.#calls.buffer?.endCalls();
  }

  flush() {
    this.samples.flush();
    this.#heap.flush();
    this.#calls.flush();
    this.whileWriting(() => this.#switches?.flush());
  }

  close() {
    if (this.closed) return;
    if (this.#writing) {
      queueMicrotask(() => this.close());
      return;
    }
    this.closeSections();
    for (const finish of this.finishers) finish();
    this.#calls.endSwitchedOff();
    this.closed = true;
    this.drain.end();
    this.flush();
    this.#stop();
    this.#try("write", () => this.#writeCost());
    this.whileWriting(() => this.#finish());
    this.#gate?.close();
    this.clock.stop();
  }

  #writeCost() {
    const { buffer } = this.#calls;
    if (this.clock.isTime && buffer !== undefined) {
      const { event, step } = costsOf(this.clock, buffer.hasFuel, this.memory, this.#isStored);
      this.#writer.cost(event, step);
    } else if (this.#adopted.cost > 0) this.#writer.cost(this.#adopted.cost, this.#adopted.step);
  }

  /** The sum of losses in allCounts, computed without it, since every write needs the sum. */
  get #lost() {
    return this.counts.lost + this.drain.lost + this.#adopted.lost;
  }

  /** The number of its events and samples, including those of other threads. */
  get eventCount() {
    return this.#writer.eventCount;
  }

  /** Whether the record has events, samples or heap events, of this thread or of another one. */
  get hasEvents() {
    return this.#calls.buffer !== undefined || this.#adopted.has(KIND.events);
  }
  get hasSamples() {
    return this.samples.areTaken || this.#adopted.has(KIND.samples);
  }

  /**
   * Whether records of other threads can be added to this one: it must be in a file of its own or in memory. A limit of
   * events applies to each thread, one of bytes to the whole record.
   */
  get canAdopt() {
    const isOpen = !this.closed && this.error === undefined && this.#adopted.mayGrow;
    return isOpen && this.#sink?.takesParts === true;
  }

  /** Reserves room for `count` switches of another record; returns whether there is room. */
  adoptSwitches(count) {
    return count === 0 || this.switches.adopt(count);
  }

  /** Adds another thread's record: see AdoptedRecords. */
  adopt(part, thread) {
    this.#adopted.add(part, thread, this.#writer);
  }

  /** The counter of lost events, and their cause in the record. */
  #reasonOfLoss() {
    if (this.error !== undefined) return { kind: "lostToFailure", cause: CAUSE.writeFailed };
    if (this.#limitReached) return { kind: "lostToLimit", cause: CAUSE.limit };
    return { kind: "lostToBuffer", cause: CAUSE.bufferFull };
  }

  #finish() {
    const { counts } = this;
    const { kind, cause } = this.#reasonOfLoss();
    const failure = this.error;
    this.#onFailure = undefined;
    // A block that could not be written may have left room to record the losses.
    this.error = undefined;
    this.#write((writer) => writer.begin());
    this.problems.push(...this.#calls.finish(), ...this.#heap.problems);
    if (this.#switches?.leftOut > 0)
      this.problems.push(`starts, resumes and returns of tasks that are missing, as there were too many: ${this.#switches.leftOut}`);
    for (const stream of this.#calls.streams) {
      counts[kind] += stream.finish(cause);
      const { endsWithoutBegin, neverEnded } = stream.sectionFaults;
      this.sectionFaults.endsWithoutBegin += endsWithoutBegin;
      this.sectionFaults.neverEnded += neverEnded;
    }
    this.#writer.lost = this.#lost;
    this.#try("write", () => this.#writer.end());
    const error = failure ?? this.error;
    this.error = undefined;
    this.#try("close", () => this.#sink?.close());
    this.error = error ?? this.error;
  }

  get tasks() {
    return this.closed ? undefined : this.#calls.buffer?.tasks;
  }

  blob() {
    return this.within(() => this.#sink?.blob?.(this.#writer.size));
  }
}
