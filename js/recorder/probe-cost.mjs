// What recording an event takes: measured when the record is closed, since then the code that
// records is compiled as it was for most of the events.

import { moduleOf } from "./clocks.mjs";
import { performance } from "./own-clock.mjs";
import { PAGE_SIZE } from "./streams.mjs";

const CALLS = 2000;
const ROUNDS = 8;

/** Nanoseconds of a trace point by this clock, in a stream of `memory`; takes a few milliseconds. */
export function measureTracePoint(clock, memory) {
  const recorder = new WebAssembly.Instance(clock.wasm, {
    recorder: { memory: memory.memory, ...clock.imports(memory.cell), drain: () => 1 },
  }).exports;
  recorder.open(memory.region(PAGE_SIZE), PAGE_SIZE / 2, 1);
  const { tracePoint } = recorder;
  const { run } = new WebAssembly.Instance(moduleOf("trace-loop"), { recorder: { tracePoint } })
    .exports;
  // The least: whatever else the machine does only adds.
  let least = Infinity;
  for (let round = 0; round < ROUNDS; ++round) {
    const begin = performance.now();
    run(CALLS);
    least = Math.min(least, performance.now() - begin);
  }
  return (least * 1e6) / (2 * CALLS + 2);
}
