// Runs a program of npm's twice, as it is and with every module that it makes shuffled on the way,
// and compares what it prints.
//
//   node reordered.mjs program.mjs work-folder
//
// Prints the program's output, and how many modules were shuffled.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { shuffle } from "./shuffle.mjs";

const [program, folder, pass] = process.argv.slice(2);

if (!pass) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const run = (pass) =>
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), program, folder, pass],
                 { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const plain = run("plain");
  const lines = run("shuffled").split("\n");
  const [count] = lines.splice(lines.findIndex((line) => line.startsWith("shuffled ")), 1);
  if (lines.join("\n") !== plain) throw new Error(`was:\n${plain}\nis:\n${lines.join("\n")}`);
  process.stdout.write(`${plain}${count}\n`);
  process.exit(0);
}

// What a program does must not depend on the time or on chance.
let now = 1.6e12;
Date.now = () => ++now;
performance.now = () => ++now;
Math.random = () => 0.5;
crypto.getRandomValues = (array) => array.fill(7);

if (pass === "shuffled") {
  let modules = 0;
  const shuffled = (bytes) => {
    const path = `${folder}/${modules++}.wasm`;
    writeFileSync(path, bytes);
    shuffle(path, `${path}.shuffled`);
    return readFileSync(`${path}.shuffled`);
  };
  const { Module, instantiate, compile } = WebAssembly;
  WebAssembly.Module = new Proxy(Module, {
    construct: (target, [bytes, ...rest]) => new target(shuffled(bytes), ...rest),
  });
  WebAssembly.compile = (bytes, ...rest) => compile(shuffled(bytes), ...rest);
  WebAssembly.instantiate = (source, ...rest) =>
    instantiate(source instanceof Module ? source : shuffled(source), ...rest);
  WebAssembly.instantiateStreaming = undefined;
  process.on("exit", () => console.log(`shuffled ${modules}`));
}
await import(pathToFileURL(program));
