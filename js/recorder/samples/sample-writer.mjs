// SPDX-License-Identifier: Apache-2.0
// Packs samples into blocks, as docs/record-format.md says; the stacks that they name are those of a StackTable.

import { Block } from "../record/block.mjs";
import { NUMBERS } from "../record/record-encoder.mjs";
import { StackTable } from "../record/stack-table.mjs";

// Where a block ends: before what may be the largest sample.
const LAST_SAMPLE = NUMBERS.samplesBlockSize - NUMBERS.maxSampleSize;

export class SampleWriter {
  #stream;
  #emit;
  #stacks;
  #samples;
  #waiting = 0;
  #lastTime;
  #lastFuel = 0n;

  /**
   * `emit(block, samples)` gets each FinishedBlock; `begin`: the time at which the stream begins. `stacks`: the
   * record's StackTable, if it is shared.
   */
  constructor(encoder, stream, begin, emit, stacks = new StackTable(encoder, (block) => emit(block, 0))) {
    this.#stacks = stacks;
    this.#samples = new Block(encoder, NUMBERS.samplesBlockSize);
    this.#stream = stream;
    this.#lastTime = begin;
    this.#emit = emit;
  }

  /** `time` in counts; `frames` and `due` as Sampler gives them. */
  add(time, fuel, frames, due) {
    const node = this.#stacks.nodeOf(frames);
    if (time < this.#lastTime) time = this.#lastTime;
    const samples = this.#samples;
    if (samples.size === 0) samples.samples(this.#stream, due, this.#lastTime, this.#lastFuel);
    samples.sample(time - this.#lastTime, fuel - this.#lastFuel, node);
    this.#lastTime = time;
    this.#lastFuel = fuel;
    ++this.#waiting;
    if (samples.size > LAST_SAMPLE) this.flush();
  }

  /** Bytes that wait to be emitted. */
  get size() {
    return this.#stacks.size + this.#samples.size;
  }

  /** Stacks come before the samples that name them. */
  flush() {
    this.#stacks.flush();
    if (this.#samples.size !== 0) this.#emit(this.#samples.finish(), this.#waiting);
    this.#waiting = 0;
  }
}
