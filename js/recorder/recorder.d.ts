// SPDX-License-Identifier: Apache-2.0
// Types of `warpo/recorder`.

/** A module, or its bytes. With the bytes, the recorder also knows the names of the functions. */
export type ModuleSource = WebAssembly.Module | ArrayBufferView | ArrayBuffer;

export interface ModuleOptions {
  /** The module's name in the record. Default: the name in its name section. */
  name?: string;
  /** The name of a module that has none of its own. */
  fileName?: string;
  /** The text of a mapping file, for functions that the module does not name. */
  mapping?: string;
  /** The id of a module that has none. Default: modules are numbered. */
  id?: bigint;
  /**
   * Returns the instance once it exists. Sections read their names from its memory and their fuel
   * from its exports, and heaps need it where modules share a memory, which otherwise counts once for
   * each. `memory` is the memory that the module imports; default: an exported one.
   */
  instance?: () => { exports?: WebAssembly.Exports; memory?: WebAssembly.Memory } | undefined;
  /**
   * What the instance imports. A call of a function among them that another recorded instance exports
   * is then shown as one call. hookWebAssembly() sees it by itself.
   */
  imports?: WebAssembly.Imports;
}

export interface RecorderOptions extends ModuleOptions {
  /**
   * The record's file (Node). Without `file`, `fd` and `sink` the record stays in memory: see
   * blob().
   */
  file?: string;
  /**
   * A file descriptor to write to, from its current position; it is left open. If `file` is given
   * too, it is a descriptor of that file, which is truncated first and closed at the end (Node).
   */
  fd?: number;
  /** Takes the record piece by piece. An exception from it counts as a failed write. */
  sink?: (bytes: Uint8Array) => void;
  /** The first module to record; `Recorder.imports` belongs to it. */
  module?: ModuleSource;
  /**
   * `exact` (default): performance.now() at each event. `thread`: a worker keeps the time, exact to
   * about 1 us; it occupies a core and needs SharedArrayBuffer. `none`: the order of events only.
   * `fuel`: the fuel that modules count, and no time; modules without `trace,fuel` are refused, and
   * the same events give the same bytes, since streams name no thread.
   */
  clock?: "exact" | "thread" | "none" | "fuel";
  /** Sampling period in fuel, for modules instrumented for sampling. */
  sampleEvery?: number | bigint;
  /** Sample rate in samples per second (default 1000), if `sampleEvery` is not given. */
  frequency?: number;
  /**
   * Mean distance in bytes between heap samples, for modules whose heap is instrumented: only sampled
   * allocations are recorded, with their reallocations and frees. Default: every allocation is.
   */
  heapSampleEvery?: number;
  /** Seed of the heap samples (default 0): the same seed samples the same allocations. */
  heapSeed?: number;
  /**
   * Whether samples contain the frames of a program that the module interprets. `auto` (default):
   * from the first instance that exports them. `export`: the same, but one is required. `none`: no.
   */
  guestStack?: "auto" | "export" | "none";
  /**
   * `block` (default): the program waits while a full buffer is written. `ring`: only the last
   * events are kept, and written by flush() and close(); modules that are sampled are refused.
   */
  policy?: "block" | "ring";
  /**
   * Whether a thread of the recorder packs and writes events (default true). It needs Node and a
   * `file` or `fd`, or a cross-origin isolated page and a record in memory; it is not used with
   * clock `fuel`, a ring, a limit or a `sink`. Otherwise, until that thread runs, and once calls
   * wait for promises, the traced thread packs and writes.
   */
  drain?: boolean;
  /**
   * Size of the event buffer: 8 bytes an event, and 8 more for each of time and fuel. With the clocks `none` and
   * `thread`, without fuel: 4 bytes, and with `thread` 12 more for each different time. Default: 8 MiB
   * if a thread of the recorder packs, else 512 KiB, or 256 KiB with clock `fuel`.
   */
  bufferBytes?: number;
  /** Maximum number of events and samples; later ones are only counted. */
  maxItems?: number;
  /** Whether recording is on from the beginning (default true); see Recorder.enabled. */
  enabled?: boolean;
  /** Maximum size of the record; declarations and the record's end may exceed it. */
  maxBytes?: number;
}

export interface RecorderCounts {
  written: number;
  /** Events lost because the buffer was full; in a ring, events overwritten by later ones. */
  lostToBuffer: number;
  lostToLimit: number;
  lostToFailure: number;
  /** Events with an invalid id: 0 or -2^31. */
  meaningless: number;
}

export interface SectionFaults {
  endsWithoutBegin: number;
  neverEnded: number;
  /** Names that are invalid UTF-8, too long or outside of memory, and names after the first 65 000. */
  notUtf8: number;
  tooLong: number;
  outOfBounds: number;
  tooMany: number;
}

/** The functions that the module imports, a subset of these. */
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

/** A phase of the host's work for the program, such as compiling. */
export interface Phase {
  name: string;
  /** In the time of performance.now(), milliseconds. */
  begin: number;
  end: number;
  /** The unit of `ticks`, in the plural; without it, the amount is unknown. */
  unit?: string;
  ticks?: number | bigint;
}

