// SPDX-License-Identifier: Apache-2.0
// Payloads of blocks that hold what was written elsewhere: in another record, or in a module.

import { NUMBERS } from "./record-encoder.mjs";

export const KIND = { clock: 1, module: 2, stream: 3, events: 4, index: 5, end: 6, stacks: 7, samples: 8, places: 10, offsets: 11, switches: 12, heap: 14, linked: 15, steps: 16 };

export class Payload {
  pieces = [];

  u(value) {
    const bytes = [];
    for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
    bytes.push(Number(value));
    return this.bytes(bytes);
  }

  u64(value) {
    return this.bytes(new Uint8Array(BigUint64Array.of(value).buffer));
  }

  function(id) {
    return this.u(BigInt((id - NUMBERS.firstId) & 0x7fffffff) + 1n);
  }

  sized(bytes) {
    return this.u(BigInt(bytes.length)).bytes(bytes);
  }

  bytes(bytes) {
    this.pieces.push(bytes);
    return this;
  }
}
