// SPDX-License-Identifier: Apache-2.0
// Turns JavaScript functions into WebAssembly functions, which tables and other instances accept: a module that exports
// its imports makes the engine create them.

import { Instance, Module } from "../engine/own-engine.mjs";
import { VALUE_TYPES } from "./wasm-types.mjs";

const CODES = new Map(Object.entries(VALUE_TYPES).map(([code, name]) => [name, Number(code)]));
const LONGEST_TYPE = 100;

const passing = new Map(); // modules by type

/** A module that imports a function of this type and exports it; undefined for types that it does not know. */
function passingModule({ params, results }) {
  const isKnown = (type) => CODES.has(type) && type !== "v128";
  if (![...params, ...results].every(isKnown) || params.length + results.length > LONGEST_TYPE)
    return undefined;
  const key = `${params}:${results}`;
  if (!passing.has(key)) passing.set(key, makePassing(params, results));
  return passing.get(key);
}

function makePassing(params, results) {
  const codes = (types) => [types.length, ...types.map((type) => CODES.get(type))];
  const section = (id, contents) => [id, contents.length, ...contents];
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...codes(params), ...codes(results)]),
    ...section(2, [1, 0, 0, 0, 0]),
    ...section(7, [1, 0, 0, 0]),
  ];
  return new Module(Uint8Array.from(bytes));
}

/**
 * `passed` as a WebAssembly function of this type; undefined for unknown types. Throws if `passed` is a WebAssembly
 * function of another type.
 */
export function asFunctionOf(type, passed) {
  const module = passingModule(type);
  return module && new Instance(module, { "": { "": passed } }).exports[""];
}
