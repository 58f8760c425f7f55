// SPDX-License-Identifier: Apache-2.0
// Samples a page in a headless browser based on Chromium, for `warpo record page.html`:
//
//   node page.mjs <page> <profile to write> <folder for the browser> <microseconds between samples>
//
// A server in this process serves the page, because modules cannot be fetched from files. The run ends when, after
// loading, the page's main thread has been idle for a second, or at SIGINT. The page's console output goes to standard
// output and standard error.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, createReadStream, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [page, output, folder, interval] = process.argv.slice(2);
const programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
const types = {
  ".css": "text/css",
  ".htm": "text/html",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const restMilliseconds = 1000;
// Share of time that an idle page may still use: its timers may go on.
const mostBusyAtRest = 0.1;

const say = (text) => process.stderr.write(`warpo: ${text}\n`);

function findBrowser() {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter))
    for (const name of programs) {
      const file = path.join(folder || ".", name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Try the next one.
      }
    }
  throw new Error(`a page runs in a browser, and there is none of ${programs.join(", ")} on the PATH; a page can record itself: js/README.md`);
}

// Serves the files below the working directory or, if the page is elsewhere, below the page's folder.
async function serve() {
  const file = path.resolve(page);
  const isBelow = (root, other) => other.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
  const root = isBelow(process.cwd(), file) ? process.cwd() : path.dirname(file);
  const server = createServer((request, response) => {
    const refuse = () => response.writeHead(404).end();
    try {
      const asked = path.join(root, decodeURIComponent(new URL(request.url, "http://localhost").pathname));
      if (!isBelow(root, asked) || !statSync(asked).isFile()) return refuse();
      response.writeHead(200, {
        "Content-Type": types[path.extname(asked).toLowerCase()] ?? "application/octet-stream",
        // Required for shared memories.
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "credentialless",
      });
      createReadStream(asked).on("error", () => response.destroy()).pipe(response);
    } catch {
      refuse();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const place = path.relative(root, file).split(path.sep).map(encodeURIComponent).join("/");
  return `http://127.0.0.1:${server.address().port}/${place}`;
}

// The DevTools protocol: JSON messages through two pipes, each message followed by a zero byte.
class Browser {
  #process;
  #answers = new Map();
  #sent = 0;
  // Pieces of an incomplete message.
  #rest = [];
  // Why the browser no longer answers.
  #failure;

  constructor(onEvent) {
    const options = ["--headless=new", "--remote-debugging-pipe", `--user-data-dir=${folder}`, "--no-first-run", "--disable-extensions",
      "--autoplay-policy=no-user-gesture-required", "about:blank"];
    // Chromium's sandbox does not work for root.
    if (process.getuid?.() === 0) options.unshift("--no-sandbox");
    this.#process = spawn(findBrowser(), options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true });
    const fail = (error) => {
      this.#failure = error;
      for (const { reject } of this.#answers.values()) reject(error);
      this.#answers.clear();
    };
    this.#process.on("error", fail);
    this.#process.on("exit", () => fail(new Error("the browser has ended")));
    this.#process.stdio[3].on("error", () => {});
    this.#process.stdio[4].setEncoding("utf8").on("data", (text) => {
      const [first, ...others] = text.split("\0");
      this.#rest.push(first);
      for (const next of others) {
        this.#take(JSON.parse(this.#rest.join("")), onEvent);
        this.#rest = [next];
      }
    });
  }

  #take(message, onEvent) {
    if (message.id) this.#answer(message);
    else onEvent(message.method, message.params, message.sessionId);
  }

  #answer({ id, result, error }) {
    const waiting = this.#answers.get(id);
    this.#answers.delete(id);
    if (error) waiting?.reject(new Error(`the browser: ${error.message}`));
    else waiting?.resolve(result);
  }

  ask(method, params = {}, sessionId = undefined) {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#sent;
    this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#answers.set(id, { resolve, reject }));
  }

  async close() {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null || !this.#process.pid) return;
    const ended = once(this.#process, "exit");
    await this.ask("Browser.close").catch(() => {});
    await Promise.race([ended, sleep(5000, null, { ref: false })]);
    this.#process.kill("SIGKILL");
  }
}

const textOf = ({ value, description, unserializableValue, type }) => String(value ?? unserializableValue ?? description ?? type);

async function record() {
  let isLoaded = false;
  let isInterrupted = false;
  let workers = 0;
  let ask;
  let session;
  let crash;
  // A crashed page answers no requests, whether pending or new.
  const crashed = new Promise((_, reject) => (crash = () => reject(new Error(`${page}: the page has crashed, and what was sampled is lost`))));
  crashed.catch(() => {});
  // A second SIGINT ends this process at once.
  const interrupted = new Promise((resolve) => process.once("SIGINT", resolve)).then(() => (isInterrupted = true));
  const events = {
    // Frames of another origin have their own sessions.
    "Inspector.targetCrashed": (_, sessionId) => sessionId === session && crash(),
    "Page.loadEventFired": () => (isLoaded = true),
    // The page waits for an answer, and there is no user.
    "Page.javascriptDialogOpening": () => ask("Page.handleJavaScriptDialog", { accept: true }).catch(() => {}),
    "Target.attachedToTarget": ({ targetInfo }) => (workers += targetInfo.type === "worker"),
    "Runtime.consoleAPICalled": ({ type, args }) =>
      (["error", "warning"].includes(type) ? process.stderr : process.stdout).write(`${args.map(textOf).join(" ")}\n`),
    "Runtime.exceptionThrown": ({ exceptionDetails: { text, exception } }) => {
      say(`${page}: ${text}${exception?.description ? ` ${exception.description}` : ""}`);
      process.exitCode = 1;
    },
  };
  const url = await serve();
  const browser = new Browser((method, params, sessionId) => events[method]?.(params, sessionId));
  try {
    const { targetInfos } = await browser.ask("Target.getTargets");
    const { targetId } = targetInfos.find(({ type }) => type === "page") ?? (await browser.ask("Target.createTarget", { url: "about:blank" }));
    ({ sessionId: session } = await browser.ask("Target.attachToTarget", { targetId, flatten: true }));
    ask = (method, params) => Promise.race([browser.ask(method, params, session), crashed]);
    for (const domain of ["Runtime", "Page", "Performance", "Profiler"]) await ask(`${domain}.enable`);
    await ask("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    await ask("Profiler.setSamplingInterval", { interval: Number(interval) });
    await ask("Profiler.start");
    const { errorText } = await ask("Page.navigate", { url });
    if (errorText) throw new Error(`${page}: ${errorText}`);
    const busySeconds = async () => {
      const { metrics } = await ask("Performance.getMetrics");
      return metrics.find(({ name }) => name === "TaskDuration").value;
    };
    for (let before = null; !isInterrupted; ) {
      // A busy main thread does not answer until it is idle.
      const busy = await Promise.race([busySeconds(), interrupted]);
      if (isInterrupted) break;
      if (isLoaded && before !== null && busy - before < (mostBusyAtRest * restMilliseconds) / 1000) break;
      before = isLoaded ? busy : null;
      await Promise.race([sleep(restMilliseconds), interrupted]);
    }
    // The page may be in an endless loop.
    if (isInterrupted) ask("Runtime.terminateExecution").catch(() => {});
    const { profile } = await ask("Profiler.stop");
    // Drop the port, which changes with each run.
    const { origin } = new URL(url);
    for (const { callFrame } of profile.nodes)
      if (callFrame.url.startsWith(`${origin}/`)) callFrame.url = callFrame.url.slice(origin.length + 1);
    writeFileSync(output, JSON.stringify(profile));
    if (workers > 0) say(`${page}: it has started ${workers === 1 ? "a worker, which is" : `${workers} workers, which are`} not recorded`);
  } finally {
    await browser.close();
  }
}

try {
  await record();
} catch (error) {
  say(`error: ${error.message}`);
  process.exitCode = 125;
}
process.exit();
