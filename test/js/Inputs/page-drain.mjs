// A page in Chromium whose events a worker packs, or not: page-drain.mjs CHROMIUM RECORDER, in the folder of the modules.
import { writeFileSync } from "node:fs";
import { launch, newPage } from "../../../utils/headless-browser.mjs";
import { servePages } from "../../support/page-server.mjs";

const [executablePath, recorder] = process.argv.slice(2);
writeFileSync("page.html", "<!doctype html>");
const folders = { "/": ".", "/warpo/": recorder };
let browser = await launch(executablePath);

/**
 * Calls, deep ones, traps that are caught, a further module, sections, openCalls() and flush(), in a page; in the end, calls that come no
 * faster than they are packed: of those it says who does. With `awaited` nothing is called until the drain runs; `endsDrain`: a task has begun.
 */
async function program({ name, from, options, awaited, endsDrain, isFull }) {
  if (isFull)
    globalThis.SharedArrayBuffer = new Proxy(SharedArrayBuffer, {
      construct: (target, [size, options]) => new target(size, options && { maxByteLength: 1 << 19 }),
    });
  const load = (script) => import(`${from}/warpo/recorder/${script}.mjs`);
  const bytesOf = async (file) => new Uint8Array(await (await fetch(file)).arrayBuffer());
  const { createRecorder } = await load("browser");
  const { EventEncoder } = await load("calls/event-encoder");
  const { DRAIN, DrainState } = await load("threads/drain-state");
  const [module, further] = [await bytesOf("program.wasm"), await bytesOf("further.wasm")];
  const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
  const STEADY = 200000;

  const { pack } = EventEncoder.prototype;
  let packed = 0;
  EventEncoder.prototype.pack = function (begin, ...rest) {
    const end = pack.call(this, begin, ...rest);
    packed += (end - begin) / this.eventSize;
    return end;
  };

  const recorder = createRecorder({ clock: "none", ...options, module });
  let open;
  const host = () => {
    open = recorder.openCalls().length;
    throw new Error("host");
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { ...recorder.imports, env: { host } });
  const { memory } = recorder.own;
  const state = new DrainState(memory.encoder);
  while (awaited && state.value !== DRAIN.running) await turn();
  const check = (condition, what) => {
    if (!condition) throw new Error(what);
  };
  const caught = (action) => {
    try {
      action();
    } catch (error) {
      return error.constructor.name;
    }
    return undefined;
  };
  let other = () => {};
  for (let round = 0; round < 12; ++round) {
    exports.run(10000);
    exports.down(20 << round % 8);
    check(caught(exports.trap) === "RuntimeError", "no trap");
    check(caught(() => exports.out(3)) === "Error", "no error");
    check(open > 0, "no open calls");
    await undefined;
    if (round === 4) {
      const imports = recorder.importsFor(further, { instance: () => instance });
      const instance = new WebAssembly.Instance(new WebAssembly.Module(further), imports);
      ({ other } = instance.exports);
    }
    other();
    if (round % 4 === 1) recorder.flush();
    if (round === 9 && endsDrain) recorder.own.drain.end();
    exports.run(20000 * (round % 5) + 1);
    if (awaited) await turn();
  }
  const before = packed;
  for (let round = 0; round < 20; ++round) {
    exports.run(STEADY / 20);
    while (awaited && state.value === DRAIN.running && memory.filled !== 0) await turn();
  }
  recorder.close();
  const { written, ...missing } = recorder.counts;
  const all = Object.values(missing).reduce((sum, count) => sum + count, written);
  await fetch(`/${name}.warpo`, { method: "POST", body: recorder.blob() });
  const [share] = Object.entries({ none: 2 * STEADY, some: STEADY, most: 0 }).find(([, least]) => packed - before >= least);
  const isExpected = (problem) => problem === undefined || problem.startsWith("calls left by traps");
  const problems = [recorder.error, ...recorder.problems].filter((problem) => !isExpected(problem));
  return `the worker packs ${share} of ${all} events; problems: ${problems.join("; ") || "none"}`;
}

/** A worker of a page, whose own worker packs: worker.mjs. */
async function inWorker({ name }) {
  const { createRecorder, hookWebAssembly } = await import("/warpo/recorder/browser.mjs");
  const recorder = createRecorder({ clock: "none" });
  hookWebAssembly(recorder);
  const worker = new Worker("worker.mjs", { type: "module" });
  const calls = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  worker.terminate();
  recorder.close();
  await fetch(`/${name}.warpo`, { method: "POST", body: recorder.blob() });
  await fetch(`/${name}.calls`, { method: "POST", body: String(calls) });
  return `problems: ${recorder.problems.join("; ") || "none"}`;
}

/** What the program says in a page that has these headers, with a recorder from the page's server or `isElsewhere`. */
async function inPage(name, { headers = {}, isElsewhere = false, run = program, ...how }) {
  const server = await servePages(folders, (path) => (path.endsWith(".html") ? headers : {}));
  const elsewhere = await servePages(folders, () => ({ "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" }));
  const page = await newPage(browser);
  await page.goto(`${server.address}/page.html`);
  console.log(`${name}: ${await page.evaluate(run, { name, from: isElsewhere ? elsewhere.address : "", ...how })}`);
  // They end with the record.
  while (page.workers().length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await page.close();
  server.close();
  elsewhere.close();
}

const PAGES = {
  isolated: { awaited: true },
  exact: { awaited: true, options: { clock: "exact" } },
  small: { awaited: true, options: { bufferBytes: 1 } },
  loose: { headers: { "cross-origin-opener-policy": "unsafe-none", "cross-origin-embedder-policy": "unsafe-none" } },
  alone: { options: { drain: false } },
  busy: {},
  ring: { options: { policy: "ring" } },
  limited: { options: { maxItems: 5000 } },
  tasks: { awaited: true, endsDrain: true },
  policy: { headers: { "content-security-policy": "worker-src 'none'" } },
  elsewhere: { isElsewhere: true },
  full: { awaited: true, isFull: true },
  worker: { run: inWorker },
};
const isFaultOfBrowser = ({ message }) => /crash|closed|net::|could not allocate memory/.test(message);
/** A fault of the browser is not the recorder's: there is a second try, in a new one. */
async function tryPage(name, how, tries = 2) {
  try {
    await inPage(name, how);
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    await browser.close();
    browser = await launch(executablePath);
    if (tries > 1 && isFaultOfBrowser(error)) await tryPage(name, how, tries - 1);
    else process.exitCode = 1;
  }
}
for (const [name, how] of Object.entries(PAGES)) await tryPage(name, how);
await browser.close();
process.exit();
