// SPDX-License-Identifier: Apache-2.0
// Serves the page: node server.mjs APP.WASM PACKAGE [PORT], with the folder of the npm package
// `warpo`, at any free port unless one is given. A record that is posted to /flamegraph is answered with its flame graph.

import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const [app, packageFolder, port = "0"] = process.argv.slice(2);
if (packageFolder === undefined) {
  console.error("usage: node server.mjs APP.WASM PACKAGE [PORT]");
  process.exit(1);
}
const TYPES = {
  ".html": "text/html",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};
const own = new Map(
  ["index.html", "page.mjs"].map((name) => [
    `/${name}`,
    fileURLToPath(new URL(name, import.meta.url)),
  ]),
);

/** The file behind a path of a request. */
function fileOf(path) {
  if (path === "/") return own.get("/index.html");
  if (path === "/app.wasm") return app;
  if (path.startsWith("/warpo/")) return join(packageFolder, normalize(path.slice(6)));
  return own.get(path);
}

function sendFile(response, file) {
  if (file === undefined) return response.writeHead(404).end();
  createReadStream(file)
    .on("error", () => response.writeHead(404).end())
    .on("open", () => response.setHeader("content-type", TYPES[extname(file)] ?? "text/plain"))
    .pipe(response);
}

function sendFlameGraph(request, response) {
  const tool = spawn("warpo-flamegraph", ["-"]);
  const [graph, messages] = [[], []];
  tool.stdout.on("data", (data) => graph.push(data));
  tool.stderr.on("data", (data) => messages.push(data));
  tool.stdin.on("error", () => {}); // its messages say why it ended
  tool.on("error", (error) => response.writeHead(500).end(error.message));
  tool.on("close", (code) => {
    // 2: done, but events are missing.
    if (code !== 0 && code !== 2) return response.writeHead(500).end(Buffer.concat(messages));
    response.setHeader("content-type", "image/svg+xml");
    response.end(Buffer.concat(graph));
  });
  request.pipe(tool.stdin);
}

const server = createServer((request, response) => {
  // Cross-origin isolated: clock `thread` needs shared memory.
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-embedder-policy", "require-corp");
  const { pathname } = new URL(request.url, "http://page");
  if (request.method === "POST" && pathname === "/flamegraph") sendFlameGraph(request, response);
  else sendFile(response, fileOf(pathname));
});
server.listen(Number(port), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
