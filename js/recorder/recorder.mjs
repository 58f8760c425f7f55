// The recorder for JavaScript: trace points of any number of module instances, into one record of
// the format `warpo`. What Node and browsers do differently is given by node.mjs and browser.mjs.

import { createClock } from "./clocks.mjs";
import { CAUSE, FUEL_CLOCK } from "./event-encoder.mjs";
import { GuestStack } from "./guest-stack.mjs";
import { MemorySink } from "./memory-sink.mjs";
import { performance } from "./own-clock.mjs";
import { measureTracePoint } from "./probe-cost.mjs";
import { RecordWriter } from "./record-writer.mjs";
import {
  builtinsOf,
  describeModule,
  exportsFuel,
  inertBuiltin,
  isInstrumented,
  isSectionCall,
  tracePointNameOf,
} from "./recorded-module.mjs";
import { SampleWriter } from "./sample-writer.mjs";
import { Sampler } from "./sampler.mjs";
import { fuelOf, noFaults, SECTION_END, sectionBuiltin, SectionNames } from "./sections.mjs";
import { LEAST_EVENT_SIZE, PAGE_SIZE, Stream, StreamMemory, wholeNanoseconds } from "./streams.mjs";

/** What the record calls the clock of fuel, and with other costs of instructions. */
const fuelName = (costs) => (costs === "1" ? "fuel" : `fuel:${costs}`);
const POLICIES = ["block", "ring"];
const DEFAULT_BUFFER = 1 << 19;
const LARGEST_BUFFER = 1 << 30;
// Further instances share the last of these streams, fewer if their buffers take more than the
// memory. They can: a thread has one stack, on which the calls of all its instances nest.
const STREAMS_A_MODULE = 64;
const MEMORY_A_MODULE = 1 << 30;
/** What is said of a record that should be a ring of samples: all of them would be kept. */
export const RING_OF_SAMPLES = "samples are neither kept in rings nor crash-safe";
// What is said at the end of a stream takes at most this: a block with its losses.
const LAST_WORDS = 128;
// What the next sample takes, unless its stack is long and new: where a record is nearly full the
// ones before it are written first.
const SAMPLE_ROOM = 256;

/** Uses as much of the stack as taking a half does, and more. */
const useStack = (depth) => (depth === 0 ? 0 : 1 + useStack(depth - 1));

/**
 * Whether JavaScript can be called here at all: a program may be about to use up the stack, and the
 * error would come in the middle of what cannot be done twice.
 */
function hasRoomOnStack() {
  try {
    return useStack(256) > 0;
  } catch {
    return false;
  }
}

/** A module as it is, or its bytes as an Uint8Array. */
function sourceOf(module) {
  if (module instanceof WebAssembly.Module) return module;
  if (ArrayBuffer.isView(module))
    return new Uint8Array(module.buffer, module.byteOffset, module.byteLength);
  return new Uint8Array(module);
}

function count(options, name, otherwise, least, most) {
  const value = options[name] ?? otherwise;
  if (value !== Infinity && (!Number.isInteger(value) || value < least || value > most))
    throw new RangeError(`${name} is ${value}, not a whole number from ${least} to ${most}`);
  return value;
}

class Recorder {
  counts = { written: 0, lostToBuffer: 0, lostToLimit: 0, lostToFailure: 0 };
  error;
  /** How many events may still be kept. */
  room;
  #maxBytes;
  #streamLimit; // of a module
  #limitReached = false;
  #isFull = false; // a block had no room below maxBytes
  #name;
  #sink;
  #writer;
  #platform;
  #streams = [];
  #modules = new Map(); // by module id: { id, number, streams, ids }
  #described = new WeakMap(); // of each WebAssembly.Module whose bytes were seen
  #writing = false;
  #costs; // by which fuel is counted, of the modules that do
  closed = false;
  #samples; // of all modules; undefined before the first that is sampled
  #sampleCount = 0; // the time of a clock that is none
  #moduleIds = new Map(); // by number, of the modules that are sampled
  sectionFaults = noFaults();
  #sectionNames = new SectionNames(this.sectionFaults);
  #sectionStreams = []; // of modules that have sections and no trace points

