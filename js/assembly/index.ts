// SPDX-License-Identifier: Apache-2.0
// Sections for AssemblyScript: named parts of a program's run.
//
//   import { beginSection, endSection, section } from "warpo/assembly";

import * as builtin from "./builtin";

/** Begins a section of the calling function. It ends when that function returns, at the latest. */
export function beginSection(name: string): void {
  // Not an ArrayBuffer: the runtime `stub`, which has no collector, can free only the last allocation.
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

/** Ends the innermost section begun by the calling function. */
export function endSection(): void {
  builtin.endSection();
}

export function section(name: string, body: () => void): void {
  beginSection(name);
  body();
  endSection();
}
