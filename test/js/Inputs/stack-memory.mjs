// Two modules that call each other, their host, and by it themselves, by lot, with exceptions that leave functions; with `traps` one module, with
// traps that the host catches. At each sample the stack that a host knows is the same, whether it is told each entry and exit or only what has
// changed by then.
//
//   node stack-memory.mjs SEEDS INSTRUMENTATION [VARIANT [WASM-AS...]]
//
// Variants: `table`, the modules share a table with the functions of both; `references`, each has a reference to one of the other's; `left-out`,
// some functions and an import are not instrumented, and the host calls one of them; `given`, the host has a function that it gives one of the
// other module's.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { OpenCalls } from "./node_modules/warpo/recorder/calls/open-calls.mjs";

const [seeds, instrumentation, variant = "plain", ...assembler] = process.argv.slice(2);
const FUNCTIONS = 6;
/** The function that is called by its name alone. */
const DIRECT = 3;
const mayTrap = instrumentation.includes("traps");

/** What a function does in a turn, drawn from the global `seed`. */
const actions = [
  ...Array.from({ length: FUNCTIONS }, (_, i) => `(call $f${i})`),
  ...Array.from({ length: FUNCTIONS }, (_, i) => `(call_indirect (i32.const ${i}))`),
  "(call $other)",
  ...(variant === "table" ? Array.from({ length: FUNCTIONS }, (_, i) => `(call_indirect (i32.const ${FUNCTIONS + i}))`) : []),
  ...(variant === "given" ? ["(call $give (ref.func $taker))", `(if (i32.eqz (ref.is_null (table.get 0 (i32.const ${FUNCTIONS})))) (then (call_indirect (i32.const ${FUNCTIONS}))))`] : []),
  ...(variant === "references" ? ["(call_ref $void (ref.cast (ref $void) (global.get $theirs)))"] : []),
  "(call $host (i32.const 0))",
  "(call $host (i32.const 1))",
  mayTrap ? "(if (i32.eqz (i32.rem_u (global.get $left) (i32.const 5))) (then unreachable))" : "(call $host (i32.const 2))",
  "return",
];
const draw = `(global.set $seed (i32.add (i32.mul (global.get $seed) (i32.const 1103515245)) (i32.const 12345)))`;
const turn = (action, i) => `(if (i32.eq (local.get $what) (i32.const ${i})) (then ${action}))`;
const body = `(local $turns i32) (local $what i32)
  (loop $again
    (if (i32.le_s (global.get $left) (i32.const 0)) (then return))
    (global.set $left (i32.sub (global.get $left) (i32.const 1)))
    ${draw}
    (local.set $what (i32.rem_u (i32.shr_u (global.get $seed) (i32.const 8)) (i32.const ${actions.length})))
    ${actions.map(turn).join("\n")}
    (br_if $again (i32.lt_u (local.tee $turns (i32.add (local.get $turns) (i32.const 1))) (i32.const 3))))`;
const program = `(module
  (import "env" "other" (func $other))
  (import "env" "host" (func $host (param i32)))
  ${variant === "table" ? `(import "env" "table" (table ${2 * FUNCTIONS} funcref)) (import "env" "base" (global $base i32))` : ""}
  ${variant === "references" ? '(type $void (func)) (import "env" "theirs" (global $theirs (mut funcref)))' : ""}
  ${variant === "given" ? '(import "env" "give" (func $give (param funcref)))' : ""}
  (memory 1)
  (global $seed (export "seed") (mut i32) (i32.const 0))
  (global $left (export "left") (mut i32) (i32.const 0))
  ${variant === "table" ? "" : `(table ${FUNCTIONS + 1} funcref)`}
  ${variant === "given" ? `(elem declare func $taker) (func $taker (param funcref) (table.set 0 (i32.const ${FUNCTIONS}) (local.get 0)) (call $f${DIRECT}))` : ""}
  (elem ${variant === "table" ? "(global.get $base)" : "(i32.const 0)"} func ${Array.from({ length: FUNCTIONS }, (_, i) => `$f${i === DIRECT ? 0 : i}`).join(" ")})
  ${Array.from({ length: FUNCTIONS }, (_, i) => `(func $f${i} ${i === DIRECT ? "" : `(export "run${i}")`} ${body})`).join("\n")})`;
