// Holds the fuel of a module to a naive count (naive-fuel.mjs), in V8, and to what wabt's interpreter
// makes of the same instrumented module, which prints every value that the counter gets.
//
//   node same-fuel.mjs in.wasm work-prefix [--fuel-costs=table] [--binaryen] [--quiet] [-O2...]
//
// With --binaryen the module is text, which npm's Binaryen reads and makes the flat text of, since wabt does not know what it
// uses; then the interpreter is left out.
//
// Calls all exported functions without parameters, in order; prints a line for each, and how many were
// exact. Behind a trap or an exception, caught or not, the naive count may be less, since what is
// left in the middle of a run stays charged; it is never more.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { instrument, instrumentByBinaryen } from "./naive-fuel.mjs";

const [given, prefix, ...options] = process.argv.slice(2);
const isBinaryen = options.includes("--binaryen");
const own = ["--quiet", "--binaryen"];
const table = options.find((option) => option.startsWith("--fuel-costs="));
const paths = { warpo: `${prefix}.fuel.wasm`, naive: `${prefix}.naive.wasm` };
const costs = table?.slice("--fuel-costs=".length);
const input = isBinaryen ? `${prefix}.plain.wasm` : given;
if (isBinaryen) instrumentByBinaryen(given, input, paths.naive, costs);
else instrument(input, paths.naive, costs);
execFileSync("warpo-instrument", ["-q", "--instrumentation=fuel", ...options.filter((option) => !own.includes(option)), input,
  "-o", paths.warpo, "--trace-point-mapping-file", `${prefix}.map`], { stdio: "ignore" });

const anything = (of) => new Proxy({}, { get: () => of });

function run(path, fuelOf) {
  const module = new WebAssembly.Module(readFileSync(path));
  const { exports } = new WebAssembly.Instance(module, anything(anything(() => 0)));
  const lines = [{ name: "start", fuel: fuelOf(exports), result: "done" }];
  for (const [name, call] of Object.entries(exports)) {
    if (typeof call !== "function" || call.length || name.startsWith("__warpo_")) continue; // wabt runs no others
    const before = fuelOf(exports);
    let result = "returns";
    try {
      call();
    } catch (error) {
      result = error instanceof WebAssembly.Exception ? "throws" : "traps";
    }
    lines.push({ name, fuel: fuelOf(exports) - before, total: fuelOf(exports), result });
  }
  return lines;
}

// What the counter, the last of the globals, holds after each export in wabt's interpreter: nothing
// for one that was not charged anything.
function interpret() {
  const options = ["--enable-all", "--trace", "--dummy-import-func", "--run-all-exports"];
  const totals = new Map();
  let [name, counter] = ["", -1];
  let trace;
  try {
    trace = execFileSync("wasm-interp", [paths.warpo, ...options],
                         { encoding: "utf8", maxBuffer: 1 << 30 });
  } catch (error) {
    trace = error.stdout;
  }
  for (const line of trace.split("\n")) {
    name = /^>>> running export "(.*)":/.exec(line)?.[1] ?? name;
    const [, global, total] = /\| global\.set \$(\d+), (-?\d+)$/.exec(line) ?? [];
    if (global > counter) totals.clear(); // what came before was another global
    counter = Math.max(counter, global ?? -1);
    if (+global === counter) totals.set(name, BigInt(total));
  }
  return totals;
}

const naive = run(paths.naive, (exports) => exports.naive_fuel.value);
const ours = run(paths.warpo, (exports) => exports.__warpo_get_fuel());
const interpreted = isBinaryen ? new Map() : interpret();
let exact = 0;
ours.forEach(({ name, fuel, total, result }, i) => {
  const expected = naive[i];
  if (expected.result !== result) throw new Error(`${name} ${result}, but ${expected.result} before`);
  if (fuel < expected.fuel)
    throw new Error(`${name} ${result} with ${fuel} of fuel; executed were ${expected.fuel}`);
  if (fuel && i && interpreted.has(name) && interpreted.get(name) !== total)
    throw new Error(`${name}: ${total} in V8, ${interpreted.get(name)} in the interpreter`);
  exact += fuel === expected.fuel;
  if (options.includes("--quiet") || !i) return;
  const rest = fuel === expected.fuel ? "" : `, of which ${expected.fuel} executed`;
  console.log(`${name} ${result}: ${fuel}${rest}`);
});
console.log(`same: ${exact} of ${ours.length} exact, ${interpreted.size} in the interpreter, ${ours.at(-1).total} in all`);
