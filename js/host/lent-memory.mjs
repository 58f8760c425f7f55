// SPDX-License-Identifier: Apache-2.0
// Texts for functions that take them from the program's memory, where they are not.

import { NO_MEMORY, WasiError } from "./wasi-errno.mjs";

const meet = (a, b) => a.address < b.address + b.size && b.address < a.address + a.size;

/**
 * Calls `action(address...)` with the addresses of `texts` in `memory`. Their place is the program's
 * again, with what it held, when that returns: the program stands still meanwhile. `results` is
 * what the function writes to, `{ address, size }`.
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
