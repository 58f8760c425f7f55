// SPDX-License-Identifier: Apache-2.0
// Types of `warpo/recorder`.

/** A module, or its bytes: these tell the names of its functions. */
export type ModuleSource = WebAssembly.Module | ArrayBufferView | ArrayBuffer;

export interface ModuleOptions {
  /** What to call the module; without it, its own name. */
  name?: string;
  /** What to call a module that has no name of its own. */
  fileName?: string;
  /** The text of a mapping file, for names that the module does not tell. */
  mapping?: string;
  /** The id of a module that has none; without it, modules are numbered. */
  id?: bigint;
  /**
   * Gives the instance, once there is one, or what of it is known: where sections find their names
   * and their fuel. `memory` is one that the module imports; else one that it exports is taken.
   */
  instance?: () => { exports?: WebAssembly.Exports; memory?: WebAssembly.Memory } | undefined;
}

export interface RecorderOptions extends ModuleOptions {
  /**
   * The record's file (Node). Without `file`, `fd` and `sink` the record stays in memory: blob().
   */
  file?: string;
  /**
   * A descriptor to write to, from where it stands; it is left open. With `file`, one of that file,
   * which is made empty and closed in the end (Node).
   */
  fd?: number;
  /** Takes the record piece by piece. What it throws is a failure to write. */
  sink?: (bytes: Uint8Array) => void;
  /** The first module to record: `imports` are for it. */
  module?: ModuleSource;
  /**
   * `exact` (default): performance.now() at each event. `thread`: a worker keeps the time, about 1
   * us exact, and takes a core; needs SharedArrayBuffer. `none`: order only. `fuel`: what modules
   * count that were instrumented with `trace,fuel`, and no clock at all; others are refused. The same
   * events make the same bytes: streams have no thread.
   */
  clock?: "exact" | "thread" | "none" | "fuel";
  /** Samples of modules that ask for them: each time so much fuel has been burnt; or */
  sampleEvery?: number | bigint;
  /** about so many times a second (default 1000). */
  frequency?: number;
  /**
   * Modules that tell what they do with their heaps: of allocations those are recorded in which a point lies, and all that becomes of them; points are
   * so many bytes apart in the mean. Default: all are.
   */
  heapSampleEvery?: number;
  /** Decides where these points lie (default 0): the same in each run with the same seed. */
  heapSeed?: number;
  /**
   * Whether samples have the frames of a program that the module interprets: of the first instance
   * that can tell them (`auto`, the default; `export`: and there has to be one), or `none`.
   */
  guestStack?: "auto" | "export" | "none";
  /**
   * `block` (default): a full buffer is written while the program waits. `ring`: only the last
   * events are kept, and written by flush() and close(); modules that ask for samples are refused.
   */
  policy?: "block" | "ring";
  /**
   * Whether a thread of the recorder packs and writes (default true): in Node into a file or `fd`, in a page that is cross-origin isolated into
   * memory; with any clock but `fuel`, no ring, no limit and no `sink`. Else, until that thread runs, and once calls wait for promises, the
   * thread that traces does so.
   */
  drain?: boolean;
  /**
   * Memory of the events that wait, for 8 bytes an event, and 8 more for each of time and fuel (default 4 MiB where a thread of the recorder packs, else
   * 512 KiB, 256 KiB with clock `fuel`).
   */
  bufferBytes?: number;
  /** Events and samples that are kept; further ones are counted. */
  maxItems?: number;
  /** Whether recording is on from the beginning (default true); see Recorder.enabled. */
  enabled?: boolean;
  /** Recording stops before the record becomes larger: declarations and its end may be. */
  maxBytes?: number;
}

export interface RecorderCounts {
  written: number;
  /** The buffer was full; in a ring, events that made room for later ones. */
  lostToBuffer: number;
  lostToLimit: number;
  lostToFailure: number;
  /** Had an id that no function has: 0 or -2^31. */
  meaningless: number;
}

export interface SectionFaults {
  endsWithoutBegin: number;
  neverEnded: number;
  /** Names that are no UTF-8, too long, not in the memory; names beyond the first 65 000. */
  notUtf8: number;
  tooLong: number;
  outOfBounds: number;
  tooMany: number;
}

/** What the module calls, of these. */
export interface TracePointImports {
  builtin: {
    tracePoint?: (id: number) => void;
    tracePointFuel?: (id: number, fuel: bigint) => void;
    sample?: (fuel: bigint) => bigint;
    sampleCaller?: (fuel: bigint) => bigint;
    enterFrame?: (id: number) => void;
    leaveFrame?: (id: number) => void;
    heap?: (operation: number, address: number, size: number, old: number) => void;
    beginSection?: (pointer: number | bigint, length: number | bigint) => void;
    endSection?: () => void;
  };
}

