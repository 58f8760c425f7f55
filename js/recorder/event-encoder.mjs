// Packs the events of one stream into blocks, as docs/record-format.md says.
//
// Times are whole nanoseconds, exact in a JavaScript number for 104 days; or fuel, exact up to 2^53.

import { BLOCK, frameBlock, HEADER_SIZE, putNumber } from "./block-builder.mjs";
import { isSection, SECTION_END } from "./sections.mjs";

const BLOCK_SIZE = 1 << 16;
// Where an event may begin: none, nor a special, takes more than what follows.
const LAST_PLACE = BLOCK_SIZE - 48;
const MAX_CONTEXT_CALLS = 256;
const MAX_KNOWN_CALLS = 1 << 16;
// Among how many of the innermost open calls an end is looked for, so that ends that match nothing
// stay cheap. Sections do not count: a function may leave any number of them open.
const MAX_SEARCH = 64;
const FIRST_ID = 0x1000000;

const SPECIAL = { end: 1, lost: 2, back: 5 };
/** The number of the further clock of records whose events have fuel. */
export const FUEL_CLOCK = 1;
/** Why events are missing. */
export const CAUSE = { bufferFull: 1, limit: 2 };

/** The number of a function in events. */
export const codeOf = (id) => (((id - FIRST_ID) & 0x7fffffff) >>> 0) + 1;

/** Bytes of a number in LEB128. */
const sizeOf = (value) => Math.ceil(Math.max(1, Math.log2(value + 1)) / 7);

export class EventEncoder {
  #bytes = new Uint8Array(BLOCK_SIZE);
  #next = 0; // 0 outside of a block
  #firstTime = 0;
  #lastTime = 0;
  #begun = false; // whether there was an event at all, so that #lastTime is one's time
  #events = 0;
  // The calls that are open, outermost first: those from #floor on a reader knows too.
  #calls = new Int32Array(256);
  #begins = new Float64Array(256); // their times
  #depth = 0;
  #floor = 0;
  #complete = true;
  #stream;
  #emit;
  #hasFuel;
  #lastFuel = 0;
  /** Ends of sections that were left out, and sections that ended with their function. */
  unmatchedSectionEnds = 0;
  unendedSections = 0;

  /**
   * `emit(block, { first, last, events })` gets each finished block; its bytes are used again after
   * that. `hasFuel`: events have fuel beside their time.
   */
  constructor(stream, emit, hasFuel) {
    this.#stream = stream;
    this.#emit = emit;
    this.#hasFuel = hasFuel;
  }

  /**
   * The first `count` trace points of columns: times, ids, none of them 0 or -2^31 but perhaps
   * SECTION_END, and fuel, which is not looked at where events have none.
   */
  events(times, ids, fuels, count) {
    for (let i = 0; i < count;) {
      this.#prepare(times[i]);
      i = this.#simpleEvents(times, ids, fuels, i, count);
      if (i === count) return;
      this.#prepare(times[i]);
      this.#event(times[i], ids[i], fuels[i]);
      ++i;
    }
  }

  /** Makes sure that there is a block with room for an event. */
  #prepare(time) {
    if (this.#next === 0 || this.#next > LAST_PLACE) this.#begin(time);
  }

