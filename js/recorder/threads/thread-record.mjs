// SPDX-License-Identifier: Apache-2.0
// The record of another thread, packed and written in the memory that the thread shares: by its drain
// (drain-thread.mjs), or to finish it afterwards (left-record.mjs).

import { EventCounts } from "../record/event-counts.mjs";
import { RecordWriter } from "../record/record-writer.mjs";
import { Stream } from "../calls/streams.mjs";

/**
 * What a recorder says of its record to other threads: all of it can be posted. `clockFields`: of RecordWriter.
 */
export const describeRecord = ({ memory, clock: { name, isTime, isFuel, isMarked }, isRing, maxItems, maxBytes }, clockFields) => ({
  memory: memory.memory,
  clock: { name, isTime, isFuel: isFuel === true, isMarked: isMarked === true },
  clockFields,
  isRing,
  maxItems,
  maxBytes,
});

/** Takes the place of a recorder (recorder.mjs) for its streams and their buffer. */
export class ThreadRecord {
  counts = new EventCounts();
  room = Infinity;
  /** To be called before each few events are packed, if set. */
  between;
  error;
  writer;
  streams = []; // in their order
  #maxBytes;
  #isFull = false;

  /** `description`: of describeRecord(), in the memory `memory`, a StreamMemory. `sink`: see RecordWriter. */
  constructor({ clock, clockFields, isRing, maxBytes }, memory, sink) {
    this.clock = clock;
    this.isRing = isRing;
    this.memory = memory;
    this.#maxBytes = maxBytes;
    const { calls } = memory.encoder;
    this.writer = new RecordWriter(sink, clockFields, memory.encoder, calls.lastRecord());
    for (let at = calls.lastStream(); at !== 0; at = calls.streamBefore(at))
      this.streams.unshift(new Stream(this, 0, false, at));
  }

  whileWriting(action) {
    action();
    return true;
  }

  reachLimit() {}

  emit(encoder, block, events) {
    if (encoder === undefined) return "beyond";
    return this.#emit(block, events, () => this.writer.events(encoder, block));
  }

  /** The same of a block of stacks, or of so many heap events. */
  emitOther(block, events) {
    const isBeyond = this.#emit(block, events, () => this.writer.samples(block, events)) === "beyond";
    if (isBeyond) this.counts.lostToLimit += events;
  }

  #emit(block, events, write) {
    this.#isFull ||= this.writer.size + block.size + this.writer.endSize > this.#maxBytes;
    if (this.#isFull) return "beyond";
    try {
      write();
      this.counts.written += events;
      return "written";
    } catch (error) {
      this.error ??= error;
      this.counts.lostToFailure += events;
      return "failed";
    }
  }
}
