// Runs an exported function of a module and prints what the host sees: the trace points, the calls
// of other imports, the results or the trap. Imported functions return 0, globals and memories are
// made up.
//
//   node run.mjs [--quiet-traces] module.wasm export [arguments...]

import { readFileSync } from "node:fs";

const args = process.argv.slice(2);
const quiet = args[0] === "--quiet-traces";
if (quiet) args.shift();
const [file, entry, ...values] = args;
const module = new WebAssembly.Module(readFileSync(file));

const open = [];
let traces = 0;
function tracePoint(id) {
  traces += 1;
  if (id > 0) open.push(id);
  else if (open.pop() !== -id) console.log(`unbalanced end of ${-id}`);
  if (!quiet) console.log(`trace ${id > 0 ? "+" : "-"}${Math.abs(id) - 0x1000000}`);
}

const imports = {};
for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
  imports[from] ??= {};
  if (from === "builtin" && name === "tracePoint") imports[from][name] = tracePoint;
  else if (kind === "function")
    imports[from][name] = (...given) => {
      console.log(`host ${from}.${name}(${given.join(", ")})`);
      return 0;
    };
  else if (kind === "memory") imports[from][name] = new WebAssembly.Memory({ initial: 1 });
  else if (kind === "table")
    imports[from][name] = new WebAssembly.Table({ initial: 10, element: "anyfunc" });
}

try {
  const { exports } = new WebAssembly.Instance(module, imports);
  if (entry) {
    const parsed = values.map((text) => (text.endsWith("n") ? BigInt(text.slice(0, -1)) : +text));
    console.log(`result ${exports[entry](...parsed)}`);
  }
} catch (error) {
  console.log(`trap ${error.message}`);
}
if (open.length) console.log(`open ${open.map((id) => id - 0x1000000).join(" ")}`);
if (quiet && traces) console.error(`${traces} trace points`);
