// SPDX-License-Identifier: Apache-2.0
// BLAKE3 of bytes, without a key, 32 bytes long: records identify modules by it. In C (blake3.c), because modules of
// dozens of megabytes are hashed while their program runs.

import { moduleOf } from "../engine/clocks.mjs";
import { Instance } from "../engine/own-engine.mjs";

const HASH_SIZE = 32;

let hasher; // made for the first hash

function makeHasher() {
  const { exports } = new Instance(moduleOf("blake3"));
  const { buffer } = exports.memory; // it does not grow
  return { exports, buffer, input: new Uint8Array(buffer, exports.input(), exports.inputSize()) };
}

/** The hash of a Uint8Array. */
export function blake3(bytes) {
  const { exports, buffer, input } = (hasher ??= makeHasher());
  exports.begin();
  let done = 0;
  for (; bytes.length - done > input.length; done += input.length) {
    input.set(bytes.subarray(done, done + input.length));
    exports.add();
  }
  input.set(bytes.subarray(done));
  return new Uint8Array(buffer, exports.finish(bytes.length - done), HASH_SIZE).slice();
}
