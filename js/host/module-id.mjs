// The identity that warpo-instrument wrote into a module: the custom section `warpo.module`.
//
//   u8 version = 1 | u64 module id, little endian | 32 bytes BLAKE3 of the original | LEB128 length, build id

import { RunFailure } from "./failures.mjs";

const ID_END = 9;
const HASH_END = ID_END + 32;

/** The module id as a BigInt; `undefined` without the section. */
export function readModuleId(module, path) {
  const sections = WebAssembly.Module.customSections(module, "warpo.module");
  if (sections.length === 0) return undefined;
  const view = new DataView(sections[0]);
  if (view.byteLength < 1 || view.getUint8(0) !== 1)
    throw new RunFailure(`${path}: the section warpo.module has version ${view.byteLength < 1 ? "none" : view.getUint8(0)}, known is 1`);
  if (view.byteLength <= HASH_END)
    throw new RunFailure(`${path}: the section warpo.module has ${view.byteLength} bytes, at least ${HASH_END + 1} are needed`);
  return view.getBigUint64(1, true);
}
