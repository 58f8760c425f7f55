// SPDX-License-Identifier: Apache-2.0
// Reads a whole record of warpo's recorders, to add it to another one (adopted-record.mjs), by the grammar in
// docs/record-format.md. Numbers are bigints, except sizes and those of at most 32 bits.

import { KIND } from "./payload.mjs";
import { NUMBERS } from "./record-encoder.mjs";

const SYNC = 0x4b4c4257; // W B L K
const SIGNATURE = 0x52415789; // 89 W A R

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The fields of a payload, one behind the other. */
export class Fields {
  #bytes;
  #view;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get isAtEnd() {
    return this.#at === this.#bytes.length;
  }

  u() {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const [byte] = this.bytes(1);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new RangeError("a number has more than 64 bits");
  }

  u64() {
    const at = this.#at;
    this.bytes(8);
    return this.#view.getBigUint64(at, true);
  }

  bytes(size) {
    const begin = this.#at;
    if (size > this.#bytes.length - begin) throw new RangeError("a block ends within a field");
    this.#at += size;
    return this.#bytes.subarray(begin, this.#at);
  }

  /** The bytes of a text, which may be a hash. */
  sized() {
    return this.bytes(Number(this.u()));
  }
  text() {
    return utf8.decode(this.sized());
  }

  rest() {
    return this.bytes(this.#bytes.length - this.#at);
  }
}

const functionId = (code) => Number((code - 1n + BigInt(NUMBERS.firstId)) & 0x7fffffffn);

export class RecordReader {
  #source;
  /** `{ name, origin, wall, cost, step }` of the time, and what the clock of fuel is called. */
  clock;
  fuel;
  /** By number. */
  modules = new Map(); // { id, name, hash, build, functions: [[id, name]], places }
  streams = new Map(); // { module, thread, name, windows: [{ module, id, first, count }] }
  /**
   * Blocks of events, stacks, samples, switches, heap events and linked functions in order: `{ kind, offset, size }`, events with an
   * `entry`.
   */
  blocks = [];
  /** Whether the blocks of events have their entries. */
  hasIndex = false;
  events;
  lost;

  /** `source`: `{ size, read(offset, size) }`. Throws if that is no whole record. */
  constructor(source) {
    this.#source = source;
    for (let at = 0; at < source.size;) at += this.#take(at);
    if (this.events === undefined) throw new RangeError("it was not closed");
  }

  /** Its bytes. */
  get size() {
    return this.#source.size;
  }

  #bytes(offset, size) {
    const bytes = this.#source.read(offset, size);
    if (bytes.length !== size) throw new RangeError(`it ends at ${offset + bytes.length}, within a block`);
    return bytes;
  }

  /** Returns the size of what stands there. */
  #take(offset) {
    const start = this.#bytes(offset, NUMBERS.signatureSize);
    const word = new DataView(start.buffer, start.byteOffset).getUint32(0, true);
    if (word === SIGNATURE) return NUMBERS.signatureSize;
    const header = this.#bytes(offset, NUMBERS.blockHeaderSize);
    const [kind, flags] = header.subarray(4);
    const size = new DataView(header.buffer, header.byteOffset).getUint32(8, true);
    if (word !== SYNC || flags !== 0 || size > NUMBERS.maxPayload) throw new RangeError(`no block of this recorder begins at ${offset}`);
    const block = { kind, offset: offset + NUMBERS.blockHeaderSize, size };
    if ([KIND.events, KIND.offsets, KIND.stacks, KIND.samples, KIND.switches, KIND.heap, KIND.linked].includes(kind)) this.blocks.push(block);
    else this.#read(block);
    return NUMBERS.blockHeaderSize + size;
  }

  /** How many stacks it has. */
  countStacks() {
    return this.#count(KIND.stacks, (fields) => {
      fields.u();
      if (fields.u() === 0n) fields.sized();
      else fields.u();
    });
  }

  /** How many switches it has. */
  countSwitches() {
    return this.#count(KIND.switches, (fields) => {
      for (let field = 0; field < 6; ++field) fields.u();
    }, 8);
  }

  /** Items in all blocks of a kind. `pass(fields)` passes each; before the first is a number, or this many bytes. */
  #count(kind, pass, headSize) {
    let count = 0;
    for (const block of this.blocks.filter((each) => each.kind === kind)) {
      const fields = this.fieldsOf(block);
      if (headSize === undefined) fields.u();
      else fields.bytes(headSize);
      for (; !fields.isAtEnd; ++count) pass(fields);
    }
    return count;
  }

  fieldsOf({ offset, size }) {
    return new Fields(this.#bytes(offset, size));
  }

  #read(block) {
    const fields = this.fieldsOf(block);
    switch (block.kind) {
      case KIND.clock:
        return this.#clock(fields);
      case KIND.steps:
        return this.#steps(fields);
      case KIND.module:
        return this.#module(fields);
      case KIND.stream:
        return this.#stream(fields);
      case KIND.places:
        return this.#places(fields);
      case KIND.index:
        return this.#index(fields);
      case KIND.end:
        fields.u64();
        this.events = fields.u64();
        this.lost = fields.u64();
        return undefined;
      default:
        throw new RangeError(`it has a block of kind ${block.kind}`);
    }
  }

  #clock(fields) {
    const [number, , , origin, wall, cost] = Array.from({ length: 7 }, () => fields.u64());
    const name = fields.text();
    if (number === BigInt(NUMBERS.timeClock)) this.clock = { name, origin, wall, cost, step: 0n };
    else this.fuel = name;
  }

  #steps(fields) {
    const [number, cost] = [fields.u64(), fields.u64()];
    if (number !== BigInt(NUMBERS.timeClock)) return;
    if (this.clock === undefined) throw new RangeError(`it has steps of clock ${number}, which it does not declare`);
    this.clock.step = cost;
  }

  #module(fields) {
    const [number, id] = [fields.u(), fields.u()];
    const [name, hash, build] = [fields.text(), fields.sized().slice(), fields.sized().slice()];
    const module = this.modules.get(number) ?? { id, name, hash, build, functions: [] };
    this.modules.set(number, module);
    for (let count = fields.u(); count > 0n; --count) module.functions.push([Number(fields.u()), fields.text()]);
  }

  #places(fields) {
    const number = fields.u();
    const module = this.modules.get(number);
    if (module === undefined) throw new RangeError(`it has places of module ${number}, which it does not declare`);
    module.places = fields.rest().slice();
  }

  #stream(fields) {
    const [number, module, thread] = [fields.u(), fields.u(), fields.u()];
    const name = fields.text();
    const stream = this.streams.get(number) ?? { module, thread, name, windows: [] };
    this.streams.set(number, stream);
    if (!fields.isAtEnd) fields.u();
    while (!fields.isAtEnd) {
      const [module, id, first, count] = [fields.u(), functionId(fields.u()), functionId(fields.u()), Number(fields.u())];
      stream.windows.push({ module, id, first, count });
    }
  }

  #index(fields) {
    const blocks = this.blocks.filter(({ kind }) => kind === KIND.events);
    if (fields.u() !== BigInt(blocks.length)) throw new RangeError("its index is of other blocks");
    let first = 0n;
    for (const block of blocks) {
      fields.u(); // where the block is
      const stream = fields.u();
      first = BigInt.asUintN(64, first + fields.u());
      block.entry = { stream, first, last: BigInt.asUintN(64, first + fields.u()) };
    }
    this.hasIndex = true;
  }
}
