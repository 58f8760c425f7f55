// SPDX-License-Identifier: Apache-2.0
// Programs of npm's that benchmarks run: each has its modules, says what its input is, and `load()` gives what one round does;
// where it has another input, `load(true)` gives the same with that. A round of PGlite or esbuild is a promise.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

const GRAMMAR = "tree-sitter-javascript/tree-sitter-javascript.wasm";
const SOURCE = "eslint/lib/linter/linter.js";

function sourceText() {
  const folder = require.resolve("eslint/package.json").replace(/package\.json$/, "");
  return readFileSync(folder + SOURCE.slice("eslint/".length), "utf8");
}

export const programs = {
  "sql.js": {
    input: "a table of 1000 rows, joined with itself and grouped, and a recursive query of 20000 rows",
    modules: ["sql.js/dist/sql-wasm.wasm"],
    other: "two tables of 1500 rows with an index, updated, ordered and searched by patterns",
    async load(isOther) {
      const SQL = await require("sql.js")();
      if (isOther)
        return () => {
          const db = new SQL.Database();
          db.run("CREATE TABLE a (id INTEGER PRIMARY KEY, word TEXT, n REAL); CREATE TABLE b (id INT, a INT); CREATE INDEX i ON b (a)");
          db.run("WITH RECURSIVE f(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM f LIMIT 1500) " +
                 "INSERT INTO a SELECT x, hex(x * 7919 % 1000) || 'w' || x, x / 3.0 FROM f");
          db.run("INSERT INTO b SELECT id * 3, id % 97 FROM a");
          db.run("UPDATE a SET n = n * 2 WHERE word LIKE '%3w%'");
          db.exec("SELECT word, total(n) FROM a JOIN b ON b.a = a.id GROUP BY substr(word, 1, 3) ORDER BY word DESC LIMIT 50");
          db.exec("SELECT max(length(word)), avg(n) FROM a WHERE word GLOB '3*9'");
          db.close();
        };
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
    input: "fib(21), and 2000 numbers sorted, joined and searched by a regular expression",
    modules: ["@jitl/quickjs-wasmfile-release-sync/wasm"],
    other: "objects made, sorted by a key, written as JSON and read again; a sieve of 4000 numbers",
    async load(isOther) {
      const { getQuickJS } = await import("quickjs-emscripten");
      const engine = await getQuickJS();
      if (isOther)
        return () =>
          engine.evalCode(`class P { constructor(x) { this.x = x; this.name = "p" + x; } get twice() { return this.x * 2; } }
            var points = []; for (let i = 0; i < 1500; i++) points.push(new P((i * 7919) % 1009));
            points.sort((a, b) => a.name < b.name ? -1 : 1);
            JSON.parse(JSON.stringify(points.map((p) => ({ k: p.name, v: [p.twice, p.x] })))).length;
            var sieve = new Uint8Array(4000); for (let i = 2; i < 4000; i++) if (!sieve[i]) for (let j = i * i; j < 4000; j += i) sieve[j] = 1;`);
      return () =>
        engine.evalCode(`var fib = (n) => n < 2 ? n : fib(n - 1) + fib(n - 2); fib(21);
          [...Array(2000).keys()].map((x) => (x * 7919) % 1000).sort((a, b) => a - b).join("-")
            .replace(/(\\d)(\\d)-/g, "$2$1")`);
    },
  },
  resvg: {
    input: "a picture of 400 x 300 pixels with 200 circles and 200 curves",
    modules: ["@resvg/resvg-wasm/index_bg.wasm"],
    async load() {
      const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
      await initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
      const shapes = Array.from({ length: 200 }, (_, i) =>
        `<circle cx="${(i * 37) % 400}" cy="${(i * 53) % 300}" r="${5 + (i % 30)}" fill="url(#g)"
          opacity=".5"/><path d="M${i} 0 C 40 ${i}, 65 10, 95 ${300 - i}" stroke="black" fill="none"/>`);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><defs>
        <linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/>
        </linearGradient></defs>${shapes.join("")}</svg>`;
      return () => new Resvg(svg).render().free();
    },
  },
  "tree-sitter": {
    input: `${SOURCE}, parsed; the grammar is a module of its own, which is linked to the parser's`,
    modules: ["web-tree-sitter/web-tree-sitter.wasm", GRAMMAR],
    async load() {
      const { Language, Parser } = await import("web-tree-sitter");
      await Parser.init();
      const parser = new Parser();
      parser.setLanguage(await Language.load(new Uint8Array(readFileSync(require.resolve(GRAMMAR)))));
      const text = sourceText();
      return () => parser.parse(text).delete();
    },
  },
  canvaskit: {
    input: "a PNG of 400 x 300 pixels, decoded and drawn twelve times",
    modules: ["canvaskit-wasm/bin/canvaskit.wasm"],
    async load() {
      const kit = await require("canvaskit-wasm")({ locateFile: (file) => require.resolve(`canvaskit-wasm/bin/${file}`) });
      const surface = kit.MakeSurface(400, 300);
      const canvas = surface.getCanvas();
      const paint = new kit.Paint();
      for (let i = 0; i < 200; ++i) {
        paint.setColor(kit.Color((i * 37) % 256, (i * 53) % 256, (i * 91) % 256, 0.5));
        canvas.drawCircle((i * 37) % 400, (i * 53) % 300, 5 + (i % 30), paint);
      }
      const png = surface.makeImageSnapshot().encodeToBytes();
      return () => {
        const image = kit.MakeImageFromEncoded(png);
        for (let i = 0; i < 12; ++i) canvas.drawImageCubic(image, i, i, 1 / 3, 1 / 3, paint);
        surface.flush();
        image.delete();
      };
    },
  },
  PGlite: {
    input: "a table of 3000 rows, joined with itself, grouped and sorted",
    modules: [join(dirname(require.resolve("@electric-sql/pglite")), "postgres.wasm")],
    async load() {
      const { PGlite } = await import("@electric-sql/pglite");
      const db = await PGlite.create();
      await db.exec("CREATE TABLE city AS SELECT i AS id, 'city ' || i AS name, i % 7 AS country, (i * 7919) % 1000 AS people FROM generate_series(1, 3000) i");
      return () =>
        db.query("SELECT a.country, count(*), sum(a.people * b.people), max(a.name || b.name) FROM city a JOIN city b ON a.people = b.people GROUP BY 1 ORDER BY 3");
    },
  },
  esbuild: {
    input: `${SOURCE}, minified, with a source map`,
    modules: ["esbuild-wasm/esbuild.wasm"],
    async load() {
      // The package's code for pages works in Node as well; its code for Node starts another process.
      globalThis.self = globalThis;
      const esbuild = require("esbuild-wasm/lib/browser.js");
      const wasmModule = await WebAssembly.compile(readFileSync(require.resolve("esbuild-wasm/esbuild.wasm")));
      await esbuild.initialize({ wasmModule, worker: false });
      const text = sourceText();
      return () => esbuild.transform(text, { minify: true, sourcemap: true });
    },
  },
  ffmpeg: {
    input: "a second of ffmpeg's test picture, 25 frames of 320 x 240 pixels, encoded as MPEG-4",
    modules: ["@ffmpeg/core/wasm"],
    async load() {
      // The package is compiled for workers of pages, but all that it needs of one is this.
      globalThis.self = { location: { href: "" } };
      const wasmBinary = readFileSync(require.resolve("@ffmpeg/core/wasm"));
      const ffmpeg = await require("@ffmpeg/core")({ wasmBinary, locateFile: (file) => file });
      return () => {
        const code = ffmpeg.exec("-f", "lavfi", "-i", "testsrc=duration=1:size=320x240:rate=25", "-c:v", "mpeg4", "out.mp4");
        if (code !== 0) throw new Error(`ffmpeg: exit code ${code}`);
        ffmpeg.reset();
      };
    },
  },
};

/** Where the modules of a program are. */
export const filesOf = ({ modules }) => modules.map((module) => require.resolve(module));
