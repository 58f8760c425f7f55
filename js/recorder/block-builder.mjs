// Puts one block of the record format `warpo` together, field by field (docs/record-format.md).

import { crc32c } from "./crc32c.mjs";

export const BLOCK = { clock: 1, module: 2, stream: 3, events: 4, index: 5, end: 6, stacks: 7, samples: 8, phases: 9 };
export const HEADER_SIZE = 16;
export const MAX_PAYLOAD = 1 << 24;

const utf8 = new TextEncoder();

/**
 * Writes the header of the block that ends at `end`; its payload stands behind the header's room.
 */
export function frameBlock(bytes, kind, end) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_SIZE);
  bytes.set([0x57, 0x42, 0x4c, 0x4b, kind, 0, 0, 0]); // WBLK
  view.setUint32(8, end - HEADER_SIZE, true);
  view.setUint32(12, crc32c(bytes, HEADER_SIZE, end, crc32c(bytes, 4, 12)), true);
}

/** Writes a number (an integer, exact up to 2^53) in LEB128; returns what lies behind it. */
export function putNumber(bytes, at, value) {
  while (value >= 0x80000000) {
    bytes[at++] = (value % 128) | 0x80;
    value = Math.floor(value / 128);
  }
  while (value >= 0x80) {
    bytes[at++] = value | 0x80;
    value >>>= 7;
  }
  bytes[at++] = value;
  return at;
}

export class BlockBuilder {
  #bytes = new Uint8Array(256);
  #size = HEADER_SIZE;

  get size() {
    return this.#size;
  }

  #room(size) {
    if (this.#size + size > this.#bytes.length) {
      const larger = new Uint8Array(2 * (this.#size + size));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return this.#size;
  }

  /** A number in LEB128: a BigInt of 64 bits, or a number up to 2^53. */
  u(value) {
    let at = this.#room(10);
    if (typeof value === "bigint") {
      for (value = BigInt.asUintN(64, value); value >= 0x80n; value >>= 7n)
        this.#bytes[at++] = Number(value & 0x7fn) | 0x80;
      value = Number(value);
    }
    this.#size = putNumber(this.#bytes, at, value);
    return this;
  }

  u64(value) {
    const at = this.#room(8);
    new DataView(this.#bytes.buffer).setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true);
    this.#size += 8;
    return this;
  }

  bytes(data) {
    this.u(data.length);
    const at = this.#room(data.length); // may put another array in place
    this.#bytes.set(data, at);
    this.#size += data.length;
    return this;
  }

  text(text) {
    return this.bytes(utf8.encode(text));
  }

  /** The whole block; nothing may be added after it. */
  finish(kind) {
    frameBlock(this.#bytes, kind, this.#size);
    return this.#bytes.subarray(0, this.#size);
  }
}
