// SPDX-License-Identifier: Apache-2.0
// The engine's clock and WebAssembly as they are when the recorder is loaded. A host may change afterwards what its program
// sees; the recorder is no part of the program.

const SEEN = Symbol.for("warpo.engine");

/**
 * What this was called with first. `warpo/register` is one file with a copy of this module: when its program loads other
 * parts of the package, the engine is hooked.
 */
export function asFirstSeen(name, value) {
  if (globalThis[SEEN] === undefined) Object.defineProperty(globalThis, SEEN, { value: {} });
  return (globalThis[SEEN][name] ??= value);
}

function take(object, ...names) {
  return asFirstSeen(names.join(), Object.fromEntries(names.map((name) => [name, object[name]])));
}

export const { performance, queueMicrotask, setTimeout, clearTimeout } = take(globalThis, "performance", "queueMicrotask", "setTimeout", "clearTimeout");
export const { Module, Instance, Memory } = take(globalThis.WebAssembly, "Module", "Instance", "Memory");
