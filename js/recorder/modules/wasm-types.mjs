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

function readTypes(reader) {
  const types = [];
  const count = reader.number();
  for (let i = 0; i < count; ++i) {
    // Types of the GC proposal: their shapes are not needed, and whatever follows them cannot be
    // found without.
    if (reader.byte() !== 0x60) return types;
    types.push({
      params: reader.list(() => valueType(reader)),
      results: reader.list(() => valueType(reader)),
    });
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
 * `functionCount`: how many functions the module has itself; `functionType(name)`: `{ params, results }` of an exported function, `undefined` if it is
 * unknown; `functionTypeAt(index)`; `imports`: the tables and memories that the module imports, with their limits; `start`: `{
 * functionIndex, begin, end }` of the start section, if any; `exportSection`: `{ begin, firstEntry,
 * end }`; `exportNames`: in their order. `begin` to `end` is a whole section, with its id and size.
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
