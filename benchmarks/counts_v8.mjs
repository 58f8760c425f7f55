// SPDX-License-Identifier: Apache-2.0
// The measuring part of counts.py: one run of a program of npm's with other modules in the place of its own.
//
//   node counts_v8.mjs PROGRAM                                 prints, as JSON, its modules and its inputs
//   node counts_v8.mjs PROGRAM ROUNDS first|other MODULE...    prints CPU time of the main thread in milliseconds, after as many rounds
//   node counts_v8.mjs --counts=FILE PACKAGE PROGRAM ROUNDS first|other MODULE...      writes what the modules have counted, too

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { filesOf, programs } from "./npm_programs.mjs";

const options = process.argv.slice(2);
const countsFile = options[0].startsWith("--counts=") ? options.shift().slice("--counts=".length) : undefined;
const packageFolder = countsFile === undefined ? undefined : options.shift();
const [name, rounds, input, ...modules] = options;
const program = programs[name];
const originals = filesOf(program);
if (rounds === undefined) {
  console.log(JSON.stringify({ modules: originals, input: program.input, other: program.other }));
  process.exit(0);
}

// Has modules of its own.
const { artifactsOf } =
  packageFolder === undefined ? {} : await import(pathToFileURL(resolve(packageFolder, "recorder/node.mjs")));

const pairs = originals.map((original, i) => [readFileSync(original), readFileSync(modules[i])]);
const replaced = (source) =>
  ArrayBuffer.isView(source) || source instanceof ArrayBuffer
    ? pairs.find(([original]) => original.equals(Buffer.from(source.buffer ?? source, source.byteOffset, source.byteLength)))[1]
    : source;
const instances = [];
const { compile, instantiate, Module, Instance } = WebAssembly;
WebAssembly.compile = (source, ...rest) => compile(replaced(source), ...rest);
WebAssembly.instantiate = async (source, ...rest) => {
  const result = await instantiate(replaced(source), ...rest);
  instances.push(source instanceof Module ? { module: source, instance: result } : result);
  return result;
};
WebAssembly.Module = new Proxy(Module, { construct: (target, [source, ...rest]) => new target(replaced(source), ...rest) });
WebAssembly.Instance = new Proxy(Instance, {
  construct(target, [module, ...rest]) {
    const instance = new target(module, ...rest);
    instances.push({ module, instance });
    return instance;
  },
});
// Without it the programs read files.
WebAssembly.instantiateStreaming = undefined;

const run = await program.load(input === "other");
for (let round = 0; round < Number(rounds); ++round) run();
const begin = process.threadCpuUsage();
for (let round = 0; round < Number(rounds); ++round) run();
const { user, system } = process.threadCpuUsage(begin);
if (countsFile !== undefined) {
  const files = instances.flatMap(({ module, instance }) => artifactsOf(instance, module));
  writeFileSync(countsFile, Buffer.concat(files.map(({ bytes }) => bytes)));
}
console.log(JSON.stringify((user + system) / 1000));
process.exit(0);
