// Packs samples and the stacks that they name into blocks, as docs/record-format.md says. A stack is
// a node: its innermost frame and, as its parent, the stack around that; 0 is the one without frames.

import { BLOCK, BlockBuilder } from "./block-builder.mjs";
import { codeOf } from "./event-encoder.mjs";

const BLOCK_SIZE = 1 << 14;
const MOST_TEXT = 1024;

export class SampleWriter {
  #stream;
  #emit;
  #nodes = new Map();
  #stacks; // the block of new nodes; undefined: all have been written
  #samples;
  #waiting = 0;
  #lastTime;
  #lastFuel = 0n;

  /** `emit(block, samples)` gets each finished block; `begin` is the time at which the stream begins. */
  constructor(stream, begin, emit) {
    this.#stream = stream;
    this.#lastTime = begin;
    this.#emit = emit;
  }

  /** `time` in counts; `frames` and `due` as Sampler gives them. */
  add(time, fuel, frames, { kind, interval }) {
    let node = 0;
    for (const frame of frames) node = this.#child(node, frame);
    if (time < this.#lastTime) time = this.#lastTime;
    this.#samples ??= new BlockBuilder()
      .u(this.#stream)
      .u(kind)
      .u(interval)
      .u64(this.#lastTime)
      .u64(this.#lastFuel);
    this.#samples.u(time - this.#lastTime).u(fuel - this.#lastFuel).u(node);
    this.#lastTime = time;
    this.#lastFuel = fuel;
    ++this.#waiting;
    if (this.#samples.size > BLOCK_SIZE) this.flush();
  }

  /** Stacks come before the samples that name them. */
  flush() {
    this.#flushStacks();
    if (this.#samples !== undefined) this.#emit(this.#samples.finish(BLOCK.samples), this.#waiting);
    this.#samples = undefined;
    this.#waiting = 0;
  }

  #flushStacks() {
    if (this.#stacks !== undefined) this.#emit(this.#stacks.finish(BLOCK.stacks), 0);
    this.#stacks = undefined;
  }

  #child(parent, { module, id, text }) {
    const key = text === undefined ? `${parent} ${module} ${id}` : `${parent} ${text}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const number = this.#nodes.size + 1;
    this.#nodes.set(key, number);
    this.#stacks ??= new BlockBuilder().u(number);
    this.#stacks.u(parent);
    if (text === undefined) this.#stacks.u(module + 1).u(codeOf(id));
    else this.#stacks.u(0).text(text.slice(0, MOST_TEXT));
    if (this.#stacks.size > BLOCK_SIZE) this.#flushStacks();
    return number;
  }
}
