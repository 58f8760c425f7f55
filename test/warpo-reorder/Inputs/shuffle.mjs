// Orders of modules for tests: not the order that they have, and the same at each run.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

// All functions of a module: {index, kind}, with kind `import` or `defined`. `path` is of a file,
// beside which others are made.
export function functionsOf(path) {
  execFileSync("warpo-instrument", ["-q", "--unwind=none", path, "-o", `${path}.traced`,
    "--trace-point-mapping-file", `${path}.map`, "--info-file", `${path}.json`], { stdio: ["ignore", "inherit", "ignore"] });
  return JSON.parse(readFileSync(`${path}.json`, "utf8")).functions;
}

export function reorder(path, out, order, ...options) {
  writeFileSync(`${out}.order`, order.map((index) => `func[${index}]\n`).join(""));
  execFileSync("warpo-reorder", ["-q", path, "-o", out, "--order", `${out}.order`, ...options],
               { stdio: ["ignore", "inherit", "inherit"] });
}

// Puts a module's functions into an order that has nothing to do with theirs. Returns the order
// that leads back.
export function shuffle(path, out, ...options) {
  const functions = functionsOf(path);
  const defined = functions.filter(({ kind }) => kind === "defined").map(({ index }) => index);
  const order = defined.toSorted((a, b) => ((a * 7919) % 10007) - ((b * 7919) % 10007)).reverse();
  reorder(path, out, order, ...options);
  const place = new Map(order.map((index, i) => [index, functions.length - defined.length + i]));
  return defined.map((index) => place.get(index));
}
