// SPDX-License-Identifier: Apache-2.0
// Reads single parts of a module, from its bytes or from a WebAssembly.Module: imports, exports, sections, names.

import { Module } from "../engine/own-engine.mjs";
import { sectionsOf, WasmReader } from "./wasm-reader.mjs";

/** A module's imports, in the form of Module.imports(); empty for bytes that are no module. */
export function importsOf(source) {
  if (source instanceof Module) return Module.imports(source);
  try {
    for (const { id, contents } of sectionsOf(source))
      if (id === 2) return readImports(contents);
  } catch {
    // Compiling it will report the error.
  }
  return [];
}

const KINDS = ["function", "table", "memory", "global", "tag"];

export function readImports(reader) {
  const imports = [];
  for (let count = reader.number(); count > 0; --count) {
    const entry = { module: reader.name(), name: reader.name() };
    const kind = reader.byte();
    imports.push({ ...entry, kind: KINDS[kind] });
    if (kind === 0) {
      reader.number();
    } else if (kind === 1) {
      reader.typeByte();
      reader.limits();
    } else if (kind === 2) {
      reader.limits();
    } else if (kind === 3) {
      reader.typeByte();
      reader.byte();
    } else if (kind === 4) {
      reader.byte();
      reader.number();
    } else {
      throw new Error("an import of an unknown kind");
    }
  }
  return imports;
}

/** The exports of a module, given as bytes: `{ name, kind, index }` each; empty for bytes that are no module. */
export function exportsOf(bytes) {
  const exports = [];
  try {
    for (const { id, contents } of sectionsOf(bytes))
      for (let count = id === 7 ? contents.number() : 0; count > 0; --count)
        exports.push({ name: contents.name(), kind: KINDS[contents.byte()], index: contents.number() });
  } catch {
    // Compiling it will report the error.
  }
  return exports;
}

/** Whether a module, given as bytes, has a start function. */
export function hasStart(bytes) {
  try {
    return [...sectionsOf(bytes)].some(({ id }) => id === 8);
  } catch {
    // Compiling it will report the error.
    return false;
  }
}

export function exportsOneOf(source, names) {
  const exports = source instanceof Module ? Module.exports(source) : exportsOf(source);
  return exports.some(({ name }) => names.includes(name));
}

/** The contents of a module's first custom section of this name, or `undefined`. */
export function customSection(source, wanted) {
  if (source instanceof Module) {
    const [section] = Module.customSections(source, wanted);
    return section && new Uint8Array(section);
  }
  for (const { id, contents } of sectionsOf(source))
    if (id === 0 && contents.name() === wanted) return contents.slice(contents.end - contents.at);
  return undefined;
}

/** The contents of a module's name section, or `undefined`. */
export const nameSectionOf = (source) => customSection(source, "name");

/**
 * The module's name and its functions' names (a Map by index) from its name section. If the section
 * is damaged, only what precedes the damage.
 */
export function readNames(section) {
  const names = { module: "", functions: new Map() };
  try {
    if (section !== undefined) readNameSection(section, names);
  } catch {
    // Engines ignore a damaged section, too.
  }
  return names;
}

function readNameSection(section, names) {
  const reader = new WasmReader(section);
  while (!reader.done) {
    const id = reader.byte();
    const part = reader.part(reader.number());
    if (id === 0) names.module = part.name();
    else if (id === 1)
      for (let count = part.number(); count > 0; --count)
        names.functions.set(part.number(), part.name());
  }
}
