// SPDX-License-Identifier: Apache-2.0
// The running part of truth.py: rounds of a program in V8, as any program of Node.
//
//   node truth_v8.mjs PROGRAM             prints, as JSON, where its modules are and what its input is
//   node truth_v8.mjs PROGRAM ROUNDS
//   node truth_v8.mjs COMMAND.wasm ROUNDS ARGUMENT INPUT
//
// PROGRAM is one of npm's. A command of WASI gets the argument and the file as its standard input in each round. Prints, as JSON, what
// the rounds took in milliseconds: CPU time of all threads, of the main thread (`whole`: since its start), and elapsed. It ends of itself, and
// writes its records and profiles then: process.exit() of Node 26 sometimes does not end (answer_of in measure.py).

import { closeSync, openSync, readFileSync } from "node:fs";
import { WASI } from "node:wasi";
import { filesOf, programs } from "./npm_programs.mjs";

const [name, rounds, argument, input] = process.argv.slice(2);
if (rounds === undefined) {
  console.log(JSON.stringify({ modules: filesOf(programs[name]), input: programs[name].input }));
  process.exit(0);
}

/** What of a command's imports is none of WASI's is not called. */
const nothing = new Proxy({}, { get: () => () => 0 });

async function loadCommand() {
  const module = await WebAssembly.compile(readFileSync(name));
  const stdout = openSync("/dev/null", "w");
  return async () => {
    const stdin = openSync(input);
    const wasi = new WASI({ version: "preview1", args: [name, argument], stdin, stdout });
    const imports = { wasi_snapshot_preview1: wasi.wasiImport, env: nothing };
    wasi.start(await WebAssembly.instantiate(module, imports));
    closeSync(stdin);
  };
}

// Without it the programs read files.
WebAssembly.instantiateStreaming = undefined;
const run = await (name.endsWith(".wasm") ? loadCommand() : programs[name].load());
const begin = performance.now();
/** Milliseconds of CPU time of this thread. Node 20 does not know it; Linux does. */
function threadTime() {
  if (!process.threadCpuUsage) return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
const [before, usage] = [threadTime(), process.cpuUsage()];
for (let round = 0; round < Number(rounds); ++round) await run();
const { user, system } = process.cpuUsage(usage);
const whole = threadTime();
console.log(JSON.stringify({ cpu: (user + system) / 1000, thread: whole - before, whole, elapsed: performance.now() - begin }));
