// SPDX-License-Identifier: Apache-2.0
// Sections for AssemblyScript: parts of its run that a program names by itself.
//
//   import { beginSection, endSection, section } from "warpo/assembly";

import * as builtin from "./builtin";

/** Begins a section of the function that calls this. It ends with the function at the latest. */
export function beginSection(name: string): void {
  // Not an ArrayBuffer: without a collector (runtime `stub`) only what was allocated last is freed.
  const length = String.UTF8.byteLength(name);
  const bytes = heap.alloc(length);
  String.UTF8.encodeUnsafe(
    changetype<usize>(name),
    name.length,
    bytes,
    false,
    String.UTF8.ErrorMode.REPLACE,
  );
  builtin.beginSection(bytes, length);
  heap.free(bytes);
}

/** Ends the innermost section that the calling function has begun. */
export function endSection(): void {
  builtin.endSection();
}

/** Calls a function within a section. */
export function section(name: string, body: () => void): void {
  beginSection(name);
  body();
  endSection();
}
