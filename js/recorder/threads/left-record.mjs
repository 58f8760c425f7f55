// SPDX-License-Identifier: Apache-2.0
// Finishes the record of a thread that has ended without doing so, or that still runs while the process ends. The
// thread's shared memory has its stored events and the progress of packing and writing.

import { createClock, leaveClock } from "../engine/clocks.mjs";
import { DRAIN, DrainState } from "./drain-state.mjs";
import { EventBuffer } from "../calls/event-buffer.mjs";
import { WaitingHeap } from "../heap/heap-writer.mjs";
import { costsOf } from "../calls/probe-cost.mjs";
import { CAUSE } from "../record/record-encoder.mjs";
import { emitLeftStacks } from "../record/stack-table.mjs";
import { Stream, StreamMemory } from "../calls/streams.mjs";
import { ThreadGate } from "./thread-gate.mjs";
import { ThreadRecord } from "./thread-record.mjs";

/** The cost of an event, by whether it has fuel; measured once. */
const costs = new Map();

class LeftRecord extends ThreadRecord {
  #sink;

  constructor(description, memory, sink) {
    const { encoder } = memory;
    const { calls } = encoder;
    for (let at = calls.lastStream(); at !== 0; at = calls.streamBefore(at)) encoder.made(calls.resume(at));
    super(description, memory, sink);
    this.#sink = sink;
    for (const stream of this.streams) stream.finishBlock();
    emitLeftStacks(encoder, (block) => this.emitOther(block, 0));
    const heap = WaitingHeap.left(encoder, (...block) => this.emitOther(...block));
    heap?.flush();
    this.room = Math.max(0, description.maxItems - calls.writtenEvents(calls.lastRecord()));
    if (heap !== undefined) this.#finishHeap(heap);
  }

  #finishHeap(heap) {
    const count = Math.min(heap.count, this.room);
    this.counts.lostToLimit += heap.count - count;
    this.room -= count;
    heap.pack(count);
    heap.flush();
  }

  /** Opens a stream for a task that is not in the record; its events are counted as missing. */
  #openUnknown({ hasFuel }) {
    const stream = new Stream(this, undefined, hasFuel);
    this.streams.push(stream);
    return stream;
  }

  /** The threads' clocks cost the same; one that a thread keeps has ended with that. */
  #writeCost(stack) {
    if (stack === undefined || this.clock.name !== "exact") return;
    const { hasFuel } = stack;
    if (!costs.has(hasFuel)) costs.set(hasFuel, costsOf(createClock("exact"), hasFuel, this.memory).event);
    this.writer.cost(costs.get(hasFuel));
  }

  finish() {
    const [stack] = this.streams;
    // Only the thread itself knows which of several stacks ran.
    const knowsStacks = this.streams.length === 1;
    if (stack !== undefined) {
      const openStream = () => this.#openUnknown(stack);
      stack.leaveOut(new EventBuffer(this, stack, openStream, false).takeLeft(knowsStacks));
    }
    const cause = knowsStacks ? CAUSE.limit : CAUSE.unknown;
    for (const stream of this.streams) this.counts.lostToLimit += stream.finish(cause);
    this.writer.lost += this.counts.lost;
    this.#writeCost(stack);
    this.writer.end();
    this.#sink.close();
  }
}

/**
 * `description`: of describeRecord() (thread-record.mjs). `openSink(size)` opens the sink of the record, which has
 * `size` bytes of it already. `patience`: see ThreadGate. `goesOn`: the thread may still run; it goes on afterwards,
 * and events that it stores then are not recorded. Throws if the record cannot be finished.
 */
export function finishLeftRecord(description, { patience, goesOn = false }, openSink) {
  const memory = new StreamMemory({ memory: description.memory });
  const gate = new ThreadGate(memory.encoder);
  if (!gate.take(patience)) return;
  try {
    const { calls } = memory.encoder;
    leaveClock(description.clock, memory.memory.buffer);
    const record = new LeftRecord(description, memory, openSink(calls.written(calls.lastRecord())));
    record.finish();
    if (record.error !== undefined) throw record.error;
  } finally {
    if (goesOn) {
      // The thread goes on without its drain.
      new DrainState(memory.encoder).value = DRAIN.ended;
      gate.release();
    }
  }
}
