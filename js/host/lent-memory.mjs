// SPDX-License-Identifier: Apache-2.0
// Passes texts of the host to functions that read them from the program's memory.

import { NO_MEMORY, WasiError } from "./wasi-errno.mjs";

const meet = (a, b) => a.address < b.address + b.size && b.address < a.address + a.size;

/**
 * Calls `action(address...)` with `texts` copied into `memory`, at addresses whose bytes are restored when it returns;
 * the program does not run meanwhile. `results`, `{ address, size }`, is where `action` writes and is not overlapped.
 * Throws NO_MEMORY if there is no room.
 */
export function withTexts(memory, texts, results, action) {
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  const whole = memory.buffer.byteLength;
  const place = [0, whole - size]
    .map((address) => ({ address, size }))
    .find((candidate) => candidate.address >= 0 && !meet(candidate, results));
  if (place === undefined || size > whole) throw new WasiError(NO_MEMORY);
  const bytes = new Uint8Array(memory.buffer, place.address, size);
  const before = bytes.slice();
  try {
    let end = 0;
    const addresses = texts.map((text) => {
      bytes.set(text, end);
      end += text.length;
      return place.address + end - text.length;
    });
    return action(...addresses);
  } finally {
    bytes.set(before);
  }
}
