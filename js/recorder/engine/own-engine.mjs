// SPDX-License-Identifier: Apache-2.0
// The engine's clock and WebAssembly when the recorder is loaded. A host may later change what its program sees; the
// recorder must not see that.

export const { performance, queueMicrotask, setTimeout, clearTimeout } = globalThis;
export const { Global, Instance, Memory, Module } = globalThis.WebAssembly;