export interface Recorder {
  /** Imports to merge into those of one instance of `module`; empty without `module`. */
  readonly imports: TracePointImports | Record<string, never>;
  /**
   * Imports for one more instance; each instance needs a call of its own. Throws a TypeError if the
   * module is not instrumented.
   */
  importsFor(module: ModuleSource, options?: ModuleOptions): TracePointImports;
  /** Resolves once the clock runs: at once, except with clock `thread`. */
  readonly ready: Promise<void>;
  /**
   * To be called when an instance is complete. If it exports a guest stack, samples ask it for its
   * frames; its memory grows by a page for that. `name` is for messages. An instance instrumented
   * with `--switchable` follows `enabled` from then on, and one with a sampled heap skips events that
   * need not be recorded.
   */
  attach(instance: WebAssembly.Instance, name?: string): void;
  /** Whether a guest is being asked for its stack; functions called meanwhile must not end the program. */
  readonly isCallingGuest: boolean;
  /** Human-readable problems with the guest's stack. */
  readonly guestStackProblems: readonly string[];
  /** Human-readable list of what the record lacks or leaves open. Exact after close(). */
  readonly problems: readonly string[];
  /** Adds the host's phases to the record, in this order: see `warpo-report --phases`. */
  addPhases(phases: Phase[]): void;
  /**
   * Ends the sections that modules without trace points have left open. Call it when the program has
   * returned to its host.
   */
  closeSections(): void;
  /** How often each fault of sections occurred. Exact after close(). */
  readonly sectionFaults: SectionFaults;
  /**
   * Whether recording is on in this thread. It may be switched while the program runs, also from
   * functions that it calls. Calls that begin and end while it is off are not recorded; the record has
   * a section `(recording off)` instead, which lasts until recording is switched on or close(). Calls
   * that only begin or only end meanwhile are recorded, so that the stack is right afterwards.
   */
  enabled: boolean;
  /** Writes the buffered events. */
  flush(): void;
  /**
   * Writes the buffered events and the record's end. Trace points called later record nothing.
   */
  close(): void;
  /**
   * The open calls, innermost first: after a trap, where it happened. Calls of tasks that wait for a
   * promise are left out, and those that a module with `--instrumentation=heap` has not reported yet,
   * unless it reports traps.
   */
  openCalls(): { module: bigint; id: number }[];
  /** The record as written so far; undefined unless it stays in memory. */
  blob(): Blob | undefined;
  /** Exact after close(). */
  readonly counts: RecorderCounts;
  /** The first failure to open or write the record. The program runs on without one. */
  readonly error: string | undefined;
}

/** Opens a record. Throws if options are wrong or cannot be met; other failures are in `error`. */
export function createRecorder(options?: RecorderOptions): Recorder;

/**
 * Records every instrumented module that is instantiated from now on, whatever imports it gets; in a
 * cross-origin isolated page also in the workers that the page starts. If `recorder` is a function,
 * it is called at the first module or worker. Returns a function that removes the hook.
 */
export function hookWebAssembly(
  recorder: Recorder | (() => Recorder),
  options?: {
    onError?: (error: Error) => void;
    /** Called for every instance, recorded or not, with its module. */
    onInstance?: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void;
  },
): () => void;

export interface ArtifactOptions {
  /** The id of a module that has none of its own. */
  id?: bigint;
  /** How many functions the module has, if that is known. */
  functions?: number;
  /**
   * The trap or other error that ended the program, if it did not return. Has no effect on artifacts
   * fetched within a call of the program.
   */
  error?: unknown;
}

/**
 * The artifacts that an instance has collected itself, as its module's instrumentations list them. Call it when the
 * program has ended, or at any time for the counts so far. Artifacts of several instances with the same format are
 * concatenated. Pass all instances of a module in one list: a stack does not show which instance its calls belong to,
 * and each call is to be counted once. Throws if an artifact cannot be fetched.
 */
export function artifactsOf(
  instance: WebAssembly.Instance | WebAssembly.Instance[],
  module: WebAssembly.Module,
  options?: ArtifactOptions,
): {
  /** The format of `bytes`. */
  format: string;
  /** File extension with the dot, for a file beside the record; empty if it is a record itself. */
  extension: string;
  description: string;
  bytes: Uint8Array;
}[];

/**
 * The counts of this thread's instances so far, as a counts file for `warpo-annotate --since=`. For programs run by
 * `node --import warpo/register`. Empty before the first instance exists.
 */
export function countsSoFar(): Uint8Array;

/**
 * The order of first executions (`warpo-instrument --instrumentation=order --order-buffer`), as a dump that all readers
 * of records accept; dumps may be concatenated. Undefined if the instance keeps none.
 */
export function orderDump(
  instance: WebAssembly.Instance,
  module: WebAssembly.Module,
  options?: ArtifactOptions,
): Uint8Array | undefined;
