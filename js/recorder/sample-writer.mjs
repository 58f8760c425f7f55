// SPDX-License-Identifier: Apache-2.0
// Packs samples and the stacks that they name into blocks, as docs/record-format.md says. A stack is
// a node: its innermost frame and, as its parent, the stack around that; 0 is the one without frames.

import { Block } from "./block.mjs";
import { NUMBERS } from "./record-encoder.mjs";

// Where a block ends: before what may be the largest sample or node.
const LAST_SAMPLE = NUMBERS.samplesBlockSize - NUMBERS.maxSampleSize;
const LAST_OFFSET = NUMBERS.stacksBlockSize - NUMBERS.maxOffsetSize;
const LAST_NODE = NUMBERS.stacksBlockSize - NUMBERS.maxStackSize;
const MOST_STACKS = NUMBERS.maxStacks;
// Bytes of a text, and frames of a sample; of a deeper stack the innermost are cut.
const MOST_TEXT = NUMBERS.maxFrameText;
const MOST_FRAMES = NUMBERS.maxFrames;
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
  #stacks; // the block of new nodes
  #offsets; // of those, up to #lastOffset
  #lastOffset;
  #samples;
  #waiting = 0;
  #lastTime;
  #lastFuel = 0n;

  /** `emit(block, samples)` gets each FinishedBlock; `begin` is the time at which the stream begins. */
  constructor(encoder, stream, begin, emit) {
    this.#stacks = new Block(encoder, NUMBERS.stacksBlockSize);
    this.#offsets = new Block(encoder, NUMBERS.stacksBlockSize);
    this.#samples = new Block(encoder, NUMBERS.samplesBlockSize);
    this.#stream = stream;
    this.#lastTime = begin;
    this.#emit = emit;
  }

  /** `time` in counts; `frames` and `due` as Sampler gives them. */
  add(time, fuel, frames, due) {
    const node = this.#stack(frames);
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
    return this.#offsets.size + this.#stacks.size + this.#samples.size;
  }

  /** Stacks come before the samples that name them. */
  flush() {
    this.#flushStacks();
    if (this.#samples.size !== 0) this.#emit(this.#samples.finish(), this.#waiting);
    this.#waiting = 0;
  }

  #flushStacks() {
    if (this.#offsets.size !== 0) this.#emit(this.#offsets.finish(), 0);
    if (this.#stacks.size !== 0) this.#emit(this.#stacks.finish(), 0);
  }

  /** The node of a stack; if there are too many, that of the frames around which there is one. */
  #stack(frames) {
    const path = this.#path;
    let node = 0;
    let depth = 0;
    for (; depth < frames.length && depth <= MOST_FRAMES; ++depth) {
      const frame = depth === MOST_FRAMES ? DEEPER : frames[depth];
      const { module, id, text, offset } = frame;
      const last = path[depth];
      if (last?.module === module && last?.id === id && last?.offset === offset && last?.text === text) {
        node = last.node;
        continue;
      }
      const child = this.#child(node, frame);
      if (child === 0) break;
      node = child;
      // What was below the frame that stood here has other nodes.
      path.length = depth;
      path.push({ module, id, text, offset, node });
    }
    path.length = depth;
    return node;
  }

  /** 0 if there is no more room for stacks. */
  #child(parent, { module, id, text: whole, offset = 0, isOriginal = false }) {
    const text = whole === undefined ? undefined : cut(whole);
    const key = text === undefined ? `${parent} ${module} ${id} ${offset} ${isOriginal}` : `${parent}:${text}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    if (this.#nodes.size === MOST_STACKS) return 0;
    const number = this.#nodes.size + 1;
    this.#nodes.set(key, number);
    if (this.#isFull(number)) this.#flushStacks();
    if (this.#stacks.size === 0) this.#stacks.stacks(number);
    if (text === undefined) this.#stacks.stack(parent, module, id);
    else this.#stacks.textStack(parent, text);
    if (text === undefined && offset !== 0) this.#putOffset(number, offset, isOriginal);
    return number;
  }

  #isFull(number) {
    const { size } = this.#offsets;
    return this.#stacks.size > LAST_NODE || (size !== 0 && size + number - this.#lastOffset > LAST_OFFSET);
  }

  /** Of those since the last one nothing is known. */
  #putOffset(number, offset, isOriginal) {
    if (this.#offsets.size === 0) this.#offsets.offsets(number);
    else while (++this.#lastOffset < number) this.#offsets.offset(0, false);
    this.#lastOffset = number;
    this.#offsets.offset(offset, isOriginal);
  }
}
