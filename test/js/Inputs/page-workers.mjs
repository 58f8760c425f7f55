// Workers of a page in Chromium: page-workers.mjs CHROMIUM RECORDER kinds|policies, in the folder of program.wasm and app/.
import { readFileSync, writeFileSync } from "node:fs";
import { launch, newPage } from "../../../utils/headless-browser.mjs";
import { servePages } from "../../support/page-server.mjs";

const [executablePath, recorder, what] = process.argv.slice(2);
writeFileSync("page.html", "<!doctype html>");
const folders = { "/": ".", "/warpo/": recorder };
const browser = await launch(executablePath);

/** Runs in a page that has these headers. */
async function inPage(headers, action, argument, ofRecorder = {}) {
  const server = await servePages(folders, (path) => (path.endsWith(".html") ? headers : path.startsWith("/warpo/") ? ofRecorder : {}));
  const elsewhere = await servePages(folders, () => ({ "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" }));
  const page = await newPage(browser);
  await page.goto(`${server.address}/page.html`);
  const result = await page.evaluate(action, { elsewhere: elsewhere.address, ...argument });
  await page.close();
  server.close();
  elsewhere.close();
  return result;
}

async function kinds() {
  const { createRecorder, hookWebAssembly } = await import("/warpo/recorder/browser.mjs");
  const { Worker: Plain } = globalThis;
  const recorder = createRecorder({ bufferBytes: 65536 });
  hookWebAssembly(recorder);
  const lines = [];
  const addresses = new Set();
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    const address = createObjectURL(blob);
    addresses.add(address);
    return address;
  };
  URL.revokeObjectURL = (address) => {
    addresses.delete(address);
    revokeObjectURL(address);
  };
  const module = await WebAssembly.compileStreaming(fetch("/program.wasm"));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const counts = new Int32Array(memory.buffer);

  const text = async (file) => (await fetch(file)).text();
  const blobOf = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const scripts = [
    ["module", "app/module.js", "module"],
    ["classic", new URL("app/classic.js", location.href), "classic"],
    ["blob", blobOf(`${await text("app/answers.js")}; answer();`)],
    ["module blob", blobOf(`import { answer } from "${location.origin}/app/answer.js"; answer();`), "module"],
    ["nested", "app/nested.js"],
  ];
  const workers = scripts.map(([name, script, type], i) => {
    const worker = new Worker(script, type && { type });
    if (String(script).startsWith("blob:")) URL.revokeObjectURL(script);
    const answer = new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(`${name} ${data}`);
      worker.onerror = ({ message }) => resolve(`${name} failed: ${message}`);
    });
    // Before it can have begun.
    for (const number of [1, 2, 3]) worker.postMessage(number);
    worker.postMessage({ module, memory, at: 4 * i, times: 10000 + i, isEndless: i % 2 === 0 });
    return { worker, answer };
  });
  for (const { answer } of workers) lines.push(await answer);
  const throwing = blobOf("throw new Error('thrown');");
  const thrown = new Worker(throwing);
  URL.revokeObjectURL(throwing);
  lines.push(`throws ${await new Promise((resolve) => (thrown.onerror = ({ message }) => resolve(message)))}`);
  lines.push(`same ${thrown instanceof Worker} ${thrown instanceof Plain} ${Worker.prototype.constructor === Worker}`);
  const turn = () => new Promise((resolve) => setTimeout(resolve, 100));
  const until = async (condition) => {
    while (!condition()) await turn();
  };
  await until(() => counts[0] > 20000 && counts[2] > 20000 && counts[4] > 20000);
  // No copy of a script stays.
  await until(() => addresses.size === 0);
  const ended = [0, 4];
  for (const i of ended) workers[i].worker.terminate();
  // They do not end at once.
  for (const i of ended) for (let before = -1; before !== counts[i]; await turn()) before = counts[i];
  // One runs on, now and for itself.
  const least = Array.from(counts);
  recorder.close();
  const most = Array.from(counts);
  await until(() => counts[2] > most[2] + 5000);
  workers[2].worker.terminate();
  lines.push(`problems: ${recorder.problems.join("; ") || "none"}`);
  // The fifth worker calls nothing by itself: the sixth is the one that it started.
  for (const [i, thread] of [1, 2, 3, 4, 6].entries()) lines.push(`thread ${thread} ${least[i]} ${most[i]}`);
  await fetch("/kinds.warpo", { method: "POST", body: recorder.blob() });
  return lines.join("\n");
}

