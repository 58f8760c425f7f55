// SPDX-License-Identifier: Apache-2.0
// The stacks of a record, for samples and for switches between stacks, each once. A stack is a node: its innermost
// frame, and the rest of the stack as its parent. Node 0 is the stack without frames.

import { Block } from "./block.mjs";
import { NUMBERS } from "./record-encoder.mjs";

// A block ends at this size, so that the largest possible node still fits.
const LAST_OFFSET = NUMBERS.stacksBlockSize - NUMBERS.maxOffsetSize;
const LAST_NODE = NUMBERS.stacksBlockSize - NUMBERS.maxStackSize;
const MOST_STACKS = NUMBERS.maxStacks;
// Limits: bytes of a text, and frames of a stack, whose innermost ones are cut.
const MOST_TEXT = NUMBERS.maxFrameText;
const MOST_FRAMES = NUMBERS.maxFrames;
const DEEPER = { text: "(deeper)" };

const utf8 = new TextEncoder();
const room = new Uint8Array(MOST_TEXT);

/** At most MOST_TEXT bytes of UTF-8, cut between characters. */
function cut(text) {
  const isShort = text.length <= MOST_TEXT / 3;
  return isShort ? text : text.slice(0, utf8.encodeInto(text, room).read);
}

/** Emits the nodes that an ended thread has left in the memory of its encoder. */
export function emitLeftStacks(encoder, emit) {
  for (const number of [0, 1]) {
    const pointer = encoder.calls.stackBlock(number);
    if (pointer === 0) continue;
    encoder.calls.resumeBlock(pointer);
    const block = new Block(encoder, undefined, pointer);
    if (block.size !== 0) emit(block.finish());
  }
}

export class StackTable {
  #encoder;
  #emit;
  #nodes = new Map();
  #path = []; // the frames of the last stack, with their nodes: most of the next one's are the same
  #stacks; // the block of new nodes
  #offsets; // of those, up to #lastOffset
  #lastOffset;

  /** `emit(block)` is called with each FinishedBlock. */
  constructor(encoder, emit) {
    this.#encoder = encoder;
    this.#stacks = new Block(encoder, NUMBERS.stacksBlockSize);
    this.#offsets = new Block(encoder, NUMBERS.stacksBlockSize);
    this.#emit = emit;
  }

  /** The number of bytes that are not emitted yet. */
  get size() {
    return this.#offsets.size + this.#stacks.size;
  }

  /** Emits new nodes; to be called before entries that refer to them are written. */
  flush() {
    if (this.#offsets.size !== 0) this.#emit(this.#offsets.finish());
    if (this.#stacks.size !== 0) this.#emit(this.#stacks.finish());
  }

  /** The node of a stack of frames, outermost first; without the innermost frames if there are too many nodes. */
  nodeOf(frames) {
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
      // Frames below another frame at this depth have other nodes.
      path.length = depth;
      path.push({ module, id, text, offset, node });
    }
    path.length = depth;
    return node;
  }

  /** The node of a frame within the node `parent`; `parent` itself if there are too many nodes. */
  childOf(parent, frame) {
    return this.#child(parent, frame) || parent;
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
    if (this.#isFull(number)) this.flush();
    if (this.#stacks.size === 0) this.#stacks.stacks(number);
    if (text === undefined) this.#stacks.stack(parent, module, id);
    else this.#stacks.textStack(parent, text);
    if (text === undefined && offset !== 0) this.#putOffset(number, offset, isOriginal);
    this.#encoder.calls.keepStacks(this.#offsets.pointer, this.#stacks.pointer);
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
