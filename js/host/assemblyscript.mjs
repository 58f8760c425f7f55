// SPDX-License-Identifier: Apache-2.0
// What AssemblyScript's compiler and standard library import from the host: functions of module `env`.

import { GuestAbort, GuestExit } from "./failures.mjs";

/** AssemblyScript's string at `pointer`: UTF-16, preceded by its length in bytes. */
export function readString(memory, pointer) {
  if (!pointer) return "null";
  const start = pointer >>> 0;
  const length = new DataView(memory.buffer).getUint32(start - 4, true);
  // Copied because TextDecoder does not accept shared memory.
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(
    new Uint8Array(memory.buffer, start, length).slice(),
  );
}

/**
 * The imports of one instance, described by a host context (program.mjs). `leave(error)` ends the program from
 * anywhere; `seed()` seeds its random numbers.
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
