// SPDX-License-Identifier: Apache-2.0
// Positions and labels of a ruler's lines.

// 1, 2 or 5 times a power of ten nanoseconds; at least this many.
export function stepFor(nanoseconds) {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(nanoseconds, 1))));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= nanoseconds);
}

// With as many digits as are needed to distinguish lines that are `step` apart.
export function timeText(nanoseconds, step, unit) {
  const units = unit === "ns" ? [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]] : [[unit, 1]];
  const [shown, size] = units.find(([, each]) => Math.max(nanoseconds, step) >= each) ?? units.at(-1);
  const digits = Math.max(0, Math.round(Math.log10(size)) - Math.floor(Math.log10(step)));
  return `${(nanoseconds / size).toFixed(digits)} ${shown}`;
}