writeFileSync("program.wat", program);
if (variant === "references") execFileSync(assembler[0], [...assembler.slice(1), "--enable-gc", "--enable-reference-types", "--enable-bulk-memory", "-g", "program.wat", "-o", "program.wasm"]);
else execFileSync("wat2wasm", ["--debug-names", "program.wat", "-o", "program.wasm"]);

/** All stacks at samples, as texts. */
function run(module, seed) {
  const calls = new OpenCalls();
  const stacks = [];
  const instances = [];
  const table = new WebAssembly.Table({ element: "anyfunc", initial: 2 * FUNCTIONS });
  const theirs = [0, 1].map(() => new WebAssembly.Global({ value: "anyfunc", mutable: true }, null));
  // The last function is left out where any is.
  let starts = 0;
  const start = (number) => instances[mayTrap ? 0 : number].exports[variant === "left-out" && ++starts % 2 ? `run${FUNCTIONS - 1}` : "run0"]();
  const quietly = (action) => {
    try {
      action();
    } catch {
      // What was open goes on.
    }
  };
  const host = (number) => (what) => {
    if (what === 2) throw new Error("by lot");
    quietly(() => start(what === 1 ? 1 - number : number));
  };
  for (const number of [0, 1]) {
    const builtin = {
      enterFrame: (id) => calls.follow(number, id),
      leaveFrame: (id) => calls.follow(number, -id),
      sample(fuel) {
        stacks.push(calls.list().map(({ module, id }) => `${module}:${id}`).join());
        return fuel + 61n;
      },
    };
    const give = (taker) => quietly(() => taker(instances[1 - number].exports.run1));
    const other = number === 0 || mayTrap ? () => start(1) : instances[0].exports.run0;
    instances.push(new WebAssembly.Instance(module, { builtin, env: { other, host: host(number), table, base: number * FUNCTIONS, theirs: theirs[number], give } }));
  }
  for (const [number, { exports }] of instances.entries()) {
    theirs[number].value = instances[1 - number].exports.run1;
    exports.seed.value = seed * 2 + number;
    exports.left.value = 400;
  }
  // What a trap at the outermost call leaves is gone with the task: see OpenCalls.rest().
  for (let round = 0; round < 6; ++round) {
    quietly(() => start(round % 2));
    calls.rest();
  }
  return stacks;
}

const modules = ["shadow", "memory"].map((stack) => {
  const file = `${stack}.wasm`;
  const leftOut = variant === "left-out" ? [`--exclude=f${FUNCTIONS - 1}`, `--exclude=f${FUNCTIONS - 2}`, "--exclude=other"] : [];
  execFileSync("warpo-instrument", ["-q", "--all", ...leftOut, `--instrumentation=${instrumentation}`, `--stack=${stack}`, "program.wasm", "-o", file,
    `--trace-point-mapping-file=${stack}.map`], { stdio: ["ignore", "ignore", "inherit"] });
  return new WebAssembly.Module(readFileSync(file));
});
let [samples, deepest] = [0, 0];
for (let seed = 1; seed <= Number(seeds); ++seed) {
  const [told, kept] = modules.map((module) => run(module, seed));
  told.forEach((stack, i) => {
    if (stack === kept[i]) return;
    console.log(`seed ${seed}, sample ${i}:\ntold ${stack}\nkept ${kept[i]}`);
    process.exit(1);
  });
  if (told.length !== kept.length) throw new Error(`seed ${seed}: ${told.length} samples and ${kept.length}`);
  samples += told.length;
  deepest = Math.max(deepest, ...told.map((stack) => stack.split(",").length));
}
console.log(`${samples > 100 * seeds ? "many" : samples} samples, ${deepest > 20 ? "deep" : deepest}`);