  constructor(options, platform) {
    const { clock = "exact", policy = "block" } = options;
    if (!POLICIES.includes(policy))
      throw new RangeError(`unknown policy '${policy}', known are ${POLICIES.join(", ")}`);
    this.isRing = policy === "ring";
    const bytes = count(options, "bufferBytes", DEFAULT_BUFFER, 1, LARGEST_BUFFER);
    this.bufferBytes = PAGE_SIZE * Math.ceil(bytes / PAGE_SIZE);
    /** Where a stream unpacks one half of its buffer. */
    this.columns = {
      times: new Float64Array(this.bufferBytes / 2 / LEAST_EVENT_SIZE),
      ids: new Int32Array(this.bufferBytes / 2 / LEAST_EVENT_SIZE),
      fuels: new Float64Array(this.bufferBytes / 2 / LEAST_EVENT_SIZE),
    };
    const most = Math.floor(MEMORY_A_MODULE / this.bufferBytes);
    this.#streamLimit = Math.max(1, Math.min(STREAMS_A_MODULE, most));
    this.room = count(options, "maxItems", Infinity, 0, Number.MAX_SAFE_INTEGER);
    this.#maxBytes = count(options, "maxBytes", Infinity, 0, Number.MAX_SAFE_INTEGER);
    this.#platform = platform;
    const { sampleEvery: every, frequency } = options;
    this.guest = new GuestStack(options.guestStack ?? "auto", (action) => this.#quietly(action));
    this.sampler = new Sampler(
      { every, frequency },
      (...sample) => this.#takeSample(...sample),
      this.guest,
    );
    this.clock = createClock(clock, platform.startKeeper);
    this.memory = new StreamMemory();
    this.#name =
      options.file ?? (options.fd === undefined ? "record" : `file descriptor ${options.fd}`);
    this.#try("open", () => (this.#sink = this.#openSink(options)));
    this.#try("write", () => (this.#writer = new RecordWriter(this.#sink, this.#describeClock())));
    if (this.room === 0) this.reachLimit();
  }

  #openSink({ file, fd, sink }) {
    if (typeof sink === "function") return { write: (bytes) => sink(bytes.slice()), close() {} };
    if (file !== undefined || fd !== undefined) return this.#platform.openFile({ file, fd });
    return new MemorySink();
  }

  /** In the counts of the record. */
  now() {
    return this.clock.isTime ? wholeNanoseconds(performance.now()) : 0;
  }

