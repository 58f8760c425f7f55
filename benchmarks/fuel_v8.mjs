// SPDX-License-Identifier: Apache-2.0
// The measuring part of fuel.py, samples.py, call_kinds.py, traps.py and switchable.py: one program of npm's, whose module is replaced
// by another form of it.
//
//   node fuel_v8.mjs PROGRAM            prints, as JSON, the path of the program's module
//   node fuel_v8.mjs PROGRAM MODULE ROUNDS EVERY
//
// prints, as JSON, the milliseconds of CPU time of the quickest round and how long that took, what the module exports as fuel a round,
// and how often it called `builtin.sample`, which is due EVERY instructions.
//
//   node fuel_v8.mjs PROGRAM MODULE ROUNDS FREQUENCY PACKAGE
//
// does so with the recorder of PACKAGE, which takes as many samples a second. With WARPO_RECORDER_ENABLED=0 a module of --switchable is
// switched off.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { filesOf, programs } from "./npm_programs.mjs";

const [name, file, rounds, every, packageFolder] = process.argv.slice(2);

const program = programs[name];
if (!file) {
  console.log(JSON.stringify(filesOf(program)[0]));
  process.exit(0);
}

async function recording() {
  const { createRecorder } = await import(pathToFileURL(resolve(packageFolder, "recorder/node.mjs")));
  const recorder = createRecorder({ module: readFileSync(file), frequency: Number(every), sink() {} });
  await recorder.ready;
  return recorder.imports.builtin;
}

let instance;
let samples = 0;
const sample = (fuel) => (++samples, fuel + BigInt(every));
const builtin = packageFolder ? await recording() : {
  tracePoint() {},
  enterModule() {},
  sample,
  sampleCaller: sample,
  outOfFuel: () => (1n << 63n) - 1n,
  enterFrame() {},
  leaveFrame() {},
};
const { instantiate } = WebAssembly;
WebAssembly.instantiateStreaming = undefined;
WebAssembly.instantiate = async (_, imports) => {
  const result = await instantiate(readFileSync(file), { ...imports, builtin });
  instance = result.instance;
  if (process.env.WARPO_RECORDER_ENABLED === "0") instance.exports.__warpo_set_recording(1n);
  return result;
};

const run = await program.load();
let least = Infinity;
let elapsed = 0;
let fuel = 0n;
for (let round = 0; round < Number(rounds); ++round) {
  const { __warpo_get_fuel: fuelOf } = instance.exports;
  const [fuelBefore, samplesBefore] = [fuelOf?.(), samples];
  const begin = performance.now();
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  const milliseconds = (user + system) / 1000;
  if (milliseconds < least) [least, elapsed] = [milliseconds, performance.now() - begin];
  if (fuelOf) fuel = fuelOf() - fuelBefore;
  if (round === Number(rounds) - 1) samples -= samplesBefore;
}
console.log(JSON.stringify({ milliseconds: least, elapsed, fuel: String(fuel), samples }));
