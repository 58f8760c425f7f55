// SPDX-License-Identifier: Apache-2.0
// Reads the pieces that wasm modules are made of: bytes, numbers, names, lists.

// A byte order mark is a part of the name.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export class WasmReader {
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }
  get done() {
    return this.at >= this.end;
  }
  byte() {
    if (this.at >= this.end) throw new Error("a section ends too early");
    return this.bytes[this.at++];
  }
  /** Unsigned LEB128, exact up to 2^53. */
  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }
  /** Signed LEB128 of at most 32 bits. */
  signed() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return shift < 25 ? (value << (25 - shift)) >> (25 - shift) : value;
    }
  }
  u64() {
    const bytes = this.slice(8);
    return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  }
  name() {
    return utf8.decode(this.slice(this.number()));
  }
  list(item) {
    return Array.from({ length: this.number() }, () => item());
  }
  /** The next `size` bytes. */
  slice(size) {
    const begin = this.at;
    this.at += size;
    if (this.at > this.end) throw new Error("a section ends too early");
    return this.bytes.subarray(begin, this.at);
  }
  /** A reader of what lies in the next `size` bytes, which are skipped here. */
  part(size) {
    const begin = this.at;
    this.slice(size);
    return new WasmReader(this.bytes, begin, this.at);
  }
  limits() {
    const flags = this.byte();
    const initial = this.number();
    const limits = { initial, shared: (flags & 2) !== 0, is64: (flags & 4) !== 0 };
    if (flags & 1) limits.maximum = this.number();
    if (flags & 8) this.number(); // the size of a page
    return limits;
  }
  /** The first byte of a value type; that of a reference is read to its end. */
  typeByte() {
    const byte = this.byte();
    if (byte !== 0x63 && byte !== 0x64) return byte;
    const isExact = this.bytes[this.at] === 0x62;
    this.number();
    if (isExact) this.number();
    return byte;
  }
}

/** The sections of a module: `{ id, begin, end, contents }`, begin and end of the whole section. */
export function* sectionsOf(bytes) {
  const file = new WasmReader(bytes, 8);
  while (!file.done) {
    const begin = file.at;
    const id = file.byte();
    const contents = file.part(file.number());
    yield { id, begin, end: file.at, contents };
  }
}
