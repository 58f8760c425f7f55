// A count of fuel that has nothing in common with the one that it judges: in the flat text that wabt
// makes of a module, the cost of each instruction is added before that instruction, one by one.
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

/** Flat text with a line before each instruction that costs anything. */
export function countNaively(text, costs = new Map()) {
  const lines = [];
  let inFunction = false;
  for (const line of text.split("\n")) {
    if (/^  \(/.test(line)) inFunction = /^  \(func /.test(line) && !/^  \(func .*\)\)$/.test(line);
    const mnemonic = inFunction && /^ {4,}([a-z][\w.]*)/.exec(line)?.[1];
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
