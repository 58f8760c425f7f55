// SPDX-License-Identifier: Apache-2.0
// Writes a record in the format `warpo`: declarations, blocks of events, and its end.
//
// The sink gets whole blocks, so that a record that is cut anywhere can be read up to there.

import { Block } from "./block.mjs";
import { KIND, Payload } from "./payload.mjs";
import { NUMBERS } from "./record-encoder.mjs";

// Maximum size in bytes of a second clock block and that of its steps, the index without its entries, and the end.
const MAX_END = 256;

/** Of counts, as records state costs. */
const parts = (counts) => Math.round(counts * 1024);

const utf8 = new TextEncoder();

export class RecordWriter {
  #sink;
  #clock;
  #encoder;
  #block;
  #stepsAt; // where the block of the clock's steps is, if the record has one
  #record; // address of the state in encoder/record.c: where the next block goes, the index
  #modules = 0;
  #streams = 0;
  #version = 1;

  /**
   * Nothing is written before begin(). `sink.write(bytes, offset)` writes a whole block at an offset of the record, and
   * does not keep `bytes`; if it throws, the record must be as before. `sink.rewrite(offset, bytes)`, if there is one,
   * replaces a block and returns whether it could. `clock`: `{ name, nanoseconds, counts, origin, wall, hasSteps }`, see
   * the grammar; `hasSteps`: a step of the clock has a cost. `encoder`: a RecordEncoder. `record`: a result of
   * newRecord() in its memory to continue with; default: a new one.
   */
  constructor(sink, clock, encoder, record) {
    this.#sink = sink;
    this.#clock = clock;
    this.#encoder = encoder;
    this.#block = new Block(encoder);
    const { calls } = encoder;
    this.#record = record ?? encoder.made(calls.newRecord());
    for (let at = calls.lastStream(); at !== 0; at = calls.streamBefore(at)) ++this.#streams;
  }

  /** Writes the start of the record, or the part of it that could not be written before. */
  begin() {
    const { signatureSize } = NUMBERS;
    if (this.size === 0) this.#write(this.#signature());
    const clock = this.#clockBlock(0);
    const end = signatureSize + clock.size;
    if (this.size === signatureSize) this.#write(clock);
    if (!this.#clock.hasSteps || this.size !== end) return;
    this.#write(this.#stepsBlock(0));
    this.#stepsAt = end;
  }

  #clockBlock(cost) {
    return this.#block.clock(NUMBERS.timeClock, this.#clock, cost).finish();
  }

