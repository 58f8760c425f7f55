// Packs samples and the stacks that they name into blocks, as docs/record-format.md says. A stack is
// a node: its innermost frame and, as its parent, the stack around that; 0 is the one without frames.

import { BLOCK, BlockBuilder } from "./block-builder.mjs";
import { codeOf } from "./event-encoder.mjs";

const BLOCK_SIZE = 1 << 14;
// As in C: stacks of a record, bytes of a text, and frames of a sample, of which the innermost are
// cut.
const MOST_STACKS = 1 << 20;
const MOST_TEXT = 1024;
const MOST_FRAMES = 1 << 16;
const DEEPER = { text: "(deeper)" };

const utf8 = new TextEncoder();
const room = new Uint8Array(MOST_TEXT);

/** At most so many bytes of UTF-8, without half a character. */
function cut(text) {
  const isShort = text.length <= MOST_TEXT / 3;
  return isShort ? text : text.slice(0, utf8.encodeInto(text, room).read);
}

export class SampleWriter {
  #stream;
  #emit;
  #nodes = new Map();
  #path = []; // the frames of the last sample, with their nodes: most of the next one's are the same
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
    const node = this.#stack(frames);
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

  /** Bytes that wait to be emitted. */
  get size() {
    return (this.#stacks?.size ?? 0) + (this.#samples?.size ?? 0);
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

  /** The node of a stack; if there are too many, that of the frames around which there is one. */
  #stack(frames) {
    const path = this.#path;
    let node = 0;
    let depth = 0;
    for (; depth < frames.length && depth <= MOST_FRAMES; ++depth) {
      const frame = depth === MOST_FRAMES ? DEEPER : frames[depth];
      const { module, id, text } = frame;
      const last = path[depth];
      if (last?.module === module && last?.id === id && last?.text === text) {
        node = last.node;
        continue;
      }
      const child = this.#child(node, frame);
      if (child === 0) break;
      node = child;
      // What was below the frame that stood here has other nodes.
      path.length = depth;
      path.push({ module, id, text, node });
    }
    path.length = depth;
    return node;
  }

  /** 0 if there is no more room for stacks. */
  #child(parent, { module, id, text: whole }) {
    const text = whole === undefined ? undefined : cut(whole);
    const key = text === undefined ? `${parent} ${module} ${id}` : `${parent}:${text}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    if (this.#nodes.size === MOST_STACKS) return 0;
    const number = this.#nodes.size + 1;
    this.#nodes.set(key, number);
    this.#stacks ??= new BlockBuilder().u(number);
    this.#stacks.u(parent);
    if (text === undefined) this.#stacks.u(module + 1).u(codeOf(id));
    else this.#stacks.u(0).text(text);
    if (this.#stacks.size > BLOCK_SIZE) this.#flushStacks();
    return number;
  }
}
