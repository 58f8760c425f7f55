// SPDX-License-Identifier: Apache-2.0
// What JavaScript's own reflection does not tell of a module: the types of its functions and the
// limits of the memories and tables that it imports, and where its start section lies. Reads a
// module that is known to be valid.

import { sectionsOf } from "./wasm-reader.mjs";

export const VALUE_TYPES = {
  0x7f: "i32",
  0x7e: "i64",
  0x7d: "f32",
  0x7c: "f64",
  0x7b: "v128",
  0x70: "funcref",
  0x6f: "externref",
};

/** A value type; `undefined` for one that --arg cannot give. */
const valueType = (reader) => VALUE_TYPES[reader.typeByte()];

const FUNCTION = 0x60;
const STRUCT = 0x5f;
const ARRAY = 0x5e;
const SUB = 0x50;
const SUB_FINAL = 0x4f;
const GROUP = 0x4e;

function readField(reader) {
  reader.typeByte();
  reader.byte();
}

/** The type of a function; undefined for a struct or array. Throws for other types, whose end is unknown. */
function readType(reader, form) {
  if (form === SUB || form === SUB_FINAL) {
    reader.list(() => reader.number());
    form = reader.byte();
  }
  if (form === STRUCT) reader.list(() => readField(reader));
  else if (form === ARRAY) readField(reader);
  else if (form !== FUNCTION) throw new RangeError(`a type of the unknown form ${form}`);
  else return { params: reader.list(() => valueType(reader)), results: reader.list(() => valueType(reader)) };
  return undefined;
}

/** As far as their forms are known. */
function readTypes(reader) {
  const types = [];
  try {
    for (let left = reader.number(); left > 0; --left) {
      const form = reader.byte();
      const isGroup = form === GROUP;
      for (let inGroup = isGroup ? reader.number() : 1; inGroup > 0; --inGroup)
        types.push(readType(reader, isGroup ? reader.byte() : form));
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return types;
}

function readImports(reader, found) {
  const count = reader.number();
  for (let i = 0; i < count; ++i) {
    const entry = { module: reader.name(), name: reader.name() };
    const kind = reader.byte();
    if (kind === 0) {
      found.functions.push(reader.number());
      ++found.importedFunctions;
    } else if (kind === 1)
      found.imports.push({
        ...entry,
        kind: "table",
        element: valueType(reader),
        limits: reader.limits(),
      });
    else if (kind === 2) found.imports.push({ ...entry, kind: "memory", limits: reader.limits() });
    else if (kind === 3) {
      valueType(reader);
      reader.byte();
    } else {
      reader.byte();
      reader.number();
    }
  }
}

/**
 * `functionCount`: without imports; `functionType(name)`: `{ params, results }` of an exported function, undefined if
 * unknown; `functionTypeAt(index)`; `imports`: imported tables and memories with their limits; `start`: `{
 * functionIndex, begin, end }` of the start section, if any; `exportSection`: `{ begin, firstEntry, end }`;
 * `exportNames`: in order. `begin` to `end` is a whole section, with its id and size.
 */
export function readModuleTypes(bytes) {
  const found = {
    types: [],
    functions: [],
    imports: [],
    exports: new Map(),
    start: undefined,
    exportSection: undefined,
    importedFunctions: 0,
  };
  for (const { id, begin, end, contents: section } of sectionsOf(bytes)) {
    if (id === 1) found.types = readTypes(section);
    else if (id === 2) readImports(section, found);
    else if (id === 3)
      found.functions = found.functions.concat(section.list(() => section.number()));
    else if (id === 7) {
      const count = section.number();
      found.exportSection = { begin, firstEntry: section.at, end };
      for (let i = 0; i < count; ++i)
        found.exports.set(section.name(), [section.byte(), section.number()]);
    } else if (id === 8) found.start = { functionIndex: section.number(), begin, end };
  }
  return {
    imports: found.imports,
    start: found.start,
    exportSection: found.exportSection,
    exportNames: [...found.exports.keys()],
    functionCount: found.functions.length - found.importedFunctions,
    functionTypeAt: (index) => found.types[found.functions[index]],
    functionType(name) {
      const [kind, index] = found.exports.get(name) ?? [];
      return kind === 0 ? found.types[found.functions[index]] : undefined;
    },
  };
}
