// SPDX-License-Identifier: Apache-2.0
// One start of a program from npm, for benchmarks/order.py: what a user of it waits for.
//
//   node order_programs.mjs program run [module.wasm]
//
// Runs differ in what they work on: of each kind there are more than are used for an order. With a
// module it takes the place of the program's own.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [program, run, replacement] = process.argv.slice(2);
const require = createRequire(import.meta.url);

// Names and numbers of other lengths in each run, and which of some features it uses: no two runs
// do the same, and each feature is used by several.
function inputOf(run) {
  const name = "abcdefgh"[run % 8].repeat(1 + (run % 3));
  const values = Array.from({ length: 5 + 3 * run }, (_, i) => (i * 7919 + run) % 1000);
  return { name, values, uses: (feature) => ((run * 3 + 1) >> (feature + 1)) % 2 === 1 };
}

const programs = {
  // A database with a table, some rows, and the first query.
  async "sql.js"(run) {
    const { default: initSqlJs } = await import("sql.js");
    const SQL = await initSqlJs();
    const db = new SQL.Database();
    const { name, values, uses } = inputOf(run);
    db.run(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, label TEXT, size INT)`);
    if (uses(0)) db.run(`CREATE TABLE other (${name} TEXT)`);
    for (const value of values) db.run(`INSERT INTO ${name} (label, size) VALUES ('${name} ${value}', ${value})`);
    if (uses(1)) db.run(`DELETE FROM ${name} WHERE size > 900`);
    return db.exec(`SELECT label FROM ${name} WHERE size > ${50 * run} ${uses(2) ? "LIMIT 3" : ""}`)[0].values.length;
  },
  // An interpreter, and the first expression that it evaluates.
  async quickjs(run) {
    const { getQuickJS } = await import("quickjs-emscripten");
    const QuickJS = await getQuickJS();
    const { name, values, uses } = inputOf(run);
    const code = `const ${name} = [${values}];
      ${uses(0) ? `${name}.push(${run});` : ""} ${uses(1) ? `${name}.reverse();` : ""}
      ${uses(2) ? `${name}.map((x) => x + ${run}).join()` : `${name}.length * 2`}`;
    return QuickJS.evalCode(code);
  },
  // A renderer, and the first picture that it draws.
  async resvg(run) {
    const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
    await initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
    const { values, uses } = inputOf(run);
    const shapes = values.map((x) => `<rect x="${x % 90}" y="${x % 50}" width="${3 + run}" height="9" fill="#${100 + (x % 800)}"/>`);
    if (uses(0)) shapes.push('<circle cx="60" cy="40" r="25" fill="#fff" opacity=".5"/>');
    if (uses(1)) shapes.push('<path d="M10 70 C 40 10, 65 10, 95 70 S 110 70, 115 20" stroke="black" fill="none" stroke-width="3"/>');
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${100 + run}" height="80">${shapes.join("")}</svg>`;
    return new Resvg(svg, uses(2) ? { fitTo: { mode: "width", value: 200 } } : {}).render().width;
  },
};

const files = {
  "sql.js": "sql.js/dist/sql-wasm.wasm",
  quickjs: "@jitl/quickjs-wasmfile-release-sync/wasm",
  resvg: "@resvg/resvg-wasm/index_bg.wasm",
};

const file = require.resolve(files[program]);
if (run === "--module") {
  console.log(file);
  process.exit(0);
}
if (replacement) {
  const original = readFileSync(file);
  const bytesOf = (source) => {
    const bytes = ArrayBuffer.isView(source) ? Buffer.from(source.buffer, source.byteOffset, source.byteLength) : Buffer.from(source);
    return bytes.equals(original) ? readFileSync(replacement) : source;
  };
  const { Module, Instance, instantiate, compile } = WebAssembly;
  WebAssembly.Module = new Proxy(Module, { construct: (target, [bytes, ...rest]) => new target(bytesOf(bytes), ...rest) });
  WebAssembly.compile = (bytes, ...rest) => compile(bytesOf(bytes), ...rest);
  // The first half of a split module imports what stands in for the functions of the second.
  const placeholder = new Proxy({}, { get: () => () => { throw new Error("a function of the secondary module"); } });
  const withPlaceholders = (imports) => ({ ...imports, placeholder });
  WebAssembly.Instance = new Proxy(Instance, {
    construct: (target, [module, imports]) => new target(module, withPlaceholders(imports)),
  });
  WebAssembly.instantiate = (source, imports, ...rest) =>
    instantiate(source instanceof Module ? source : bytesOf(source), withPlaceholders(imports), ...rest);
  WebAssembly.instantiateStreaming = undefined;
}
console.log(JSON.stringify(await programs[program](+run)));
