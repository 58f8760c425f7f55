// SPDX-License-Identifier: Apache-2.0
// Assembles a record's blocks, one at a time, by encoder.wasm: a method for each rule of docs/record-format.md but
// events.

import { address, wide } from "./record-encoder.mjs";

export class Block {
  #encoder;
  #block;

  /**
   * Grows beyond `capacity` bytes but for what is added to stacks, samples, heap events and switches. `made`: the
   * `pointer` of a block in the encoder's memory, to go on with.
   */
  constructor(encoder, capacity = 256, made = encoder.calls.newBlock(capacity)) {
    this.#encoder = encoder;
    this.#block = encoder.made(made);
  }

  /** What the encoder calls it. */
  get pointer() {
    return this.#block;
  }

  /** Bytes so far; 0 where none has been begun. */
  get size() {
    return this.#encoder.calls.blockSize(this.#block);
  }

  /** A FinishedBlock; undefined if it were larger than a block may be. */
  finish() {
    const { calls } = this.#encoder;
    const size = calls.finishBlock(this.#block);
    return size === 0 ? undefined : this.#encoder.finished(calls.blockBytes(this.#block), size, this.#block);
  }

  /** A block of this kind as it is, put together of pieces of bytes. */
  pieces(kind, pieces) {
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    let at = address(this.#encoder.made(this.#encoder.calls.payload(this.#block, kind, size)));
    for (const piece of pieces) {
      this.#encoder.view(at, piece.length).set(piece);
      at += piece.length;
    }
    return this;
  }

  clock(number, { name, nanoseconds, counts, origin, wall }, cost) {
    const numbers = [number, nanoseconds, counts, origin, wall, cost].map(wide);
    this.#encoder.calls.clock(this.#block, ...numbers, ...this.#encoder.texts(name));
    return this;
  }

  steps(number, cost) {
    this.#encoder.calls.steps(this.#block, wide(number), wide(cost));
    return this;
  }

  module({ number, id, name, hash, build }, functions) {
    const texts = this.#encoder.texts(name, hash, build);
    this.#encoder.calls.module(this.#block, wide(number), wide(id), ...texts, functions);
    return this;
  }
  function(id, name) {
    this.#encoder.calls.function(this.#block, id, ...this.#encoder.texts(name));
  }

  /** `windows`: of further modules, `{ module, id, first, count }`. */
  stream(number, module, thread, name, windows = []) {
    const numbers = [number, module, thread].map(wide);
    this.#encoder.calls.stream(this.#block, ...numbers, ...this.#encoder.texts(name));
    if (windows.length > 0) this.#encoder.calls.windows(this.#block);
    for (const { module, id, first, count } of windows)
      this.#encoder.calls.window(this.#block, wide(module), id, first, count);
    return this;
  }

  /** `record` is a newRecord() of the encoder; false if it is too large. */
  index(record) {
    return this.#encoder.calls.index(this.#block, record) !== 0;
  }

  end(...numbers) {
    this.#encoder.calls.end(this.#block, ...numbers.map(wide));
    return this;
  }

  /** The stacks that are added have the numbers from `first` on. */
  stacks(first) {
    this.#encoder.calls.stacks(this.#block, wide(first));
  }
  stack(parent, module, id) {
    this.#encoder.calls.stack(this.#block, parent, module, id);
  }
  textStack(parent, text) {
    this.#encoder.calls.textStack(this.#block, parent, ...this.#encoder.texts(text));
  }

  /** The same for the places of their frames, in a block before theirs; of the original or the instrumented module. */
  offsets(first) {
    this.#encoder.calls.offsets(this.#block, wide(first));
  }
  offset(offset, isOriginal) {
    this.#encoder.calls.offset(this.#block, offset, isOriginal ? 1 : 0);
  }

  samples(stream, { kind, interval }, time, fuel) {
    const [base, before] = [time, fuel].map(wide);
    this.#encoder.calls.samples(this.#block, wide(stream), kind, wide(interval), base, before);
  }
  /** `time` and `fuel` since the sample before. */
  sample(time, fuel, stack) {
    this.#encoder.calls.sample(this.#block, wide(time), wide(fuel), stack);
  }

  /** Times are bigints, since `base`. */
  switches(base) {
    this.#encoder.calls.switches(this.#block, base);
  }
  switch(kind, stream, time, from, at, stack) {
    this.#encoder.calls.switch(this.#block, kind, wide(stream), time, wide(from), at, stack);
  }

  phases(phases) {
    this.#encoder.calls.phases(this.#block, phases.length);
    for (const { name, begin, end, unit, ticks } of phases) {
      const [nameAt, nameSize, unitAt, unitSize] = this.#encoder.texts(name, unit);
      const times = [begin, end].map(wide);
      this.#encoder.calls.phase(this.#block, nameAt, nameSize, ...times, unitAt, unitSize, wide(ticks));
    }
    return this;
  }
}
