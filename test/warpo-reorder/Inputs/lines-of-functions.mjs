// What a source map says of a module's instructions, function by function in the order of names, so
// that the order in the module makes no difference.
//
//   node lines-of-functions.mjs module.wasm module.map

import { execFileSync } from "node:child_process";
import { decode, lookUp } from "../../support/source-map.mjs";

const [module, map] = process.argv.slice(2);
const entries = decode(map);
const functions = [];
for (const line of execFileSync("wasm-objdump", ["-d", module], { encoding: "utf8" }).split("\n")) {
  const head = /^[0-9a-f]+ func\[\d+\] <(.*)>:$/.exec(line);
  if (head) functions.push({ name: head[1], lines: [] });
  const match = /^ ([0-9a-f]+): [0-9a-f ]+\| *(\S+)/.exec(line);
  if (match && !match[2].startsWith("local["))
    functions.at(-1).lines.push(`${match[2]} ${lookUp(entries, parseInt(match[1], 16))}`);
}
// What stands before the first entry of a function had its place from the function before.
for (const { name, lines } of functions.sort((a, b) => (a.name < b.name ? -1 : 1)))
  for (const line of lines) console.log(name, line);
