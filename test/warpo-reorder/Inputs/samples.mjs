// Proves the order of functions on modules of every proposal: shuffled they are valid, say
// Binaryen, do what they did, and become the original, byte for byte, when they are put back. The
// same modules are valid and do what they did when they log first executions, in both ways.
//
//   node samples.mjs work-folder sample.wat...
//
// Exported functions are called in order and without arguments. Prints a line for each sample.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import binaryen from "../../../node_modules/binaryen/index.js";
import { reorder, shuffle } from "./shuffle.mjs";

const [folder, ...samples] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
binaryen.setDebugInfo(true);

const env = { add: (a, b) => a + b, fail: () => { throw new RangeError("from the host"); }, nothing: () => {}, number: 7 };
const show = (value) => typeof value === "object" && value !== null && !Array.isArray(value) ? "an object" : String(value);

// What a module does; nothing if V8 does not know the proposal.
function run(bytes) {
  let module;
  try {
    module = new WebAssembly.Module(bytes, { builtins: ["js-string"], importedStringConstants: "strings" });
  } catch {
    return undefined;
  }
  const { exports } = new WebAssembly.Instance(module, { env, builtin: { tracePoint() {} } });
  const isOwn = ([name, value]) => typeof value === "function" && !name.startsWith("__warpo_");
  return Object.entries(exports).filter(isOwn).map(([name, call]) => {
    try {
      return `${name} = ${show(call())}`;
    } catch (error) {
      return `${name} throws ${error.constructor.name}`;
    }
  }).join("\n");
}

// Binaryen's tools can be told of all features; its library is faster, but not of all of them.
const features = (sample) => ["-all", ...(sample.includes("compact") ? [] : ["--disable-compact-imports"])];
function tool(name, ...args) {
  const path = fileURLToPath(new URL(`../../../node_modules/binaryen/bin/${name}`, import.meta.url));
  execFileSync(process.execPath, [path, ...args], { stdio: ["ignore", "inherit", "ignore"] });
}

// Binaryen writes imports in the compact form wherever it may, which V8 does not know yet.
function assemble(sample, path) {
  try {
    const module = binaryen.parseText(readFileSync(sample, "utf8"));
    const { All, CompactImports } = binaryen.Features;
    module.setFeatures(sample.includes("compact") ? All : All & ~CompactImports);
    writeFileSync(path, module.emitBinary());
  } catch {
    tool("wasm-as", ...features(sample), "-g", sample, "-o", path);
  }
  return readFileSync(path);
}

function isValid(sample, path) {
  let module;
  try {
    module = binaryen.readBinary(readFileSync(path));
  } catch {
    tool("wasm-opt", ...features(sample), path, "-o", `${path}.validated`);
    return true;
  }
  module.setFeatures(binaryen.Features.All);
  return module.validate();
}

for (const sample of samples) {
  const path = `${folder}/${basename(sample, ".wat")}`;
  const original = assemble(sample, `${path}.wasm`);
  reorder(`${path}.wasm`, `${path}.same.wasm`, []);
  if (!readFileSync(`${path}.same.wasm`).equals(original)) throw new Error(`${sample}: no order makes another module`);
  const back = shuffle(`${path}.wasm`, `${path}.shuffled.wasm`);
  reorder(`${path}.shuffled.wasm`, `${path}.back.wasm`, back);
  if (!readFileSync(`${path}.back.wasm`).equals(original)) throw new Error(`${sample}: the way back leads elsewhere`);
  const shuffled = readFileSync(`${path}.shuffled.wasm`);
  if (!isValid(sample, `${path}.shuffled.wasm`)) throw new Error(`${sample}: invalid`);
  const [before, after] = [run(original), run(shuffled)];
  if (before !== after) throw new Error(`${sample}: was\n${before}\nis\n${after}`);
  for (const option of ["--order-memory=globals", "--order-buffer=3"]) {
    const logging = `${path}.logging.wasm`;
    execFileSync("warpo-instrument", ["-q", "--instrumentation=order", option, `${path}.wasm`, "-o", logging,
      "--trace-point-mapping-file", `${path}.map`], { stdio: ["ignore", "inherit", "ignore"] });
    if (!isValid(sample, logging)) throw new Error(`${sample}: invalid with ${option}`);
    const is = run(readFileSync(logging));
    if (is !== before) throw new Error(`${sample}: was\n${before}\nwith ${option} it is\n${is}`);
  }
  const changed = shuffled.equals(original) ? "has one order" : "shuffled";
  console.log(`${basename(sample, ".wat")}: ${changed}, ${before === undefined ? "not run" : "the same"}`);
}
