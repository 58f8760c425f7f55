// SPDX-License-Identifier: Apache-2.0
// The engine's clock and WebAssembly as they are when the recorder is loaded. A host may change afterwards what its program
// sees; the recorder is no part of the program.

export const { performance, queueMicrotask, setTimeout, clearTimeout } = globalThis;
export const { Module, Instance, Memory } = globalThis.WebAssembly;
