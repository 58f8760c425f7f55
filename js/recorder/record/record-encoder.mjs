// SPDX-License-Identifier: Apache-2.0
// The record format `warpo` as JavaScript has it: an instance of encoder.wasm, which is the encoder of the recorder in
// C, and the memory that it works in.
//
// 64-bit numbers are given to it as numbers (whole, exact up to 2^53) or bigints.

import { moduleOf } from "../engine/clocks.mjs";
import { Instance, Memory } from "../engine/own-engine.mjs";

/** Bytes of a page of memory. */
export const PAGE_SIZE = 1 << 16;
const PAGE_LIMIT = (1 << 16) - 1;
/** The size of the encoder itself at the start of a memory; js/CMakeLists.txt links it so. */
const ENCODER_PAGES = 1;

const utf8 = new TextEncoder();
const latin1 = new TextDecoder("latin1");

/** An address as wasm gives it: signed, and beyond 2 GiB less than 0. */
export const address = (value) => value >>> 0;

/** For a parameter of 64 bits. */
export const wide = (value) => BigInt(value);

const noMemory = () => new RangeError("no memory for the encoder of the record");

/** A finished block. It lies in the memory of its encoder until the next one takes its place. */
class FinishedBlock {
  #encoder;
  #at;

  /** `pointer`: what the encoder calls the block, 0 if it is none of newBlock(). */
  constructor(encoder, at, size, pointer) {
    this.#encoder = encoder;
    this.#at = at;
    this.size = size;
    this.pointer = pointer;
  }

  /** A view of the memory, invalid after any call that grows it. */
  get bytes() {
    return this.#encoder.view(this.#at, this.size);
  }
}

// One page less than possible, so that the end of a region is never 0 (2^32).
const newMemory = (shared) => new Memory({ initial: ENCODER_PAGES, maximum: PAGE_LIMIT, shared });

const isShared = ({ buffer }) => !(buffer instanceof ArrayBuffer);

export class RecordEncoder {
  #memory;
  #bytes;
  #grown;
  #pages; // shared by all threads that use the memory: see encoder/thread.c
  /** The exports of encoder/. */
  calls;

  /**
   * `grown()` is called whenever the memory has a new buffer. `memory`: that of another thread's encoder, to continue
   * in it; default: a new memory. `isShared`: whether other threads can see a new memory.
   */
  constructor(grown = () => {}, { isShared: isNewShared = false, memory } = {}) {
    // Growing by 0 pages refreshes `buffer` in case the other thread has grown the memory.
    memory?.grow(0);
    this.#memory = memory ?? newMemory(isNewShared);
    this.#grown = () => {
      this.#look();
      grown();
    };
    const imports = { env: { memory: this.#memory }, recorder: { grown: this.#grown } };
    const name = this.isShared ? "encoder-shared" : "encoder";
    this.calls = new Instance(moduleOf(name), imports).exports;
    this.#look();
  }

  #look() {
    const { buffer } = this.#memory;
    this.#bytes = new Uint8Array(buffer);
    this.#pages = new Uint32Array(buffer, this.calls.gate() + 4, 1);
    this.#pages[0] = this.#bytes.length / PAGE_SIZE;
  }

  get memory() {
    return this.#memory;
  }

  /** Whether other threads can see the memory. */
  get isShared() {
    return isShared(this.#memory);
  }

  /** Sees all of the memory, to which another thread may have added since. */
  refresh() {
    if (this.#pages[0] * PAGE_SIZE === this.#bytes.length) return;
    this.#memory.grow(0);
    this.#grown();
  }

  /** A new region of `size` bytes, whole pages. Throws a RangeError if there is no memory for it. */
  region(size) {
    const pages = this.#memory.grow(size / PAGE_SIZE);
    this.#grown();
    return pages * PAGE_SIZE;
  }

  /** The result of a call; throws a RangeError if there was no memory for it. */
  made(pointer) {
    if (pointer === 0) throw noMemory();
    return pointer;
  }

  /** The bytes of the memory from an address on. */
  view(at, size) {
    return this.#bytes.subarray(address(at), address(at) + size);
  }

  finished(at, size, pointer = 0) {
    return new FinishedBlock(this, at, size, pointer);
  }

  /** Texts as arguments of the next call: for each its address and size. Bytes are taken as they are. */
  texts(...texts) {
    const sizes = texts.map((text) => (typeof text === "string" ? 3 : 1) * text.length);
    const room = address(this.made(this.calls.textRoom(sizes.reduce((sum, size) => sum + size, 1))));
    let at = room;
    return texts.flatMap((text, i) => {
      const to = this.view(at, sizes[i]);
      const begin = at;
      // Browsers encode nothing into memory that others see.
      const bytes = typeof text === "string" && this.isShared ? utf8.encode(text) : text;
      if (typeof bytes === "string") at += utf8.encodeInto(bytes, to).written;
      else {
        to.set(bytes);
        at += bytes.length;
      }
      return [begin, at - begin];
    });
  }

  /** Bytes as an argument of the next call: their address. */
  bytes(bytes) {
    const at = address(this.made(this.calls.textRoom(bytes.length)));
    this.view(at, bytes.length).set(bytes);
    return at;
  }

  #string(at) {
    const begin = address(at);
    return latin1.decode(this.#bytes.slice(begin, this.#bytes.indexOf(0, begin)));
  }

  /** The numbers of the format and of its writers, by name. */
  numbers() {
    const numbers = {};
    const words = new Int32Array(this.#memory.buffer);
    for (let at = this.calls.numbers() / 4; words[at] !== 0; at += 2)
      numbers[this.#string(words[at])] = words[at + 1];
    return numbers;
  }
}

/** Of encoder/numbers.c, where they have their names. */
export const NUMBERS = Object.freeze(new RecordEncoder().numbers());

/** Why events are missing. */
export const CAUSE = {
  unknown: NUMBERS.causeUnknown,
  bufferFull: NUMBERS.causeBufferFull,
  limit: NUMBERS.causeLimit,
  writeFailed: NUMBERS.causeWriteFailed,
};
