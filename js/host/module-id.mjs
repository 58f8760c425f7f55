// The identity that warpo-instrument wrote into a module: the custom section `warpo.module`.
//
//   u8 version = 1 | u64 module id, little endian | 32 bytes BLAKE3 of the original |
//   LEB128 length and build id of the original

import { RunFailure } from "./failures.mjs";

const ID_END = 9;
const HASH_END = ID_END + 32;

/** The module id as a BigInt; `undefined` without the section. */
export function readModuleId(module, path) {
  const sections = WebAssembly.Module.customSections(module, "warpo.module");
  if (sections.length === 0) return undefined;
  const view = new DataView(sections[0]);
  const fail = (what) => new RunFailure(`${path}: the section warpo.module ${what}`);
  if (view.byteLength <= HASH_END)
    throw fail(`has ${view.byteLength} bytes, at least ${HASH_END + 1} are needed`);
  if (view.getUint8(0) !== 1) throw fail(`has version ${view.getUint8(0)}, known is 1`);
  return view.getBigUint64(1, true);
}