  #stepsBlock(cost) {
    return this.#block.steps(NUMBERS.timeClock, cost).finish();
  }

  /** Declares the clock of fuel and its name; `number` 0 is the record's first clock. */
  fuelClock(number, name) {
    if (number === 0 && this.size === 0) this.#clock.name = name;
    if (number === 0) this.begin();
    if (number === 0 && this.#clock.name === name) return;
    const clock = { name, nanoseconds: 0, counts: 0, origin: 0, wall: 0 };
    this.#write(this.#block.clock(number, clock, 0).finish());
  }

  /**
   * Writes the cost of an event, in counts, and of a step of the clock: into the blocks at the start of the record if
   * the sink can rewrite them, else into further ones.
   */
  cost(counts, step = 0) {
    this.#replace(NUMBERS.signatureSize, this.#clockBlock(parts(counts)));
    if (this.#stepsAt !== undefined && step > 0) this.#replace(this.#stepsAt, this.#stepsBlock(parts(step)));
  }

  #replace(at, block) {
    if (!this.#sink.rewrite?.(at, block.bytes)) this.#write(block);
  }

  /** Bytes written so far. */
  get size() {
    return this.#encoder.calls.written(this.#record);
  }

  /** The maximum number of bytes still to be written, without further events and declarations. */
  get endSize() {
    const { calls } = this.#encoder;
    return MAX_END + (calls.indexed(this.#record) + this.#streams + 1) * NUMBERS.maxIndexEntrySize;
  }

  #write({ bytes, size, pointer }, events = 0) {
    this.#sink.write(bytes, this.size);
    this.#encoder.calls.advance(this.#record, pointer, size, events);
  }

  /** The number of lost events and samples so far. */
  get lost() {
    return this.#encoder.calls.lost(this.#record);
  }
  set lost(count) {
    this.#encoder.calls.setLost(this.#record, count);
  }

  /**
   * Declares a module: `{ id, name, hash, build, functions, places }`, `functions` a list of `[id, name]`, `places`
   * what its section `warpo.places` contains, if it has one. Returns its number.
   */
  module({ id, name, hash, build, functions, places }) {
    this.#describe({ number: this.#modules, id, name, hash, build, functions });
    if (places !== undefined && places.length <= NUMBERS.maxPlaces)
      this.adopt(KIND.places, new Payload().u(BigInt(this.#modules)).bytes(places).pieces);
    return this.#modules++;
  }

  /** Declares further functions of the module with this number and id, whose name has been said. */
  functions(number, id, functions) {
    this.#describe({ number, id, name: "", hash: [], build: [], functions });
  }

  #describe({ number, id, name, hash, build, functions }) {
    const names = functions.map(([id, name]) => ({ id, text: utf8.encode(name) }));
    let next = 0;
    do {
      const first = next;
      for (let size = 0; next < names.length && size < NUMBERS.namesBlockSize; ++next)
        size += names[next].text.length + NUMBERS.maxNumberSize;
      this.#block.module({ number, id, name, hash, build }, next - first);
      for (const { id, text } of names.slice(first, next)) this.#block.function(id, text);
      const block = this.#block.finish();
      if (block === undefined) throw new RangeError("a function's name is too long for a record");
      this.#write(block);
    } while (next < names.length);
  }

  /** Declares that imports of the module with this number, by the ids of their calls, are functions of other modules. */
  linked(number, ids) {
    const payload = new Payload().u(BigInt(number));
    for (const id of ids) payload.function(id);
    this.adopt(KIND.linked, payload.pieces);
  }

  /** Writes the host's phases: `{ name, begin, end, unit, ticks }` each, see the grammar. */
  phases(phases) {
    this.#write(this.#block.phases(phases).finish());
  }

  /** Declares a stream of the module with this number; returns the stream's. */
  stream(module, thread, name) {
    this.#write(this.#block.stream(this.#streams, module, thread, name).finish());
    return this.#streams++;
  }

  /**
   * Further modules have ids on this stream: `{ module, id, first, count }` each, see the grammar. From here on the
   * record has version 2.
   */
  joinStream(number, module, thread, windows) {
    this.#useVersion2();
    this.#write(this.#block.stream(number, module, thread, "", windows).finish());
  }

  /**
   * Records begin with version 1. When version 2 is needed, this rewrites the version, or writes it again here if the
   * sink cannot rewrite.
   */
  #useVersion2() {
    if (this.#version === 2) return;
    this.#version = 2;
    const signature = this.#signature();
    if (this.size === 0) return;
    if (!this.#sink.rewrite?.(0, signature.bytes)) this.#write(signature);
  }

  #signature() {
    const { calls } = this.#encoder;
    const signature = this.#version === 1 ? calls.signature() : calls.stackSignature();
    return this.#encoder.finished(signature, NUMBERS.signatureSize);
  }

  /** Writes the block that this EventEncoder has finished. */
  events(encoder, block) {
    this.#sink.write(block.bytes, this.size);
    this.#encoder.calls.publish(this.#record, encoder.pointer);
  }

  /** Writes a block of stacks, or of `count` samples. */
  samples(block, count) {
    this.#write(block, count);
  }

  /** See the constructor. */
  get clock() {
    return this.#clock;
  }

  /** The number of written events and samples. */
  get eventCount() {
    return this.#encoder.calls.writtenEvents(this.#record);
  }

  /**
   * Writes a block of this kind from another record, given as pieces of bytes. `entry`: the index entry of a block of
   * events, `{ stream, first, last }`; without it, the index is left out.
   */
  adopt(kind, pieces, entry) {
    const { calls } = this.#encoder;
    const block = this.#block.pieces(kind, pieces).finish();
    if (entry === undefined) {
      this.#write(block);
      return;
    }
    this.#sink.write(block.bytes, this.size);
    calls.adopt(this.#record, block.size, entry.stream, entry.first, entry.last);
  }

  /** Adds the number of events and samples in blocks of other records. */
  adoptEvents(count) {
    this.#encoder.calls.advance(this.#record, 0, 0, count);
  }
  leaveOutIndex() {
    this.#encoder.calls.leaveOutIndex(this.#record);
  }

  /** Removes everything written since the record had `size` bytes and `events` events. */
  takeBack(size, events) {
    this.#encoder.calls.takeBack(this.#record, size, events);
    this.#sink.cut?.(size);
  }

  /** Writes index and end. */
  end() {
    // If a record is too large for an index, only the index is missing.
    const index = this.#block.index(this.#record) ? this.#block.finish() : undefined;
    const place = index === undefined ? 0 : this.size;
    if (index !== undefined) this.#write(index);
    this.#write(this.#block.end(place, this.eventCount, this.lost).finish());
  }
}
