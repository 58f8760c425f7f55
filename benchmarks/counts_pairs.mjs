// SPDX-License-Identifier: Apache-2.0
// The part of counts.py that compares two modules of a program that reads its standard input.
//
//   node --expose-gc counts_pairs.mjs WARM PAIRS INPUT MODULE OTHER-MODULE
//
// Runs both in turn, each time in a new instance, and prints as JSON the CPU times of the main thread in milliseconds: a pair for each of
// the runs behind WARM runs of each. What else happens on a machine then meets both, and V8 has compiled what it will compile.

import { closeSync, openSync, readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [warm, pairs, input, ...files] = process.argv.slice(2);
const modules = files.map((file) => new WebAssembly.Module(readFileSync(file)));
const stdout = openSync("/dev/null", "w");

const run = (module) => {
  const stdin = openSync(input);
  const wasi = new WASI({ version: "preview1", stdin, stdout, returnOnExit: true });
  const instance = new WebAssembly.Instance(module, wasi.getImportObject());
  // The memories of earlier instances, if they are still there, can make a run take four times as long.
  globalThis.gc();
  const begin = process.threadCpuUsage();
  if (wasi.start(instance) !== 0) throw new Error("the program failed");
  const { user, system } = process.threadCpuUsage(begin);
  closeSync(stdin);
  return (user + system) / 1000;
};

const times = [];
for (let i = 0; i < Number(warm) + Number(pairs); ++i) {
  // The order alternates, too.
  const order = i % 2 ? [1, 0] : [0, 1];
  const pair = [];
  for (const which of order) pair[which] = run(modules[which]);
  times.push(pair);
}
console.log(JSON.stringify(times.slice(Number(warm))));