async function policy({ recorder: { from, ...options } = {}, script = "app/plain.js", isBlob, elsewhere }) {
  const { createRecorder, hookWebAssembly } = await import(`${from === "elsewhere" ? elsewhere : ""}/warpo/recorder/browser.mjs`);
  let recorder = { problems: [] };
  const onError = ({ message }) => recorder.problems.push(message);
  hookWebAssembly(() => (recorder = createRecorder(options)), { onError });
  const address = isBlob ? URL.createObjectURL(new Blob([await (await fetch(script)).text()], { type: "text/javascript" })) : script;
  const worker = new Worker(address);
  if (isBlob) URL.revokeObjectURL(address);
  for (const number of [1, 2, 3]) worker.postMessage(number);
  const answer = await new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = () => resolve("failed");
  });
  return `${answer}; problems: ${recorder.problems.join("; ") || "none"}`;
}

/** What workers make of an instrumented module: one by itself, one that is a blob, one that another one starts. */
async function instrumented({ recorder: options }) {
  const { createRecorder, hookWebAssembly } = await import("/warpo/recorder/browser.mjs");
  const recorder = createRecorder(options);
  hookWebAssembly(recorder);
  const bytes = await (await fetch("/program.wasm")).arrayBuffer();
  const script = "app/instrumented.js";
  const blob = URL.createObjectURL(new Blob([await (await fetch(script)).text()], { type: "text/javascript" }));
  const ask = (address, options) => {
    const worker = new Worker(address, options);
    worker.postMessage(bytes);
    return new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => resolve(message);
    });
  };
  const answers = [await ask(script, { type: "module" }), await ask(blob), await ask("app/starts.js")];
  return `${answers}; problems: ${recorder.problems.join("; ")}`;
}

try {
  if (what === "kinds") console.log(await inPage({}, kinds));
  else {
    writeFileSync("app/plain.js", "const got = []; onmessage = ({ data }) => got.push(data) === 3 && postMessage(String(got));");
    const own = { "content-security-policy": "worker-src 'self'" };
    const open = { "cross-origin-opener-policy": "unsafe-none", "cross-origin-embedder-policy": "unsafe-none" };
    writeFileSync(
      "app/instrumented.js",
      `onmessage = ({ data }) => {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
        new WebAssembly.Instance(new WebAssembly.Module(data), { env: { memory } }).exports.run(0, 3);
        postMessage(new Int32Array(memory.buffer)[0]);
      };`,
    );
    writeFileSync(
      "app/starts.js",
      `const worker = new Worker("instrumented.js");
      worker.onmessage = ({ data }) => postMessage(data);
      onmessage = ({ data }) => worker.postMessage(data);`,
    );
    console.log(`isolated, policy none: ${await inPage({}, policy)}`);
    console.log(`isolated, policy worker-src 'self': ${await inPage(own, policy)}`);
    console.log(`not isolated: ${await inPage(open, policy)}`);
    console.log(`limited: ${await inPage({}, policy, { recorder: { maxItems: 5 } })}`);
    console.log(`instrumented, not isolated: ${await inPage(open, instrumented)}`);
    console.log(`instrumented, limited: ${await inPage({}, instrumented, { recorder: { maxItems: 5 } })}`);
    console.log(`elsewhere: ${await inPage({}, policy, { recorder: { from: "elsewhere" } })}`);
    console.log(`data: ${await inPage({}, policy, { script: `data:text/javascript,${readFileSync("app/plain.js")}` })}`);
    console.log(`blob: ${await inPage({}, policy, { isBlob: true })}`);
    console.log(`blob that may not be read: ${await inPage({ "content-security-policy": "connect-src 'self'" }, policy, { isBlob: true })}`);
    console.log(`no recorder: ${await inPage({}, policy, { recorder: { clock: "moon" } })}`);
    // Such workers run without the hook alone.
    const plain = { "content-security-policy": "worker-src *:*/app/" };
    console.log(`policy for the page's own: ${await inPage(plain, policy)}`);
    console.log(`a recorder without headers: ${await inPage({}, policy, {}, { "cross-origin-embedder-policy": "unsafe-none" })}`);
  }
} finally {
  await browser.close();
}
process.exit();
