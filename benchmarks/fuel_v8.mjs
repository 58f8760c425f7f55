// SPDX-License-Identifier: Apache-2.0
// The measuring part of fuel.py, samples.py and call_kinds.py: one program of npm's, whose module is replaced by another
// form of it.
//
//   node fuel_v8.mjs PROGRAM            prints, as JSON, the path of the program's module
//   node fuel_v8.mjs PROGRAM MODULE ROUNDS EVERY
//
// prints, as JSON, the milliseconds of CPU time of the quickest round and how long that took, what the module exports as fuel a round,
// and how often it called `builtin.sample`, which is due EVERY instructions.
//
//   node fuel_v8.mjs PROGRAM MODULE ROUNDS FREQUENCY PACKAGE
//
// does so with the recorder of PACKAGE, which takes as many samples a second.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const [name, file, rounds, every, packageFolder] = process.argv.slice(2);

// Each loads its program, and gives what a round does.
const programs = {
  "sql.js": {
    module: "sql.js/dist/sql-wasm.wasm",
    async load() {
      const SQL = await require("sql.js")();
      return () => {
        const db = new SQL.Database();
        db.run("CREATE TABLE city (name TEXT, country TEXT, people INT)");
        const insert = db.prepare("INSERT INTO city VALUES (?, ?, ?)");
        for (let i = 0; i < 1000; ++i) insert.run([`city ${i}`, "abcdefg"[i % 7], (i * 7919) % 1000]);
        insert.free();
        db.exec("SELECT a.country, count(*), sum(a.people * b.people) FROM city a JOIN city b " +
                "ON a.people = b.people GROUP BY a.country ORDER BY 3");
        db.exec("WITH RECURSIVE f(a) AS (SELECT 0 UNION ALL SELECT a + 1 FROM f LIMIT 20000) " +
                "SELECT sum(a * a % 17) FROM f");
        db.close();
      };
    },
  },
  QuickJS: {
    module: "@jitl/quickjs-wasmfile-release-sync/wasm",
    async load() {
      const { getQuickJS } = await import("quickjs-emscripten");
      const engine = await getQuickJS();
      return () =>
        engine.evalCode(`var fib = (n) => n < 2 ? n : fib(n - 1) + fib(n - 2); fib(21);
          [...Array(2000).keys()].map((x) => (x * 7919) % 1000).sort((a, b) => a - b).join("-")
            .replace(/(\\d)(\\d)-/g, "$2$1")`);
    },
  },
  resvg: {
    module: "@resvg/resvg-wasm/index_bg.wasm",
    async load() {
      const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
      await initWasm(readFileSync(file));
      const shapes = Array.from({ length: 200 }, (_, i) =>
        `<circle cx="${(i * 37) % 400}" cy="${(i * 53) % 300}" r="${5 + (i % 30)}" fill="url(#g)"
          opacity=".5"/><path d="M${i} 0 C 40 ${i}, 65 10, 95 ${300 - i}" stroke="black" fill="none"/>`);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><defs>
        <linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/>
        </linearGradient></defs>${shapes.join("")}</svg>`;
      return () => new Resvg(svg).render().free();
    },
  },
};

const program = programs[name];
if (!file) {
  console.log(JSON.stringify(require.resolve(program.module)));
  process.exit(0);
}

async function recording() {
  const { createRecorder } = await import(pathToFileURL(resolve(packageFolder, "recorder/node.mjs")));
  const recorder = createRecorder({ module: readFileSync(file), frequency: Number(every), sink() {} });
  await recorder.ready;
  return recorder.imports.builtin;
}

let instance;
let samples = 0;
const sample = (fuel) => (++samples, fuel + BigInt(every));
const builtin = packageFolder ? await recording() : {
  tracePoint() {},
  sample,
  sampleCaller: sample,
  outOfFuel: () => (1n << 63n) - 1n,
  enterFrame() {},
  leaveFrame() {},
};
const { instantiate } = WebAssembly;
WebAssembly.instantiateStreaming = undefined;
WebAssembly.instantiate = async (_, imports) => {
  const result = await instantiate(readFileSync(file), { ...imports, builtin });
  instance = result.instance;
  return result;
};

const run = await program.load();
let least = Infinity;
let elapsed = 0;
let fuel = 0n;
for (let round = 0; round < Number(rounds); ++round) {
  const { __warpo_get_fuel: fuelOf } = instance.exports;
  const [fuelBefore, samplesBefore] = [fuelOf?.(), samples];
  const begin = performance.now();
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  const milliseconds = (user + system) / 1000;
  if (milliseconds < least) [least, elapsed] = [milliseconds, performance.now() - begin];
  if (fuelOf) fuel = fuelOf() - fuelBefore;
  if (round === Number(rounds) - 1) samples -= samplesBefore;
}
console.log(JSON.stringify({ milliseconds: least, elapsed, fuel: String(fuel), samples }));
