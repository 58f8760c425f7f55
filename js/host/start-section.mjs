// SPDX-License-Identifier: Apache-2.0
// Turns a module's start function into an export, so that the host can call it once the instance exists.
//
// A start section runs during instantiation, before any host function can see the memory: AssemblyScript's console.log
// at the top level of a program would fail, and so would WASI. The export has the empty name if that is free: it is
// then as long as the start section it replaces, and code offsets, which traps show, stay the same.

function leb128(value) {
  const bytes = [];
  do bytes.push((value % 128) | (value >= 128 ? 0x80 : 0));
  while ((value = Math.floor(value / 128)) !== 0);
  return bytes;
}

const section = (id, contents) => [id, ...leb128(contents.length), ...contents];

/**
 * `layout` is the result of readModuleTypes(bytes). Returns the changed bytes and the export's name, or `bytes` and
 * undefined for a module without a start section.
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
  // If there are no exports, their section belongs where the start section is.
  const before = bytes.subarray(0, exportSection?.begin ?? start.begin);
  const between = bytes.subarray(exportSection?.end ?? start.begin, start.begin);
  return {
    bytes: Buffer.concat([before, Uint8Array.from(exports), between, bytes.subarray(start.end)]),
    name,
  };
}
