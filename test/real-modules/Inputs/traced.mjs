// Runs a program of npm's twice in one process each, as it is and with every module that it makes
// instrumented on the way, and compares what it prints.
//
//   node traced.mjs program.mjs work-folder [warpo-instrument's options...]
//
// Prints the program's output, and a line `events` with what was recorded. Fails if the outputs
// differ, or if an end is not that of the innermost open call of its instance.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const [program, folder, ...options] = process.argv.slice(2);
const isInner = process.env.WARPO_TRACED !== undefined;

if (!isInner) {
  mkdirSync(folder, { recursive: true });
  const run = (traced) =>
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), program, folder, ...options], {
      env: { ...process.env, WARPO_TRACED: traced }, encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
  const plain = run("");
  const traced = run("yes").split("\n");
  const events = traced.splice(traced.findIndex((line) => line.startsWith("events ")), 1);
  if (traced.join("\n") !== plain) {
    console.error(`was:\n${plain}\nis:\n${traced.join("\n")}`);
    process.exit(1);
  }
  process.stdout.write(plain + events + "\n");
  process.exit(0);
}

let modules = 0;
let events = 0;
let deepest = 0;

function instrument(bytes) {
  const path = `${folder}/${modules++}`;
  writeFileSync(`${path}.wasm`, bytes);
  execFileSync("warpo-instrument", ["-q", `${path}.wasm`, "-o", `${path}.traced.wasm`,
    "--trace-point-mapping-file", `${path}.map`, ...options], { stdio: ["ignore", "inherit", "ignore"] });
  return readFileSync(`${path}.traced.wasm`);
}

function recorder() {
  const open = [];
  return {
    tracePoint(id) {
      events += 1;
      if (id > 0) {
        open.push(id);
        deepest = Math.max(deepest, open.length);
      } else if (open.pop() !== -id) {
        console.error(`an end of ${-id} that is not the innermost call's`);
        process.exit(1);
      }
    },
    open,
  };
}

const recorders = [];
function withRecorder(imports = {}) {
  const made = recorder();
  recorders.push(made);
  return { ...imports, builtin: made };
}

if (process.env.WARPO_TRACED) {
  const { Module, Instance, instantiate, compile } = WebAssembly;
  WebAssembly.Module = new Proxy(Module, {
    construct: (target, [bytes, ...rest]) => new target(instrument(bytes), ...rest),
  });
  WebAssembly.Instance = new Proxy(Instance, {
    construct: (target, [module, imports]) => new target(module, withRecorder(imports)),
  });
  WebAssembly.compile = (bytes, ...rest) => compile(instrument(bytes), ...rest);
  WebAssembly.instantiate = (source, imports, ...rest) =>
    instantiate(source instanceof Module ? source : instrument(source), withRecorder(imports),
                ...rest);
  WebAssembly.instantiateStreaming = undefined;
  process.on("exit", () => {
    const left = recorders.reduce((sum, { open }) => sum + open.length, 0);
    console.log(`events ${events > 10000 ? "many" : events}, modules ${modules}, ` +
                `deeper than 5: ${deepest > 5}, open ${left}`);
  });
}
await import(pathToFileURL(program));
