// SPDX-License-Identifier: Apache-2.0
// WASI from node:wasi, set up only for programs that import it.

import { RunFailure, GuestExit } from "./failures.mjs";
import { WasiFiles } from "./wasi-files.mjs";

const VERSIONS = { wasi_snapshot_preview1: "preview1", wasi_unstable: "unstable" };

/** Imports node:wasi without its "experimental" warning, which would appear in the program's output. */
async function importQuietly() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).includes("WASI")) emitWarning.call(process, warning, ...rest);
  };
  return await import("node:wasi");
}

/**
 * The WASI modules that `module` imports, and `start(memory)`, to be called before its first function runs. `options`:
 * `args` (with the program's name), `env`, `preopens` (`{ guest: host }`); `leave(error)` ends the program from
 * anywhere; `world` is that of a deterministic run.
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
      // node:wasi's own works only within wasi.start().
      proc_exit: (code) => leave(new GuestExit(code)),
    };
  }
  return {
    imports,
    start(found) {
      memory = found;
      if (!memory) throw new RunFailure("WASI needs an exported memory, and the module has none");
      // Pass on the memory alone: node:wasi must not call any function of the program.
      for (const wasi of instances) wasi.initialize({ exports: { memory } });
    },
  };
}
