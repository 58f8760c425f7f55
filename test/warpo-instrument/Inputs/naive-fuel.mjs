// A count of fuel that has nothing in common with the one that it judges: in the flat text that wabt,
// or npm's Binaryen, makes of a module, the cost of each instruction is added before that
// instruction, one by one.
//
//   node naive-fuel.mjs in.wasm out.wasm [--fuel-costs=table]
//
// The counter is the export `naive_fuel`. Structure that is no instruction at all (the usual costs
// of `block`, `loop`, `else`, `end`) can cost nothing here, so a table must not change that.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const free = new Set(["nop", "block", "loop", "else", "end"]);
// What an exception arrives at is paid behind it; before it stands what it does not come through.
const arrivals = new Set(["catch", "catch_all"]);
const counter = "$naive_fuel";

function readCosts(file) {
  const costs = new Map();
  for (const line of file ? readFileSync(file, "utf8").split("\n") : []) {
    const [mnemonic, cost] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (mnemonic) costs.set(mnemonic, +cost);
  }
  return costs;
}

// How far they indent what stands in the module.
const styles = { wabt: "  ", binaryen: " " };

/** Flat text with a line before each instruction that costs anything. */
export function countNaively(text, costs = new Map(), indent = styles.wabt) {
  const isItem = new RegExp(`^${indent}[()]`);
  const isFunction = new RegExp(`^${indent}\\(func `);
  const instruction = new RegExp(`^${indent}${indent} *([a-z][\\w.]*)`);
  const lines = [];
  let inFunction = false;
  for (const line of text.split("\n")) {
    if (isItem.test(line)) inFunction = isFunction.test(line) && !(indent === styles.wabt && line.endsWith("))"));
    const mnemonic = inFunction && instruction.exec(line)?.[1];
    const cost = mnemonic ? costs.get(mnemonic) ?? (free.has(mnemonic) ? 0 : 1) : 0;
    const add = `global.get ${counter} i64.const ${cost} i64.add global.set ${counter}`;
    if (cost && !arrivals.has(mnemonic)) lines.push(add);
    lines.push(line);
    if (cost && arrivals.has(mnemonic)) lines.push(add);
  }
  const end = lines.findLastIndex((line) => line.endsWith(")"));
  lines[end] = lines[end].slice(0, -1);
  return [...lines, `(global ${counter} (export "naive_fuel") (mut i64) (i64.const 0)))`].join("\n");
}

const binaryen = fileURLToPath(new URL("../../../node_modules/binaryen/bin/", import.meta.url));
// What V8 does not know without a flag, Binaryen would use wherever it may.
const features = ["-all", "--disable-compact-imports", "--disable-custom-descriptors"];
function runBinaryen(tool, ...arguments_) {
  const command = [binaryen + tool, ...features, ...arguments_];
  return execFileSync(process.execPath, command, { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });
}

/**
 * The same by Binaryen, of a module's text. It knows every proposal, but writes what it has read in its own way:
 * the module that it writes becomes `plain`, and that is the one to be compared.
 */
export function instrumentByBinaryen(input, plain, output, costsFile) {
  let text;
  let from = `${plain}.read`;
  runBinaryen("wasm-as", "-g", input, "-o", from);
  // Until the text is what was written, instruction for instruction.
  for (let rest = 4, same = false; !same; from = `${output}.same`) {
    if (rest-- === 0) throw new Error("Binaryen's text is not that of the module that it writes");
    text = runBinaryen("wasm-opt", from, "--print-stack-ir", "-o", plain);
    writeFileSync(`${plain}.wat`, text);
    runBinaryen("wasm-as", `${plain}.wat`, "-o", `${output}.same`);
    same = readFileSync(plain).equals(readFileSync(`${output}.same`));
  }
  writeFileSync(`${output}.wat`, countNaively(text, readCosts(costsFile), styles.binaryen));
  runBinaryen("wasm-as", `${output}.wat`, "-o", output);
}

export function instrument(input, output, costsFile) {
  const options = { encoding: "utf8", maxBuffer: 1 << 30 };
  const text = execFileSync("wasm2wat", ["--enable-all", input], options);
  writeFileSync(`${output}.wat`, countNaively(text, readCosts(costsFile)));
  execFileSync("wat2wasm", ["--enable-all", `${output}.wat`, "-o", output]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [input, output, costs] = process.argv.slice(2);
  instrument(input, output, costs?.replace("--fuel-costs=", ""));
}
