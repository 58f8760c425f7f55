// SPDX-License-Identifier: Apache-2.0
// What a record says of how one stack of its thread starts or resumes another: docs/record-format.md. It says so in front of the events
// that come after it.

import { Block } from "../record/block.mjs";
import { NUMBERS } from "../record/record-encoder.mjs";

export const SWITCH = { starts: NUMBERS.switchStarts, resumes: NUMBERS.switchResumes, returns: NUMBERS.switchReturns };

const LAST_SWITCH = NUMBERS.switchesBlockSize - NUMBERS.maxSwitchSize;
// Of the most switches that a record may have, those that only end what it says of a stack: there are fewer stacks than half as many.
const RESERVE = 4096;

export class Switches {
  #stacks;
  #block;
  #emit;
  #resolve;
  #frames = new Map(); // by stack id
  #base;
  #last = new Map(); // what the clock of a stream was at in its last switch
  #count = 0;
  #most;
  #within = new Set(); // streams that have been started within calls, which have not gone on since
  #unknown = new Set(); // streams whose starts the record can no longer hold
  /** How many are not in the record. */
  leftOut = 0;

  /**
   * `stacks`: the record's StackTable. `emit(block)` gets each FinishedBlock. `resolve(stackId)` gives the module's number and its own
   * id of a function. `most`: how many there may be.
   */
  constructor(encoder, stacks, resolve, emit, most = NUMBERS.maxSwitches) {
    this.#most = most;
    this.#stacks = stacks;
    this.#block = new Block(encoder, NUMBERS.switchesBlockSize);
    this.#resolve = resolve;
    this.#emit = emit;
  }

  /**
   * `kind`: of SWITCH. The stream with the number `stream` runs from `time` on, after `from`, which is at `at`: bigints, by the clocks of
   * these streams, that go on together if they are of time (`isTime`). `calls`: the stack ids of what is open there, outermost first.
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

  /** So many of another record are to be in this one too: whether there is room for them. */
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