  /**
   * The common case in one loop: from `i` on up to the first event that needs something else, whose
   * place is returned.
   */
  #simpleEvents(times, ids, fuels, i, count) {
    const bytes = this.#bytes;
    const calls = this.#calls;
    const begins = this.#begins;
    const floor = this.#floor;
    const first = i;
    let at = this.#next;
    let depth = this.#depth;
    let last = this.#lastTime;
    const hasFuel = this.#hasFuel;
    let lastFuel = this.#lastFuel;
    for (; i < count && at <= LAST_PLACE; ++i) {
      const time = times[i];
      const id = ids[i];
      const delta = time - last;
      if (!(delta >= 0 && delta < 0x20000000)) break;
      if (hasFuel && !(fuels[i] >= lastFuel && fuels[i] - lastFuel < 0x20000000)) break;
      let word = delta << 1;
      if (id > 0) {
        if (depth === calls.length) break;
        calls[depth] = id;
        begins[depth] = time;
        ++depth;
      } else if (depth > floor && calls[depth - 1] === -id) {
        word |= 1;
        --depth;
      } else {
        break;
      }
      for (; word >= 0x80; word >>>= 7) bytes[at++] = word | 0x80;
      bytes[at++] = word;
      if (id > 0) {
        let code = codeOf(id);
        for (; code >= 0x80; code >>>= 7) bytes[at++] = code | 0x80;
        bytes[at++] = code;
      }
      if (hasFuel) {
        let more = fuels[i] - lastFuel;
        for (; more >= 0x80; more >>>= 7) bytes[at++] = more | 0x80;
        bytes[at++] = more;
        lastFuel = fuels[i];
      }
      last = time;
    }
    this.#next = at;
    this.#depth = depth;
    this.#lastTime = last;
    this.#lastFuel = lastFuel;
    this.#events += i - first;
    return i;
  }

  /** What a SECTION_END stands for; 0 if it is none of the current function's. */
  #endOfSection() {
    const innermost = this.#depth > 0 ? this.#calls[this.#depth - 1] : 0;
    if (isSection(innermost)) return -innermost;
    // Of what lies behind a loss nobody knows whether it was begun.
    if (innermost !== 0 || this.#complete) ++this.unmatchedSectionEnds;
    return 0;
  }

  #event(time, id, fuel) {
    if (id === SECTION_END) {
      id = this.#endOfSection();
      if (id === 0) return;
    }
    if (time < this.#lastTime) time = this.#goBack(time);
    if (this.#hasFuel && fuel < this.#lastFuel) fuel = this.#fuelBack(fuel);
    const delta = time - this.#lastTime;
    this.#lastTime = time;
    ++this.#events;
    const bytes = this.#bytes;
    if (id > 0) {
      const at = putNumber(bytes, this.#next, delta * 2);
      this.#next = putNumber(bytes, at, codeOf(id));
      if (this.#depth === this.#calls.length) this.#grow();
      this.#calls[this.#depth] = id;
      this.#begins[this.#depth++] = time;
    } else if (this.#depth > this.#floor && this.#calls[this.#depth - 1] === -id) {
      this.#next = putNumber(bytes, this.#next, delta * 2 + 1);
      --this.#depth;
    } else {
      this.#unknownEnd(delta, -id);
    }
    if (!this.#hasFuel) return;
    this.#next = putNumber(bytes, this.#next, fuel - this.#lastFuel);
    this.#lastFuel = fuel;
  }

  /**
   * `count` events are missing after the last one; `time` is taken if there is none in this block.
   */
  lost(count, cause, time) {
    const at = this.#begun ? this.#lastTime : time;
    // What is open is not known behind it; a block that begins with it does not say it either.
    this.#depth = 0;
    this.#complete = false;
    this.#floor = 0;
    this.#prepare(at);
    this.#special(0, SPECIAL.lost, [count, cause]);
  }

  #countSections(from) {
    return this.#calls.subarray(from, this.#depth).filter(isSection).length;
  }

  /** Sections that are open as far as is known. */
  get openSections() {
    return this.#countSections(0);
  }

  /** The calls that are open as far as is known, outermost first: `{ id, begin }`. */
  openCalls() {
    return Array.from(this.#calls.subarray(0, this.#depth), (id, i) => {
      return { id, begin: this.#begins[i] };
    });
  }

  /** Hands out the block that has been begun. */
  finish() {
    if (this.#next === 0) return;
    frameBlock(this.#bytes, BLOCK.events, this.#next);
    const block = this.#bytes.subarray(0, this.#next);
    this.#next = 0;
    this.#emit(block, { first: this.#firstTime, last: this.#lastTime, events: this.#events });
  }

  #begin(time) {
    this.finish();
    // A clock that went back since the last block is told within this one.
    if (this.#begun && time < this.#lastTime) time = this.#lastTime;
    this.#begun = true;
    this.#firstTime = this.#lastTime = time;
    this.#events = 0;
    const bytes = this.#bytes;
    let at = putNumber(bytes, HEADER_SIZE, this.#stream);
    new DataView(bytes.buffer).setBigUint64(at, BigInt(time), true);
    at = putNumber(bytes, at + 8, Number(this.#hasFuel)); // further clocks
    if (this.#hasFuel) {
      at = putNumber(bytes, at, FUEL_CLOCK);
      new DataView(bytes.buffer).setBigUint64(at, BigInt(this.#lastFuel), true);
      at += 8;
    }
    const isShort = this.#depth <= MAX_CONTEXT_CALLS;
    this.#floor = isShort ? 0 : this.#depth;
    at = putNumber(bytes, at, this.#depth - this.#floor);
    bytes[at++] = Number(this.#complete && isShort);
    for (let i = this.#floor; i < this.#depth; ++i)
      at = putNumber(bytes, at, codeOf(this.#calls[i]));
    this.#next = at;
  }

  #special(delta, special, fields) {
    const size = fields.reduce((sum, field) => sum + sizeOf(field), 0);
    for (const field of [delta * 2, 0, special, size, ...fields])
      this.#next = putNumber(this.#bytes, this.#next, field);
  }

  /** Says that the clock went back; returns the time that counts. */
  #goBack(time) {
    this.#special(0, SPECIAL.back, [this.#lastTime - time]);
    return this.#lastTime;
  }

  /** The same of fuel. */
  #fuelBack(fuel) {
    this.#special(0, SPECIAL.back, [this.#lastFuel - fuel, FUEL_CLOCK]);
    return this.#lastFuel;
  }

  /** An end of another call than the last known one. */
  #unknownEnd(delta, id) {
    this.#special(delta, SPECIAL.end, [codeOf(id)]);
    let found = this.#depth;
    for (let passed = 0; found > 0 && this.#calls[found - 1] !== id; --found)
      if (!isSection(this.#calls[found - 1]) && ++passed === MAX_SEARCH) break;
    if (found > 0 && this.#calls[found - 1] === id) {
      this.unendedSections += this.#countSections(found);
      this.#depth = found - 1;
    } else {
      this.#complete = false;
    }
    this.#floor = this.#depth;
  }

  /**
   * Makes room for a call, if need be by forgetting others: those that a reader does not know, or
   * all.
   */
  #grow() {
    if (this.#calls.length < MAX_KNOWN_CALLS) {
      const size = 2 * this.#calls.length;
      const [calls, begins] = [new Int32Array(size), new Float64Array(size)];
      calls.set(this.#calls);
      begins.set(this.#begins);
      [this.#calls, this.#begins] = [calls, begins];
      return;
    }
    this.#complete = false;
    // With all of them known, the reader empties its list here.
    const kept = this.#floor === 0 ? 0 : this.#depth - this.#floor;
    this.#calls.copyWithin(0, this.#floor, this.#depth);
    this.#begins.copyWithin(0, this.#floor, this.#depth);
    this.#depth = kept;
    this.#floor = 0;
  }
}
