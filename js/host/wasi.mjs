// SPDX-License-Identifier: Apache-2.0
// WASI by node:wasi, made only for programs that import it.

import { RunFailure, GuestExit } from "./failures.mjs";
import { WasiFiles } from "./wasi-files.mjs";

const VERSIONS = { wasi_snapshot_preview1: "preview1", wasi_unstable: "unstable" };

/** node:wasi without its warning to be experimental, which would stand in the program's output. */
async function importQuietly() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).includes("WASI")) emitWarning.call(process, warning, ...rest);
  };
  return await import("node:wasi");
}

/**
 * The WASI import modules that `module` asks for, and `start(memory)`, to be called before its
 * first function. `options`: `args` (with the program's name), `env`, `preopens` (`{ guest: host
 * }`); `leave(error)` ends the program from anywhere; `world` is that of a deterministic run.
 */
export async function wasiImports(module, { leave, world, ...options }) {
  const wanted = Object.keys(VERSIONS).filter((name) =>
    WebAssembly.Module.imports(module).some((entry) => entry.module === name),
  );
  if (wanted.length === 0) return { imports: {}, start() {} };
  const { WASI } = await importQuietly();
  const imports = {};
  const instances = [];
  let memory;
  const memoryOf = () => memory;
  for (const name of wanted) {
    let wasi, files;
    try {
      wasi = new WASI({ version: VERSIONS[name], ...options });
      files = new WasiFiles(wasi.wasiImport, options.preopens, memoryOf);
    } catch (error) {
      throw new RunFailure(`cannot set up WASI: ${error.message}`);
    }
    instances.push(wasi);
    const functions = files.functions();
    imports[name] = {
      ...functions,
      ...world?.wasi(memoryOf, functions, (number) => files.isStream(number)),
      // Whatever the entry; node:wasi's own would only end wasi.start().
      proc_exit: (code) => leave(new GuestExit(code)),
    };
  }
  return {
    imports,
    start(found) {
      memory = found;
      if (!memory) throw new RunFailure("WASI needs an exported memory, and the module has none");
      // Only the memory: which function is called, and when, is not WASI's to say.
      for (const wasi of instances) wasi.initialize({ exports: { memory } });
    },
  };
}
