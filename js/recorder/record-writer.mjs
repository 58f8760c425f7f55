// Writes a record in the format `warpo`: declarations, blocks of events, and its end.
//
// Whole blocks go to the sink, so that a record that ends anywhere can be read up to there.

import { BLOCK, BlockBuilder, MAX_PAYLOAD } from "./block-builder.mjs";

const SIGNATURE = Uint8Array.of(0x89, 0x57, 0x41, 0x52, 0x50, 0x4f, 1, 0); // WARPO, version 1
// So that a module's functions fit into blocks, whatever their names.
const FUNCTIONS_A_BLOCK = 1024;
const MAX_NAME = 4096;
// The clock once more, the index but for its entries, and the end.
const MAX_END = 256;
const MAX_INDEX_ENTRY = 40;

export class RecordWriter {
  #sink;
  #clock;
  #offset = 0;
  #index = [];
  #events = 0;
  #modules = 0;
  #streams = 0;

  /**
   * `sink.write(bytes)` takes a whole block, whose bytes are the caller's again when it returns; or
   * it throws and leaves the record as it was before. `sink.rewrite(offset, bytes)`, if there is one,
   * replaces a block and returns whether it could. `clock`: `{ name, nanoseconds, counts, origin,
   * wall }`, see the grammar.
   */
  constructor(sink, clock) {
    this.#sink = sink;
    this.#clock = clock;
    this.#write(SIGNATURE);
    this.#write(this.#clockBlock(0));
  }

  #clockBlock(cost) {
    const { name, nanoseconds, counts, origin, wall } = this.#clock;
    const block = new BlockBuilder().u64(0).u64(nanoseconds).u64(counts).u64(origin).u64(wall);
    return block.u64(cost).u64(cost).text(name).finish(BLOCK.clock);
  }

  /** Declares the clock of fuel, or gives it a name: with this number. */
  fuelClock(number, name) {
    const block = new BlockBuilder().u64(number);
    for (let field = 0; field < 6; ++field) block.u64(0);
    this.#write(block.text(name).finish(BLOCK.clock));
  }

  /**
   * Says what an event takes, in counts: in the block of the clock if the sink can change it, else in
   * a second one.
   */
  cost(counts) {
    const block = this.#clockBlock(Math.round(counts * 1024));
    if (!this.#sink.rewrite?.(SIGNATURE.length, block)) this.#write(block);
  }

  /** Bytes written so far. */
  get size() {
    return this.#offset;
  }

  /** How many bytes are yet to come at most, without further events and declarations. */
  get endSize() {
    return MAX_END + (this.#index.length + this.#streams + 1) * MAX_INDEX_ENTRY;
  }

  #write(bytes) {
    this.#sink.write(bytes);
    this.#offset += bytes.length;
  }

  /**
   * Declares a module: `{ id, name, hash, build, functions }`, `functions` a list of `[id, name]`.
   * Returns its number.
   */
  module({ id, name, hash, build, functions }) {
    let next = 0;
    do {
      const block = new BlockBuilder();
      block.u(this.#modules).u(id).text(name).bytes(hash).bytes(build);
      const some = functions.slice(next, next + FUNCTIONS_A_BLOCK);
      block.u(some.length);
      for (const [id, name] of some) block.u(id).text(name.slice(0, MAX_NAME));
      this.#write(block.finish(BLOCK.module));
      next += some.length;
    } while (next < functions.length);
    return this.#modules++;
  }

  /** Declares further functions of the module with this number and id. */
  functions(number, id, functions) {
    for (let next = 0; next < functions.length; next += FUNCTIONS_A_BLOCK) {
      // Name, hash and build id have been said.
      const block = new BlockBuilder().u(number).u(id).u(0).u(0).u(0);
      const some = functions.slice(next, next + FUNCTIONS_A_BLOCK);
      block.u(some.length);
      for (const [id, name] of some) block.u(id).text(name);
      this.#write(block.finish(BLOCK.module));
    }
  }

  /** Says what the host did: `{ name, begin, end, unit, ticks }`, see the grammar. */
  phases(phases) {
    const block = new BlockBuilder().u(phases.length);
    for (const { name, begin, end, unit, ticks } of phases)
      block.text(name).u64(begin).u64(end).text(unit).u64(ticks);
    this.#write(block.finish(BLOCK.phases));
  }

  /** Declares a stream of the module with this number; returns the stream's. */
  stream(module, thread, name) {
    const block = new BlockBuilder();
    this.#write(block.u(this.#streams).u(module).u(thread).text(name).finish(BLOCK.stream));
    return this.#streams++;
  }

  /** Writes a block of events that an EventEncoder of `stream` has finished. */
  events(stream, block, { first, last, events }) {
    const offset = this.#offset;
    this.#write(block);
    this.#index.push({ offset, stream, first, last });
    this.#events += events;
  }

  /** Writes a block of stacks, or of so many samples. */
  samples(block, count) {
    this.#write(block);
    this.#events += count;
  }

  /** Writes index and end; `lost` is the number of events that are missing. */
  end(lost) {
    const index = new BlockBuilder().u(this.#index.length);
    let before = { offset: 0, first: 0 };
    for (const entry of this.#index) {
      index.u(entry.offset - before.offset).u(entry.stream);
      index.u(BigInt(entry.first) - BigInt(before.first)).u(entry.last - entry.first);
      before = entry;
    }
    // Of a record that is too large for one, only the index is missing.
    const place = index.size <= MAX_PAYLOAD ? this.#offset : 0;
    if (place !== 0) this.#write(index.finish(BLOCK.index));
    this.#write(new BlockBuilder().u64(place).u64(this.#events).u64(lost).finish(BLOCK.end));
  }
}
