// Serves files on this machine alone, to pages that are cross-origin isolated, unless they say otherwise. What they post is written to the folder
// in which it runs.
import { createServer } from "node:http";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { extname, join } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

/**
 * `folders` by the address that they have, as in `{ "/": ".", "/warpo/": "js" }`; the longest that fits counts. `headersOf(path)` adds to the
 * answer's. Returns `{ address, close() }`.
 */
export async function servePages(folders, headersOf = () => ({})) {
  const prefixes = Object.keys(folders).sort((one, other) => other.length - one.length);
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (request.method === "POST") {
      await writeFile(`.${pathname}`, request);
      response.end();
      return;
    }
    const prefix = prefixes.find((prefix) => pathname.startsWith(prefix));
    try {
      const content = readFileSync(join(folders[prefix], pathname.slice(prefix.length)));
      response.writeHead(200, {
        "content-type": TYPES[extname(pathname)] ?? "application/octet-stream",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
        ...headersOf(pathname),
      });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
