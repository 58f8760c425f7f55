// SPDX-License-Identifier: Apache-2.0
// The measuring part of recording_v8.py: recording_v8.mjs PACKAGE MODULE FUEL-MODULE ROUNDS prints,
// as JSON, nanoseconds an event of each recorder.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [packageFolder, file, fuelFile, rounds] = process.argv.slice(2);
const { createRecorder } = await import(pathToFileURL(resolve(packageFolder, "recorder/node.mjs")));
const module = readFileSync(file);
const fuelModule = readFileSync(fuelFile);
// A round is shorter than what a busy machine gives a process at a time.
const CALLS = 20000;
const SIZE = 1 << 15;

/** The least that a clocked recorder in JavaScript does: it neither limits nor writes. */
function store() {
  const clock = performance;
  const times = new Float64Array(SIZE);
  const ids = new Int32Array(SIZE);
  let next = 0;
  return (id) => {
    times[next] = clock.now();
    ids[next] = id;
    next = (next + 1) & (SIZE - 1);
  };
}

let bytes = 0;
async function record(clock, policy, recorded = module) {
  const sink = (data) => void (bytes += data.length);
  const recorder = createRecorder({ module: recorded, clock, policy, sink });
  await recorder.ready;
  return { recorded, builtin: recorder.imports.builtin, recorder };
}

const without = (tracePoint) => ({ recorded: module, builtin: { tracePoint } });

const recorders = {
  empty: without(() => {}),
  none: await record("none", "ring"),
  fuel: await record("fuel", "ring", fuelModule),
  stored: without(store()),
  exact: await record("exact", "ring"),
  noneWritten: await record("none", "block"),
  exactFuel: await record("exact", "ring", fuelModule),
  exactWritten: await record("exact", "block"),
};

const cost = {};
function measure(name, { run }) {
  const before = performance.now();
  run(CALLS);
  const nanoseconds = ((performance.now() - before) * 1e6) / (2 * CALLS + 2);
  cost[name] = Math.min(cost[name] ?? Infinity, nanoseconds);
}

async function measureAll(some) {
  const instances = [];
  for (const [name, { recorded, builtin }] of Object.entries(some)) {
    const { instance } = await WebAssembly.instantiate(recorded, { builtin });
    instances.push([name, instance.exports]);
  }
  for (let round = 0; round < Number(rounds); ++round)
    for (const [name, exports] of instances) measure(name, exports);
}

await measureAll(recorders);
const size =
  bytes /
  Object.values(recorders).reduce((sum, { recorder }) => sum + (recorder?.counts.written ?? 0), 0);

// Last: its worker takes a core.
const thread = await record("thread", "ring");
await measureAll({ thread });
thread.recorder.close();
console.log(JSON.stringify({ ...cost, bytes: size, version: process.version }));