/** Something that the host did for the program. */
export interface Phase {
  name: string;
  /** As performance.now() gives it. */
  begin: number;
  end: number;
  /** What `ticks` counts, in the plural; without it, the amount is unknown. */
  unit?: string;
  ticks?: number | bigint;
}

export interface Recorder {
  /** To be merged into what is imported into one instance of `module`; empty without one. */
  readonly imports: TracePointImports | Record<string, never>;
  /**
   * The same for one more instance; each instance needs a call of its own. Throws a TypeError if the module is not
   * instrumented.
   */
  importsFor(module: ModuleSource, options?: ModuleOptions): TracePointImports;
  /** When the clock runs; only clock `thread` takes a moment. */
  readonly ready: Promise<void>;
  /**
   * Says that an instance is complete: its guest, if it tells one, is asked at each sample. Its
   * memory grows by a page for that. `name` is for messages. A module that was instrumented with
   * `--switchable` is switched itself from then on, and one whose heap is sampled leaves out what need not be recorded.
   */
  attach(instance: WebAssembly.Instance, name?: string): void;
  /** Whether it is asked now: what the program calls then must not end it. */
  readonly isCallingGuest: boolean;
  /** What was wrong with the guest's stack, for people to read. */
  readonly guestStackProblems: readonly string[];
  /** What of the program the record lacks or leaves open, for people to read. Exact after close(). */
  readonly problems: readonly string[];
  /** Says in the record what the host did, in this order: `warpo-report --phases`. */
  addPhases(phases: Phase[]): void;
  /**
   * Ends the sections that modules without trace points have left open: for when the program has
   * returned to its host.
   */
  closeSections(): void;
  /** What was wrong with the sections of programs: how often. Exact after close(). */
  readonly sectionFaults: SectionFaults;
  /**
   * Whether recording is on: switched while the program runs, also from what it calls. While it is off, calls that begin and end are not
   * recorded; in their place the record has a section `(recording off)`, from the moment of switching off to that of switching on or close().
   * Calls that only begin or only end in that time are recorded, so that the stack is right afterwards. Of this thread.
   */
  enabled: boolean;
  /** Writes what waits in the buffers. */
  flush(): void;
  /**
   * Writes the rest and the record's end. Trace points may still be called; nothing is recorded.
   */
  close(): void;
  /**
   * The calls that have begun and not ended, innermost first: where a trap happened. Those of tasks that wait for a promise are
   * not among them.
   */
  openCalls(): { module: bigint; id: number }[];
  /** The record as it was written so far, if it stays in memory. */
  blob(): Blob | undefined;
  /** Exact after close(). */
  readonly counts: RecorderCounts;
  /** The first failure to open or write the record. Programs run on without. */
  readonly error: string | undefined;
}

/** Opens a record. Throws for options that are wrong or cannot be met; `error` tells the rest. */
export function createRecorder(options?: RecorderOptions): Recorder;

/**
 * From now on, every instrumented module that is instantiated is recorded, whatever its program
 * imports into it; in a page that is cross-origin isolated also in the workers that it starts. A
 * function is asked for the recorder at the first module or worker. Returns what undoes it.
 */
export function hookWebAssembly(
  recorder: Recorder | (() => Recorder),
  options?: {
    onError?: (error: Error) => void;
    /** Gets every instance, recorded or not, with the module that it was made of. */
    onInstance?: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void;
  },
): () => void;

export interface ArtifactOptions {
  /** The id of a module that has none of its own. */
  id?: bigint;
  /** How many functions the module has, if that is known. */
  functions?: number;
  /** What has ended the program if it did not return: a trap, or another error. Of no use to what is fetched within a call of the program. */
  error?: unknown;
}

/**
 * What an instance has collected by itself, as the instrumentations of its module list it: to be called when the program has ended, or, for counts so far, at any time.
 * The files of several instances with the same format lie one behind the other. Of a module that has several instances, give all in one list: a stack
 * does not say whose calls it has, and each is to be counted once. Throws if it cannot be fetched.
 */
export function artifactsOf(
  instance: WebAssembly.Instance | WebAssembly.Instance[],
  module: WebAssembly.Module,
  options?: ArtifactOptions,
): {
  /** What `bytes` are, for their readers. */
  format: string;
  /** Of a file beside the record, with the dot; empty: it is a record itself. */
  extension: string;
  description: string;
  bytes: Uint8Array;
}[];

/**
 * In a program that runs by `node --import warpo/register`: what the instances of this thread have counted so far, as a file of counts for
 * `warpo-annotate --since=`. Empty before the first instance is there.
 */
export function countsSoFar(): Uint8Array;

/**
 * What of that is the order of first executions (`warpo-instrument --instrumentation=order --order-buffer`): a dump, which all readers
 * of records take, also several of them one behind the other. Undefined if the instance keeps nothing.
 */
export function orderDump(
  instance: WebAssembly.Instance,
  module: WebAssembly.Module,
  options?: ArtifactOptions,
): Uint8Array | undefined;
