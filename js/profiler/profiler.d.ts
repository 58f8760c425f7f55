// SPDX-License-Identifier: Apache-2.0
// Types of `warpo/profiler`.

import type { ModuleOptions, ModuleSource } from "../recorder/recorder.d.ts";

/** What a profile is weighed by: nanoseconds, executed instructions, or how often it was seen. */
export type WeightUnit = "time" | "fuel" | "samples";

export interface Profile {
  /** Collapsed stacks, by the weight that was chosen. */
  write(format: "folded"): string;
  /** A record, which warpo-flamegraph converts to any of its formats, by any weight. */
  write(format: "warpo"): Uint8Array;
}

export interface ProfilerOptions extends ModuleOptions {
  /** Whether stacks have the frames of a program that the module interprets; see RecorderOptions. */
  guestStack?: "auto" | "export" | "none";
}

/** Takes profiles of one instance, one after the other: each begins with nothing. */
export interface Profiler {
  /** Samples are due about so many times a second: 1000, if nothing is said. */
  frequency(hertz: number): Profiler;
  /** Samples are due each time so much fuel has been burnt: the same ones in each run. */
  everyFuel(fuel: number): Profiler;
  /** `time`, if nothing is said. */
  weightUnit(unit: WeightUnit): Profiler;
  /**
   * Calls the function, which runs the instance, and returns the profile of that. Throws, and calls
   * nothing, if a setting makes no sense or the instance is being profiled already. What the
   * function throws passes, and the profile is over; end() has it, until another begins.
   */
  profile(run: () => void): Profile;
  /** The two halves of profile(), for what waits in between. */
  begin(): void;
  end(): Profile;
  /** What was wrong with the guest's stack in all profiles of the instance, for people to read. */
  readonly guestStackProblems: readonly string[];
}

/** Of an instance that instantiateProfiled() made, or that was attached. */
export function profiler(instance: WebAssembly.Instance): Profiler;

/**
 * As WebAssembly.instantiate, of a module that was instrumented with `sample`; adds what that
 * imports from `builtin`. Throws a TypeError for others.
 */
export function instantiateProfiled(
  module: ModuleSource,
  imports?: WebAssembly.Imports,
  options?: ProfilerOptions,
): Promise<WebAssembly.Instance>;

/** The same for an instance that is made elsewhere, with these imports; one for each instance. */
export function profilerHooks(
  module: ModuleSource,
  options?: ProfilerOptions,
): {
  readonly imports: { builtin: Record<string, (...values: never[]) => unknown> };
  attach(instance: WebAssembly.Instance): WebAssembly.Instance;
};
