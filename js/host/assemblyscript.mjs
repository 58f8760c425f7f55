// SPDX-License-Identifier: Apache-2.0
// What AssemblyScript's compiler and its standard library import from the host, all of it from
// module `env`.

import { GuestAbort, GuestExit } from "./failures.mjs";

/** AssemblyScript's string at `pointer`: UTF-16, its length in bytes stands just before it. */
export function readString(memory, pointer) {
  if (!pointer) return "null";
  const start = pointer >>> 0;
  const length = new DataView(memory.buffer).getUint32(start - 4, true);
  // Copied, since a decoder takes no shared memory.
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(
    new Uint8Array(memory.buffer, start, length).slice(),
  );
}

/**
 * The imports for one instance, described by a host context (see program.mjs). `leave(error)` ends
 * the program from anywhere; `seed()` is where its random numbers begin.
 */
export function assemblyScriptImports(context, leave, seed) {
  const text = (pointer) => context.readString(pointer);
  const imports = {
    abort(message, file, line, column) {
      const what = message ? text(message) : "abort";
      const place = file ? ` at ${text(file)}:${line >>> 0}:${column >>> 0}` : "";
      leave(new GuestAbort(what + place));
    },
    trace(message, count, ...values) {
      const shown = values.slice(0, count).join(", ");
      process.stderr.write(`trace: ${text(message)}${shown && " " + shown}\n`);
    },
    seed,
    "Date.now": () => Date.now(),
    "performance.now": () => performance.now(),
    "process.exit": (code) => leave(new GuestExit(code)),
    "console.assert": (condition, message) => console.assert(condition !== 0, text(message)),
  };
  for (const name of ["log", "debug", "info", "warn", "error", "time", "timeLog", "timeEnd"])
    imports[`console.${name}`] = (pointer) => console[name](text(pointer));
  for (const name of Object.getOwnPropertyNames(Math)) imports[`Math.${name}`] = Math[name];
  return imports;
}
