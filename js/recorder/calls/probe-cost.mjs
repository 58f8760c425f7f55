// SPDX-License-Identifier: Apache-2.0
// What recording an event takes: measured when the record is closed, since then the code that
// records is compiled as it was for most of the events.

import { moduleOf, recorderOf } from "../engine/clocks.mjs";
import { Instance, performance } from "../engine/own-engine.mjs";
import { PAGE_SIZE } from "../record/record-encoder.mjs";

const CALLS = 2000;
const ROUNDS = 8;

/**
 * Nanoseconds of a trace point by this clock, with fuel or without, in the scratch page of `memory`;
 * takes a few milliseconds. `isStored`: the module stores the event by itself.
 */
export function measureTracePoint(clock, hasFuel, memory, isStored = false) {
  const recorder = new Instance(recorderOf(clock, hasFuel, memory.encoder.isShared), {
    recorder: { memory: memory.memory, ...clock.imports(memory.cell), drain: () => 1, wake() {} },
  }).exports;
  const size = PAGE_SIZE / 4;
  // It is the state of another recorder too, whose program may go on.
  const { next } = memory;
  recorder.open(memory.scratch, memory.scratch + size, size, size, 1);
  const tracePoint = hasFuel ? recorder.tracePointFuel : recorder.tracePoint;
  const loop = isStored ? "stored-loop" : hasFuel ? "trace-loop-fuel" : "trace-loop";
  const { run } = new Instance(moduleOf(loop), { recorder: { ...recorder, tracePoint, memory: memory.memory } }).exports;
  // The least: whatever else the machine does only adds.
  let least = Infinity;
  for (let round = 0; round < ROUNDS; ++round) {
    const begin = performance.now();
    run(CALLS);
    least = Math.min(least, performance.now() - begin);
  }
  memory.next = next;
  return (least * 1e6) / (2 * CALLS + 2);
}