  #describeClock() {
    const name = this.clock.isFuel ? fuelName("1") : "time";
    if (!this.clock.isTime) return { name, nanoseconds: 0, counts: 0, origin: 0, wall: 0 };
    const origin = this.now();
    const wall = BigInt(wholeNanoseconds(performance.timeOrigin)) + BigInt(origin);
    return { name, nanoseconds: 1, counts: 1, origin, wall };
  }

  /** Does what may fail; the first failure is kept, and from then on all events are lost. */
  #try(what, action) {
    if (this.error !== undefined) return;
    try {
      action();
    } catch (cause) {
      this.error = `${this.#name}: cannot ${what}: ${cause?.reason ?? cause?.message ?? cause}`;
      this.#stop();
    }
  }

  #stop() {
    for (const stream of this.#streams) stream.stop();
  }

  reachLimit() {
    this.#limitReached = true;
    this.#stop();
  }

  /** Says what bytes are, for when only the module that is made of them is known. */
  remember(module, description) {
    this.#described.set(module, description);
  }

  #declare(description) {
    const id = description.id ?? BigInt(this.#modules.size + 1);
    let known = this.#modules.get(id);
    if (known === undefined) {
      known = { id, number: 0, streams: [], ids: description.ids };
      this.#try("write", () => (known.number = this.#writer.module({ ...description, id })));
      this.#modules.set(id, known);
    }
    return known;
  }

  /** The functions of `builtin` for an instance of a module. */
  builtinOf(module, given) {
    const source = sourceOf(module);
    if (!isInstrumented(source))
      throw new TypeError("the module does not import builtin.tracePoint: it is not instrumented");
    const names = builtinsOf(source);
    const traces = tracePointNameOf(source);
    const samples = names.some((name) => name.startsWith("sample"));
    const hasSections = names.some(isSectionCall);
    const countsFuel = traces === "tracePointFuel" || samples || (!traces && exportsFuel(source));
    if (this.clock.isFuel && !countsFuel)
      throw new TypeError(
        "clock 'fuel' records modules that count fuel, and this one does not: instrument it with trace,fuel",
      );
    if (samples && this.isRing) throw new TypeError(RING_OF_SAMPLES);
    if (this.closed) return inertBuiltin(source);
    const description = this.#described.get(source) ?? describeModule(source, given);
    if (countsFuel) this.#countBy(description.costs);
    const known = this.#declare(description);
    const stream =
      traces || (hasSections && !samples) ? this.#streamOf(known, countsFuel) : undefined;
    const events = stream?.forInstance(known.streams.length === this.#streamLimit);
    const look = given.instance ?? (() => undefined);
    if (stream !== undefined && !traces) this.#sectionStreams.push({ stream, events, look });
    return {
      ...(samples && this.#sampledBuiltin(known, names)),
      ...(traces && events.tracePoint),
      ...(hasSections && this.#sectionsOf(known, events, names.includes("enterFrame"), look)),
    };
  }

  #streamOf({ streams, number }, hasFuel) {
    if (streams.length < this.#streamLimit)
      streams.push(this.#openStream(number, streams.length, hasFuel));
    return streams.at(-1);
  }

  /** Without a stream, sections are frames of the stacks of samples and nothing else. */
  #sectionsOf({ id: moduleId, number }, events, keepsStack, look) {
    this.#moduleIds.set(number, moduleId);
    const isRecorded = () =>
      !this.closed && !this.guest.isCalling && (events !== undefined || keepsStack);
    const begin = (bytes, fuel) => {
      if (!isRecorded()) return;
      const id = this.#sectionNames.idOf(number, bytes);
      events?.store(id, fuel);
      if (keepsStack) this.sampler.beginSection(number, id);
    };
    const end = (fuel) => {
      if (!isRecorded()) return;
      events?.store(SECTION_END, fuel);
      const isOpen = !keepsStack || this.sampler.endSection(number);
      if (events === undefined && !isOpen) ++this.sectionFaults.endsWithoutBegin;
    };
    return sectionBuiltin(look, begin, end);
  }

  /** Ends what modules without trace points have left open, which do not say where functions end. */
  closeSections() {
    if (this.closed) return;
    for (const { stream, events, look } of this.#sectionStreams) {
      stream.flush();
      for (let open = stream.openSections; open > 0; --open) {
        events.store(SECTION_END, fuelOf(look));
        ++this.sectionFaults.neverEnded;
      }
    }
  }

  /** Before the first block with ids of theirs. */
  #declareSections() {
    for (const { module, functions } of this.#sectionNames.takePending())
      this.#writer.functions(module, this.#moduleIds.get(module), functions);
  }

  #sampledBuiltin({ id, number, ids }, names) {
    if (this.#samples === undefined) {
      let stream = 0;
      this.#try(
        "write",
        () => (stream = this.#writer.stream(number, this.#platform.thread, "samples")),
      );
      const begin = this.clock.isTime ? this.now() : 0;
      this.#samples = new SampleWriter(stream, begin, (...block) => this.#emitSamples(...block));
    }
    this.#moduleIds.set(number, id);
    return this.sampler.builtinOf(number, names.includes("enterFrame"), ids);
  }

  /** Writes a block of stacks, or of so many samples, unless the record would become too large. */
  #emitSamples(block, count) {
    this.#isFull ||= !this.#hasRoomFor(block.length);
    if (this.#isFull) {
      this.counts.lostToLimit += count;
      this.reachLimit();
      return;
    }
    this.#try("write", () => {
      this.#declareSections();
      this.#writer.samples(block, count);
    });
    if (this.error === undefined) this.counts.written += count;
    else this.counts.lostToFailure += count;
  }

  #takeSample(fuel, frames, due) {
    if (this.closed || this.#limitReached) {
      this.counts.lostToLimit += Number(!this.closed);
      return;
    }
    const { isTime, isFuel } = this.clock;
    const time = isFuel ? Number(fuel) : isTime ? this.now() : ++this.#sampleCount;
    const taken = this.whileWriting(() => {
      this.#samples.add(time, fuel, frames, due);
      if (!this.#hasRoomFor(this.#samples.size + SAMPLE_ROOM)) this.#samples.flush();
    });
    if (!taken) ++this.counts.lostToBuffer;
    else if (--this.room === 0) this.reachLimit();
  }

  /** All modules of a record count fuel by the same costs. */
  #countBy(costs) {
    if (this.#costs !== undefined && this.#costs !== costs)
      throw new TypeError(
        `the module counts fuel by the costs '${costs}', others of the record by '${this.#costs}'`,
      );
    const isKnown = this.#costs !== undefined || (this.clock.isFuel && costs === "1");
    this.#costs = costs;
    const clock = this.clock.isFuel ? 0 : FUEL_CLOCK;
    if (!isKnown) this.#try("write", () => this.#writer.fuelClock(clock, fuelName(costs)));
  }

  #openStream(module, before, hasFuel) {
    let number = 0;
    this.#try("write", () => {
      const name = before === 0 ? "" : `instance ${before + 1}`;
      number = this.#writer.stream(module, this.#platform.thread, name);
    });
    const stream = new Stream(this, number, hasFuel);
    this.#streams.push(stream);
    if (this.error !== undefined || this.#limitReached) stream.stop();
    return stream;
  }

  /** Writes a block of events; false if it is left out, as the record would become too large. */
  emit(stream, block, info) {
    this.#isFull ||= !this.#hasRoomFor(block.length);
    if (info.events > 0 && this.#isFull) {
      this.reachLimit();
      return false;
    }
    this.#try("write", () => {
      this.#declareSections();
      this.#writer.events(stream, block, info);
      this.counts.written += info.events;
    });
    if (this.error !== undefined) this.counts.lostToFailure += info.events;
    return true;
  }

  #hasRoomFor(bytes) {
    if (this.#maxBytes === Infinity || this.error !== undefined) return true;
    const { size, endSize } = this.#writer;
    return size + bytes + endSize + LAST_WORDS * this.#streams.length <= this.#maxBytes;
  }

  /**
   * Does what may call the sink, and returns whether it was done: not from within the sink, which
   * may run traced code, nor where the stack ends.
   */
  whileWriting(action) {
    if (this.#writing || !hasRoomOnStack()) return false;
    this.#writing = true;
    action();
    this.#writing = false;
    return true;
  }

  /** An instance of a module that is recorded is complete. */
  attach(instance, name) {
    if (this.#samples !== undefined) this.guest.offer(instance.exports, name);
  }

  #quietly(action) {
    const within = (inner, stream) => () => stream.quietly(inner);
    return this.#streams.reduce(within, action)();
  }

  openCalls() {
    const framed = this.sampler.openCalls();
    if (framed.length === 0) return this.#tracedCalls();
    return framed.map(({ module, id }) => ({ module: this.#moduleIds.get(module), id }));
  }

  #tracedCalls() {
    if (!this.closed) for (const stream of this.#streams) stream.flush();
    return [...this.#modules.values()]
      .flatMap(({ id: module, streams }) =>
        streams.flatMap((stream) =>
          stream
            .openCalls()
            .map((call) => ({ module, ...call }))
            .reverse(),
        ),
      )
      .sort((a, b) => b.begin - a.begin)
      .map(({ module, id }) => ({ module, id }));
  }

  addPhases(phases) {
    const count = (time) => (this.clock.isTime ? wholeNanoseconds(time) : 0);
    const rows = phases.map(({ name, begin, end, unit, ticks }) => {
      const known = unit === undefined ? { unit: "", ticks: 0 } : { unit, ticks };
      return { name, begin: count(begin), end: count(end), ...known };
    });
    if (!this.closed && rows.length > 0) this.#try("write", () => this.#writer.phases(rows));
  }

  flush() {
    for (const stream of this.#streams) stream.flush();
    if (this.#samples !== undefined) this.whileWriting(() => this.#samples.flush());
  }

  close() {
    if (this.closed) return;
    if (this.#writing) {
      queueMicrotask(() => this.close());
      return;
    }
    this.closeSections();
    this.closed = true;
    this.flush();
    this.#stop();
    this.#try("write", () => this.#writeCost());
    this.whileWriting(() => this.#finish());
    this.clock.stop();
  }

  #writeCost() {
    if (this.clock.isTime && this.#streams.length > 0)
      this.#writer.cost(measureTracePoint(this.clock, this.#costs !== undefined, this.memory));
  }

  #finish() {
    const { counts } = this;
    const cause = this.#limitReached ? CAUSE.limit : CAUSE.bufferFull;
    for (const stream of this.#streams) {
      const missing = stream.finish(cause);
      const { endsWithoutBegin, neverEnded } = stream.sectionFaults;
      this.sectionFaults.endsWithoutBegin += endsWithoutBegin;
      this.sectionFaults.neverEnded += neverEnded;
      if (this.error !== undefined) counts.lostToFailure += missing;
      else if (this.#limitReached) counts.lostToLimit += missing;
      else counts.lostToBuffer += missing;
    }
    this.#try("write", () => this.#writer.end(counts.lostToBuffer + counts.lostToLimit));
    const error = this.error;
    this.error = undefined;
    this.#try("close", () => this.#sink?.close());
    this.error = error ?? this.error;
  }

  blob() {
    return this.#sink?.blob?.();
  }
}

/** What createRecorder() of node.mjs and browser.mjs return; see recorder.d.ts. */
export function openRecorder(options, platform) {
  const recorder = new Recorder(options, platform);
  const importsFor = (module, given = {}) => ({
    builtin: recorder.builtinOf(module, given),
  });
  return {
    imports: options.module === undefined ? {} : importsFor(options.module, options),
    importsFor,
    ready: recorder.clock.ready,
    flush() {
      if (!recorder.closed) recorder.flush();
    },
    addPhases: (phases) => recorder.addPhases(phases),
    closeSections: () => recorder.closeSections(),
    get sectionFaults() {
      return { ...recorder.sectionFaults };
    },
    attach: (instance, name = "instance") => recorder.attach(instance, name),
    get guestStackProblems() {
      return recorder.guest.problems();
    },
    get isCallingGuest() {
      return recorder.guest.isCalling;
    },
    close: () => recorder.close(),
    openCalls: () => recorder.openCalls(),
    blob: () => recorder.blob(),
    get counts() {
      return { ...recorder.counts };
    },
    get error() {
      return recorder.error;
    },
    /** For hook.mjs. */
    remember: (module, description) => recorder.remember(module, description),
  };
}
