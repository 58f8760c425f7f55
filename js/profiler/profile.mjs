// SPDX-License-Identifier: Apache-2.0
// One profile: a record of its samples in memory, and what they come to.

import { MemorySink } from "../recorder/record/memory-sink.mjs";
import { NUMBERS, RecordEncoder } from "../recorder/record/record-encoder.mjs";
import { RecordWriter } from "../recorder/record/record-writer.mjs";
import { withoutMarks } from "../recorder/modules/function-ids.mjs";
import { SampleWriter } from "../recorder/samples/sample-writer.mjs";
import { wholeNanoseconds } from "../recorder/calls/streams.mjs";

export const UNITS = ["time", "fuel", "samples"];

/** A frame as readers of folded stacks take it: as lib/Output/text/FoldedFrame.cpp makes it. */
function foldedFrame(name) {
  // eslint-disable-next-line no-control-regex -- control characters are what is replaced
  const shown = name.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/g, " ");
  const text = shown.replace(/^ +| +$/g, "").replaceAll(";", ":") || "[unknown]";
  return text.replace(/^#/, "_#").replace(/ (?=\d[\d.]*$)/, " #");
}

/** A context: its own weights, and what it calls, by name. */
const newContext = () => ({ time: 0, fuel: 0n, samples: 0, callees: new Map() });

export class ProfileCollector {
  /** The number of the module in frames. */
  module;
  #id;
  #names;
  #clock;
  #sink = new MemorySink();
  #writer;
  #samples;
  #root = newContext();
  #last;
  #lastFuel = 0n;

  /** `description` as describeModule() gives it; `clock.now()` in milliseconds. */
  constructor(description, clock) {
    this.#clock = clock;
    this.#names = new Map(description.functions);
    const begin = this.#now();
    const wall = BigInt(wholeNanoseconds(clock.timeOrigin)) + BigInt(begin);
    const encoder = new RecordEncoder();
    const time = { name: "time", nanoseconds: 1, counts: 1, origin: begin, wall };
    this.#writer = new RecordWriter(this.#sink, time, encoder);
    this.#writer.begin();
    const { costs } = description;
    if (costs !== "1") this.#writer.fuelClock(NUMBERS.fuelClock, `fuel:${costs}`);
    this.#id = description.id ?? 1n;
    this.module = this.#writer.module({ ...description, id: this.#id });
    const stream = this.#writer.stream(this.module, 0, "samples");
    this.#samples = new SampleWriter(encoder, stream, begin, (block, count) =>
      this.#writer.samples(block, count),
    );
    this.#last = begin;
  }

  /** Names further functions: `[[id, name], ...]`. */
  declare(functions) {
    this.#writer.functions(this.module, this.#id, functions);
    for (const [id, name] of functions) this.#names.set(id, name);
  }

  #now() {
    return wholeNanoseconds(this.#clock.now());
  }

  /** As Sampler's `write`. */
  add(fuel, frames, due) {
    const time = this.#now();
    this.#samples.add(time, fuel, frames, due);
    let context = this.#root;
    for (const { id, text } of frames) {
      const name = foldedFrame(text ?? this.#names.get(withoutMarks(id)) ?? `function ${id}`);
      let callee = context.callees.get(name);
      if (callee === undefined) context.callees.set(name, (callee = newContext()));
      context = callee;
    }
    context.time += time - this.#last;
    context.fuel += fuel - this.#lastFuel;
    ++context.samples;
    this.#last = time;
    this.#lastFuel = fuel;
  }

  finish(unit) {
    this.#samples.flush();
    this.#writer.end();
    return new Profile(this.#root, this.#sink, unit);
  }
}

class Profile {
  #root;
  #sink;
  #unit;

  constructor(root, sink, unit) {
    this.#root = root;
    this.#sink = sink;
    this.#unit = unit;
  }

  write(format) {
    if (format === "folded") return this.#folded();
    if (format === "warpo") return this.#sink.bytes();
    throw new RangeError(
      `no profile can be written as '${format}' here, only as folded and warpo; warpo-flamegraph converts the latter to other formats`,
    );
  }

  /** Each stack once, siblings in the order of their names. */
  #folded() {
    const lines = [];
    // Not by recursion: stacks may be deeper than ours. What is without frames is left out.
    const waiting = [{ context: this.#root, stack: "" }];
    while (waiting.length > 0) {
      const { context, stack } = waiting.pop();
      const weight = context[this.#unit];
      if (stack !== "" && weight > 0) lines.push(`${stack} ${weight}\n`);
      const before = stack && `${stack};`;
      for (const name of [...context.callees.keys()].sort().reverse())
        waiting.push({ context: context.callees.get(name), stack: before + name });
    }
    return lines.join("");
  }
}
