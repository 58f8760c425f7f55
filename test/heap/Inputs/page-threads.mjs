// page-threads.mjs CHROMIUM RECORDER, in the folder of app.wasm (threads.wat) and worker.js: writes app.warpo and log.
import { writeFileSync } from "node:fs";
import { launch, newPage } from "../../../utils/headless-browser.mjs";
import { servePages } from "../../support/page-server.mjs";

const [executablePath, recorder] = process.argv.slice(2);
const THREADS = 3;
writeFileSync("page.html", "<!doctype html>");

async function run(threads) {
  const { createRecorder, hookWebAssembly } = await import("/warpo/recorder/browser.mjs");
  const recorder = createRecorder({});
  hookWebAssembly(recorder);
  const module = await WebAssembly.compileStreaming(fetch("/app.wasm"));
  const memory = new WebAssembly.Memory({ initial: 256, maximum: 256, shared: true });
  const words = new Int32Array(memory.buffer);
  const [BLOCKS, COUNT, DONE, LOG] = [2, 3, 6, 0x100000];
  words[BLOCKS] = 0x1000;
  const workers = Array.from({ length: threads }, () => new Worker("worker.js"));
  for (const [i, worker] of workers.entries()) worker.postMessage({ memory, module, number: i + 1, threads });
  const turn = () => new Promise((resolve) => setTimeout(resolve, 20));
  while (Atomics.load(words, DONE) < threads) await turn();
  for (const worker of workers) worker.terminate();
  recorder.close();
  const log = new Uint8Array(memory.buffer).slice(LOG, LOG + 16 * words[COUNT]);
  await fetch("/log", { method: "POST", body: log });
  await fetch("/app.warpo", { method: "POST", body: recorder.blob() });
  return recorder.problems;
}

const server = await servePages({ "/": ".", "/warpo/": recorder }, () => ({}));
const browser = await launch(executablePath);
try {
  const page = await newPage(browser);
  await page.goto(`${server.address}/page.html`);
  const problems = await page.evaluate(run, THREADS);
  if (problems.length > 0) throw new Error(problems.join("; "));
} finally {
  await browser.close();
}
process.exit();
