// SPDX-License-Identifier: Apache-2.0
// Finishes the record of a thread that has ended without doing so, or that still runs while the process ends: in its memory,
// which other threads see, lies all that it has stored and how far it has been packed and written.

import { createClock } from "./clocks.mjs";
import { EventBuffer } from "./event-buffer.mjs";
import { measureTracePoint } from "./probe-cost.mjs";
import { CAUSE } from "./record-encoder.mjs";
import { RecordWriter } from "./record-writer.mjs";
import { Stream, StreamMemory } from "./streams.mjs";
import { ThreadGate } from "./thread-gate.mjs";

/**
 * What a recorder says of its record to whoever may have to finish it: all of it can be posted to another thread.
 * `clockFields`: of RecordWriter.
 */
export const describeRecord = ({ memory, clock: { name, isTime, isFuel }, isRing, maxItems, maxBytes }, clockFields) => ({
  memory: memory.memory,
  clock: { name, isTime, isFuel: isFuel === true },
  clockFields,
  isRing,
  maxItems,
  maxBytes,
});

/** What an event costs, by whether it has fuel: measured once. */
const costs = new Map();

/** Takes the place of a recorder (recorder.mjs) for its streams and their buffer. */
class LeftRecord {
  counts = { written: 0, lostToBuffer: 0, lostToLimit: 0, lostToFailure: 0, meaningless: 0 };
  room = Infinity;
  #sink;
  #writer;
  #maxBytes;
  #streams = []; // in their order
  #isFull = false;
  error;

  constructor({ clock, clockFields, isRing, maxItems, maxBytes }, memory, openSink) {
    this.clock = clock;
    this.isRing = isRing;
    this.memory = memory;
    this.#maxBytes = maxBytes;
    const { calls } = memory.encoder;
    const record = calls.lastRecord();
    this.#sink = openSink(calls.written(record));
    this.#writer = new RecordWriter(this.#sink, clockFields, memory.encoder, record);
    for (let at = calls.lastStream(); at !== 0; at = calls.streamBefore(at)) {
      memory.encoder.made(calls.resume(at));
      this.#streams.unshift(new Stream(this, 0, false, at));
    }
    for (const stream of this.#streams) stream.finishBlock();
    this.room = Math.max(0, maxItems - calls.writtenEvents(record));
  }

  whileWriting(action) {
    action();
    return true;
  }

  reachLimit() {}

  emit(encoder, block, events) {
    if (encoder === undefined) return "beyond";
    this.#isFull ||= this.#writer.size + block.size + this.#writer.endSize > this.#maxBytes;
    if (this.#isFull) return "beyond";
    try {
      this.#writer.events(encoder, block);
      this.counts.written += events;
      return "written";
    } catch (error) {
      this.error ??= error;
      this.counts.lostToFailure += events;
      return "failed";
    }
  }

  /** For a task that the record does not know: its events are counted as missing. */
  #openUnknown({ hasFuel }) {
    const stream = new Stream(this, undefined, hasFuel);
    this.#streams.push(stream);
    return stream;
  }

  /** The threads' clocks cost the same; one that a thread keeps has ended with that. */
  #writeCost(stack) {
    if (stack === undefined || this.clock.name !== "exact") return;
    const { hasFuel } = stack;
    if (!costs.has(hasFuel)) costs.set(hasFuel, measureTracePoint(createClock("exact"), hasFuel, this.memory));
    this.#writer.cost(costs.get(hasFuel));
  }

  finish() {
    const [stack] = this.#streams;
    // Which of several stacks ran is known to the thread alone.
    const knowsStacks = this.#streams.length === 1;
    if (stack !== undefined) {
      const openStream = () => this.#openUnknown(stack);
      stack.leaveOut(new EventBuffer(this, stack, openStream, false).takeLeft(knowsStacks));
    }
    const { counts } = this;
    const cause = knowsStacks ? CAUSE.limit : CAUSE.unknown;
    for (const stream of this.#streams) counts.lostToLimit += stream.finish(cause);
    const { lostToBuffer, lostToLimit, lostToFailure, meaningless } = counts;
    this.#writer.lost += lostToBuffer + lostToLimit + lostToFailure + meaningless;
    this.#writeCost(stack);
    this.#writer.end();
    this.#sink.close();
  }
}

/**
 * `description` is that of describeRecord(); `openSink(size)` opens what the record is written to, which has so many bytes of
 * it. `hasEnded`: the thread has. Throws if it cannot be finished.
 */
export function finishLeftRecord(description, hasEnded, openSink) {
  const memory = new StreamMemory({ memory: description.memory });
  if (!new ThreadGate(memory.encoder).take(hasEnded)) return;
  const record = new LeftRecord(description, memory, openSink);
  record.finish();
  if (record.error !== undefined) throw record.error;
}
