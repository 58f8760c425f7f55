// SPDX-License-Identifier: Apache-2.0
// The measuring part of programs.py: one run of a program of npm's, as it is or recorded.
//
//   node programs_v8.mjs PROGRAM                   prints, as JSON, where its modules are and what its input is
//   node programs_v8.mjs PROGRAM ROUNDS            runs it as it is
//   node programs_v8.mjs PROGRAM ROUNDS PACKAGE RECORD CLOCK POLICY MODULE...
//
// records it with the recorder of PACKAGE, its modules replaced by others. Prints, as JSON, what the rounds and the closing of the
// record took, in milliseconds: CPU time of the main thread, of all threads, and elapsed; and what the record holds.
// As many rounds have run before that.

import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { filesOf, programs } from "./npm_programs.mjs";

const [name, rounds, packageFolder, file, clock, policy, ...modules] = process.argv.slice(2);
const program = programs[name];
const originals = filesOf(program);
if (rounds === undefined) {
  console.log(JSON.stringify({ modules: originals, input: program.input }));
  process.exit(0);
}

/** Each of the program's modules is another one where it is compiled; those that it loads besides, such as PGlite's extensions, stay. */
function replaceModules() {
  const pairs = originals.map((original, i) => [readFileSync(original), readFileSync(modules[i])]);
  const replaced = (source) =>
    ArrayBuffer.isView(source) || source instanceof ArrayBuffer
      ? (pairs.find(([original]) => original.equals(Buffer.from(source.buffer ?? source, source.byteOffset, source.byteLength)))?.[1] ?? source)
      : source;
  const { compile, instantiate, Module } = WebAssembly;
  WebAssembly.compile = (source, ...rest) => compile(replaced(source), ...rest);
  WebAssembly.instantiate = (source, ...rest) => instantiate(replaced(source), ...rest);
  WebAssembly.Module = new Proxy(Module, {
    construct: (target, [source, ...rest]) => new target(replaced(source), ...rest),
  });
}

let recorder;
if (packageFolder !== undefined) {
  const url = pathToFileURL(resolve(packageFolder, "recorder/node.mjs"));
  const { createRecorder, hookWebAssembly } = await import(url);
  recorder = createRecorder({ file, clock, policy });
  await recorder.ready;
  hookWebAssembly(recorder, {
    onError(error) {
      throw error;
    },
  });
  replaceModules();
}

// Without it the programs read files.
WebAssembly.instantiateStreaming = undefined;

const run = await program.load();
const measured = Number(rounds);
for (let round = 0; round < measured; ++round) await run();
recorder?.flush();

const milliseconds = ({ user, system }) => (user + system) / 1000;
const begin = performance.now();
const [thread, process_] = [process.threadCpuUsage(), process.cpuUsage()];
for (let round = 0; round < measured; ++round) await run();
recorder?.close();
const result = {
  thread: milliseconds(process.threadCpuUsage(thread)),
  process: milliseconds(process.cpuUsage(process_)),
  elapsed: performance.now() - begin,
};
if (recorder !== undefined) {
  if (recorder.error !== undefined) throw new Error(recorder.error);
  result.events = recorder.counts.written;
  result.bytes = statSync(file).size;
}
console.log(JSON.stringify(result));
process.exit(0);
