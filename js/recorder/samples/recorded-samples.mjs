// SPDX-License-Identifier: Apache-2.0
// A record's samples: requested by instrumented modules, or taken by the engine of unmodified ones. One stream has all.

import { GuestStack } from "./guest-stack.mjs";
import { OpenCalls } from "../calls/open-calls.mjs";
import { SampleWriter } from "./sample-writer.mjs";
import { DUE, Sampler } from "./sampler.mjs";
import { wholeNanoseconds } from "../calls/streams.mjs";

// What the next sample takes, unless its stack is long and new: where a record is nearly full the
// ones before it are written first.
const SAMPLE_ROOM = 256;

/** Advice about functions without names; `modules`: `[name, count]` of each module that has some. */
function namelessProblem(modules) {
  const count = modules.reduce((sum, [, ofModule]) => sum + ofModule, 0);
  const functions = count === 1 ? "1 sampled function has" : `${count} sampled functions have`;
  const [[name]] = modules;
  const what =
    modules.length === 1
      ? `${name || "a module without a name"}: ${functions} no name in the module`
      : `${functions} no name in their ${modules.length} modules`;
  return (
    `${what}: compile with names (asc --debug; clang -g, linking without -O; wasm-opt -g), ` +
    "or give those that were stripped (--symbols)"
  );
}

/** As the functions of modules that the record does not know are declared; returns the modules' numbers. */
function declareCalled(owner, modules, stacks) {
  const called = new Map(modules.map((module) => [module, new Set()]));
  for (const frames of stacks)
    for (const { module, id } of frames) called.get(module)?.add(id);
  const unknown = new Uint8Array();
  const numbers = new Map();
  const nameless = [];
  for (const [module, ids] of called) {
    const { id, name, hash } = module;
    const count = [...ids].filter((id) => !module.hasNameOf(id)).length;
    if (count > 0) nameless.push([name, count]);
    const functions = [...ids].map((id) => [id, module.nameOf(id)]);
    numbers.set(module, owner.modules.declare({ id, name, hash, build: unknown, functions }).number);
  }
  if (nameless.length > 0) owner.problems.push(namelessProblem(nameless));
  return numbers;
}

export class RecordedSamples {
  #owner;
  #writer; // undefined before the first module that is sampled
  #count = 0; // the time if the clock is not a time
  guest;
  sampler;

  /**
   * `owner`: the recorder (recorder.mjs); options: see RecorderOptions. `quietly(action)` runs an action that is not
   * the program's.
   */
  constructor(owner, { sampleEvery: every, frequency, guestStack = "auto" }, quietly) {
    this.#owner = owner;
    this.guest = new GuestStack(guestStack, quietly);
    this.sampler = new Sampler({ every, frequency }, (...sample) => this.#take(...sample), this.guest, () => owner.within(() => new OpenCalls(owner.memory)));
  }

  /** Whether there is a module that is sampled. */
  get areTaken() {
    return this.#writer !== undefined;
  }

  /** The functions of `builtin` with these names for an instance of a module. */
  builtinOf({ number, ids, hasPlaces }, names) {
    this.#open(number, this.#owner.clock.isTime ? this.#owner.now() : 0);
    return this.sampler.builtinOf(number, names.includes("enterFrame"), ids, { hasPlaces });
  }

  /** The stream is that of the first module; it begins at this time. */
  #open(module, begin) {
    this.#writer ??= this.#owner.openSamples(
      module,
      "samples",
      ({ encoder }, stream, emit, stacks) => new SampleWriter(encoder, stream, begin, emit, stacks),
    );
  }

  /**
   * Samples that the engine took of the modules as they are, in milliseconds of performance.now():
   * `begin`, and of each sample `time` and `frames`, outermost first, `{ text }` or `{ module, id }`
   * with one of `modules` (`{ id, name, hash, nameOf(id), hasNameOf(id) }`). The record names the functions that occur.
   */
  addOfEngine(modules, { begin, frequency, samples }) {
    const stacks = new Set(samples.map(({ frames }) => frames)); // which samples share
    const numbers = declareCalled(this.#owner, modules, stacks);
    this.#open(0, wholeNanoseconds(begin));
    const due = { kind: DUE.time, interval: Math.floor(1e9 / frequency) };
    const frameOf = ({ module, id, text }) => (text ? { text } : { module: numbers.get(module), id });
    const written = new Map([...stacks].map((frames) => [frames, frames.map(frameOf)]));
    for (const { time, frames } of samples) this.#keep(wholeNanoseconds(time), 0n, written.get(frames), due);
  }

  #take(fuel, frames, due) {
    const { isTime, isFuel } = this.#owner.clock;
    const time = isFuel ? Number(fuel) : isTime ? this.#owner.now() : ++this.#count;
    this.#keep(time, fuel, frames, due);
  }

  #keep(time, fuel, frames, due) {
    this.#owner.keepSample(() => {
      this.#writer.add(time, fuel, frames, due);
      if (!this.#owner.hasRoomFor(this.#writer.size + SAMPLE_ROOM)) this.#writer.flush();
    });
  }

  flush() {
    if (this.areTaken) this.#owner.whileWriting(() => this.#writer.flush());
  }
}
