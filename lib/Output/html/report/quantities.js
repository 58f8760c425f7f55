// SPDX-License-Identifier: Apache-2.0
// Formats numbers like lib/Output/Quantities.cpp. Numbers above 2^53 have lost their last digits and are marked with ≈.
const mark = (number) => (number > Number.MAX_SAFE_INTEGER ? "≈ " : "");

function digitsOf(number) {
  return BigInt(Math.round(number)).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

export function groupDigits(number) {
  return mark(number) + digitsOf(number);
}

export function formatTime(nanoseconds) {
  const units = ["ns", "us", "ms", "s"];
  let unit = 0;
  let scale = 1;
  for (; unit < 3 && nanoseconds / scale >= 1000; ++unit) scale *= 1000;
  const whole = Math.floor(nanoseconds / scale);
  let text = digitsOf(whole);
  if (scale > 1 && whole < 1000)
    text += `.${String(nanoseconds % scale).padStart(3 * unit, "0").slice(0, 4 - text.length)}`;
  return `${mark(nanoseconds)}${text} ${units[unit]}`;
}

export function formatWeight(weight, unit) {
  if (unit === "ns") return formatTime(weight);
  return `${groupDigits(weight)} ${weight === 1 ? unit.replace(/s$/, "") : unit}`;
}

// For a narrow column without the unit, which is that of the page's weight.
export const formatCell = (weight, unit) => (unit === "ns" ? formatTime(weight) : groupDigits(weight));

// All digits, for copying.
export const exactWeight = (weight, unit) => `${groupDigits(weight)} ${unit}`;

export function formatShare(part, whole) {
  if (part === 0 || whole === 0) return "0 %";
  if (part >= whole) return "100 %";
  // Must not round up to 100.
  const percent = Math.min((part / whole) * 100, 99.9);
  return percent < 0.1 ? "<0.1 %" : `${percent.toFixed(1)} %`;
}

// `+20.00 us (+66.7 %)`; `isReal`: whether the change exceeds the variation between equal runs.
export function formatChange(before, after, unit, isReal) {
  if (before === after) return "unchanged";
  const sign = after > before ? "+" : "-";
  const difference = Math.abs(after - before);
  const text = `${sign}${formatWeight(difference, unit)}`;
  if (!isReal) return `${text} (within the spread)`;
  if (before === 0) return `${text} (new)`;
  const share = difference / before;
  return `${text} (${sign}${share <= 1 ? formatShare(difference, before) : `${digitsOf(share * 100)} %`})`;
}

export const countOf = (count, noun) => `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`;
