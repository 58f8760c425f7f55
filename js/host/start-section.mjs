// SPDX-License-Identifier: Apache-2.0
// Makes a module's start function an export, so that the host can call it once the instance exists.
//
// A start section runs while the module is instantiated, when no host function can see the memory
// yet: AssemblyScript's console.log at the top level of a program, or WASI, would fail there. The
// export has the empty name if it is free: then it is as long as the start section that it
// replaces, and the offsets of the code, which traps show, stay.

function leb128(value) {
  const bytes = [];
  do bytes.push((value % 128) | (value >= 128 ? 0x80 : 0));
  while ((value = Math.floor(value / 128)) !== 0);
  return bytes;
}

const section = (id, contents) => [id, ...leb128(contents.length), ...contents];

/**
 * `layout` is what readModuleTypes() says of `bytes`. Returns the changed bytes and the name of the
 * export; `bytes` themselves and `undefined` for a module without a start section.
 */
export function exportStart(bytes, { start, exportSection, exportNames }) {
  if (!start) return { bytes, name: undefined };
  let name = "";
  while (exportNames.includes(name)) name += "_";
  const entry = [...leb128(name.length), ...Buffer.from(name), 0, ...leb128(start.functionIndex)];
  const others = exportSection
    ? bytes.subarray(exportSection.firstEntry, exportSection.end)
    : new Uint8Array();
  const exports = section(7, [...leb128(exportNames.length + 1), ...others, ...entry]);
  // Without exports, the place of the start section is also where the exports belong.
  const before = bytes.subarray(0, exportSection?.begin ?? start.begin);
  const between = bytes.subarray(exportSection?.end ?? start.begin, start.begin);
  return {
    bytes: Buffer.concat([before, Uint8Array.from(exports), between, bytes.subarray(start.end)]),
    name,
  };
}
