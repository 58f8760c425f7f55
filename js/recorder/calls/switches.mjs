// SPDX-License-Identifier: Apache-2.0
// The switches in a record: how stacks of a thread start or resume each other (docs/record-format.md). A switch comes
// before the events that follow it.

import { Block } from "../record/block.mjs";
import { NUMBERS } from "../record/record-encoder.mjs";

export const SWITCH = { starts: NUMBERS.switchStarts, resumes: NUMBERS.switchResumes, returns: NUMBERS.switchReturns };

const LAST_SWITCH = NUMBERS.switchesBlockSize - NUMBERS.maxSwitchSize;
// Part of the maximum number of switches that is reserved for resetting the starters of stacks. It is more than twice
// the number of stacks.
const RESERVE = 4096;

export class Switches {
  #stacks;
  #block;
  #emit;
  #resolve;
  #frames = new Map(); // by stack id
  #base;
  #last = new Map(); // by stream: its clock at its last switch
  #count = 0;
  #most;
  #within = new Set(); // streams that have been started within calls, which have not gone on since
  #unknown = new Set(); // streams whose starts no longer fit into the record
  /** The number of switches that are not in the record. */
  leftOut = 0;

  /**
   * `stacks`: the record's StackTable. `emit(block)` is called with each FinishedBlock. `resolve(stackId)` returns the
   * module's number and its own id of a function. `most`: the maximum number of switches.
   */
  constructor(encoder, stacks, resolve, emit, most = NUMBERS.maxSwitches) {
    this.#most = most;
    this.#stacks = stacks;
    this.#block = new Block(encoder, NUMBERS.switchesBlockSize);
    this.#resolve = resolve;
    this.#emit = emit;
  }

  /**
   * `kind`: of SWITCH. Stream number `stream` runs from `time` on, after the stream `from`, whose clock is at `at`.
   * Both are bigints by the clocks of their streams, which are the same clock if they measure time (`isTime`). `calls`:
   * the stack ids of the open calls of `from`, outermost first.
   */
  add(kind, { stream, time, from, at, calls, isTime }) {
    if (this.#count >= this.#most - RESERVE) {
      ++this.leftOut;
      const endsWait = kind === SWITCH.returns && this.#within.delete(from);
      const endsStart = kind === SWITCH.starts && !this.#unknown.has(stream);
      if (endsStart) {
        // Later calls have an unknown starter, rather than the last known one.
        this.#unknown.add(stream);
        [from, at, calls] = [stream, time, []];
      } else if (!endsWait) return;
      if (this.#count === this.#most) return;
    } else if (kind === SWITCH.returns) this.#within.delete(from);
    else if (calls.length > 0) this.#within.add(stream);
    ++this.#count;
    at = this.#passOn(from, at);
    time = this.#passOn(stream, time);
    const stack = this.#stacks.nodeOf(calls.map((id) => this.#frameOf(id)));
    if (this.#block.size === 0) this.#begin(isTime ? at : 0n);
    this.#block.switch(kind, stream, time - this.#base, from, at - this.#base, stack);
    if (this.#block.size > LAST_SWITCH) this.flush();
  }

  /** Reserves room for `count` switches of another record; returns whether there is room. */
  adopt(count) {
    const fits = this.#count + count <= this.#most - RESERVE;
    if (fits) this.#count += count;
    return fits;
  }

  /** A task without events has not moved its clock. */
  #passOn(stream, time) {
    const last = this.#last.get(stream) ?? time;
    const next = time > last ? time : last;
    this.#last.set(stream, next);
    return next;
  }

  #begin(base) {
    this.#base = base;
    this.#block.switches(base);
  }

  #frameOf(stackId) {
    let frame = this.#frames.get(stackId);
    if (frame === undefined) this.#frames.set(stackId, (frame = this.#resolve(stackId)));
    return frame;
  }

  flush() {
    if (this.#block.size === 0) return;
    this.#stacks.flush();
    this.#emit(this.#block.finish());
  }
}
