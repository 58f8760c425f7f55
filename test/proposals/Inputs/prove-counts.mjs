// Proves counts on one module: those of a spanning tree are those of a counter for each run, and all instructions together are what fuel
// counts; but fuel is paid for a run whole, also where an exception leaves it in its middle, and counts end runs where one may be caught.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// It is installed beside the tools.
const tools = execFileSync("which", ["warpo-instrument"], { encoding: "utf8" }).trim();
const { artifactsOf } = await import(new URL("../share/warpo/js/recorder/node.mjs", pathToFileURL(tools)));

const FORMS = { tree: "counts,fuel", all: "counts" };
const ROW =
  /^(run|arm),(\d+),(?:"(?:[^"]|"")*"|[^,]*),(0x[\da-f]+),\d*,(\d+),(\d*),(?:"(?:[^"]|"")*"|[^,]*),\d*,(.*)$/;

// What a form counts while `use` works with an instance of it.
function countsOf(form, original, prefix, use) {
  const paths = { module: `${prefix}.${form}.wasm`, counts: `${prefix}.${form}.counts`, csv: `${prefix}.${form}.csv` };
  const tool = (program, ...args) => execFileSync(program, args, { stdio: ["ignore", "inherit", "pipe"] });
  tool("warpo-instrument", "-q", original, "-o", paths.module, `--instrumentation=${FORMS[form]}`, `--counters=${form}`);
  const { module, instance } = use(paths.module);
  const [{ bytes }] = artifactsOf(instance, module);
  writeFileSync(paths.counts, bytes);
  tool("warpo-annotate", `--module-file=${original}`, "--format=csv", paths.counts, "-o", paths.csv);
  const counts = new Map();
  let cost = 0n;
  for (const line of readFileSync(paths.csv, "utf8").trimEnd().split("\n").slice(1)) {
    const [, kind, wasmFunction, offset, executions, each, arm] = ROW.exec(line);
    counts.set(`${kind} ${offset}${arm && ` to ${arm}`} of function ${wasmFunction}`, BigInt(executions));
    cost += BigInt(executions) * BigInt(each || 0);
  }
  return { counts, cost, fuel: instance.exports.__warpo_get_fuel?.() };
}

/** `use(path)` makes an instance of the module there, calls what returns, and gives { module, instance }. */
export function proveCounts(original, prefix, mayCatch, use) {
  const tree = countsOf("tree", original, prefix, use);
  const all = countsOf("all", original, prefix, use);
  for (const [place, executions] of tree.counts)
    if (all.counts.get(place) !== executions)
      throw new Error(`${place}: ${executions} times, but ${all.counts.get(place)} if each run is counted`);
  if (tree.cost > tree.fuel || (tree.cost < tree.fuel && !mayCatch)) throw new Error(`all instructions: ${tree.cost}, but fuel is ${tree.fuel}`);
}
