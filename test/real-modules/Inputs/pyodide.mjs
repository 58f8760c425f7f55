// Python, three tasks at a time, which wait for promises in the middle of their calls (run_sync).
import { fileURLToPath } from "node:url";
import { dirname } from "node:path";
import { loadPyodide } from "pyodide";

const python = await loadPyodide({ indexURL: dirname(fileURLToPath(import.meta.resolve("pyodide"))) });
const waits = [];
python.globals.set("wait", (number) => new Promise((resolve) => {
  waits.push(number);
  setTimeout(() => resolve(number), 5 * (number % 3));
}));
const program = (task) => `
from pyodide.ffi import run_sync
def deep(n):
    return run_sync(wait(${task}00 + n)) if n == 0 else deep(n - 1) + sum(range(200)) * 0 + run_sync(wait(${task}00 + n))
deep(4)
`;
const results = await Promise.all([1, 2, 3].map((task) => python.runPythonAsync(program(task))));
console.log(results.join(), waits.length);
