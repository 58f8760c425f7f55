// SPDX-License-Identifier: Apache-2.0
// Converts command-line arguments to a function's parameter types, and its results to bits.

import { RunFailure } from "./failures.mjs";

const view = new DataView(new ArrayBuffer(8));

function parseInteger(text, bits) {
  if (!/^[+-]?(\d+|0[xX][0-9a-fA-F]+)$/.test(text)) return undefined;
  const negative = text.startsWith("-");
  const magnitude = BigInt(text.replace(/^[+-]/, ""));
  const value = negative ? -magnitude : magnitude;
  // Unsigned numbers are allowed too, for addresses and masks.
  return value >= -(1n << BigInt(bits - 1)) && value < 1n << BigInt(bits)
    ? BigInt.asIntN(bits, value)
    : undefined;
}

/** `round` rounds to the type's precision. Numbers that overflow or underflow it are rejected. */
function parseFloat(text, round) {
  if (/^[+-]?(inf|infinity)$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^[+-]?nan$/i.test(text)) return NaN;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = round(Number(text));
  const saysZero = !/[1-9]/.test(text.replace(/[eE].*/, ""));
  return Number.isFinite(value) && (value !== 0 || saysZero) ? value : undefined;
}

const PARSERS = {
  i32(text) {
    const value = parseInteger(text, 32);
    return value === undefined ? undefined : Number(value);
  },
  i64: (text) => parseInteger(text, 64),
  f32: (text) => parseFloat(text, Math.fround),
  f64: (text) => parseFloat(text, (value) => value),
};

/** The arguments for function `name`; throws RunFailure naming the first that does not fit. */
export function parseArguments(name, params, texts) {
  const wanted = `${params.length} argument${params.length === 1 ? "" : "s"}`;
  if (texts.length !== params.length)
    throw new RunFailure(
      `${name} takes ${wanted} (${params.join(", ")}), --arg gives ${texts.length}`,
    );
  return params.map((type, i) => {
    const value = PARSERS[type]?.(texts[i]);
    if (value === undefined)
      throw new RunFailure(
        `argument ${i + 1} of ${name}: '${texts[i]}' is not a value of type ${type ?? "reference"}`,
      );
    return value;
  });
}

const BITS = {
  i32: (value) => BigInt.asUintN(32, BigInt(value)),
  i64: (value) => BigInt.asUintN(64, value),
  f32(value) {
    view.setFloat32(0, value);
    return BigInt(view.getUint32(0));
  },
  f64(value) {
    view.setFloat64(0, value);
    return view.getBigUint64(0);
  },
};

/** A function's results as `{ type, bits }`, bits in decimal; references have no bits. */
export function describeResults(results, returned) {
  const values = results.length === 0 ? [] : results.length === 1 ? [returned] : [...returned];
  return results.map((type, i) => ({
    type: type ?? "reference",
    bits: BITS[type]?.(values[i]).toString() ?? "",
  }));
}
