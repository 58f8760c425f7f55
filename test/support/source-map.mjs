// Reads source maps, without anything of warpo's.

import { readFileSync } from "node:fs";

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// [{offset, place}], where a place is "source:line:column name", or "" for none.
export function decode(file) {
  const map = JSON.parse(readFileSync(file, "utf8"));
  const last = [0, 0, 0, 0, 0];
  return map.mappings.split(",").map((segment) => {
    let field = 0;
    for (let i = 0; i < segment.length; field++) {
      let value = 0;
      let scale = 1;
      for (let more = true; more; scale *= 32) {
        const digit = digits.indexOf(segment[i++]);
        more = digit >= 32;
        value += (digit % 32) * scale;
      }
      last[field] += value % 2 ? -(value - 1) / 2 : value / 2;
    }
    const [offset, source, line, column, name] = last;
    const place = field > 1 ? `${map.sources[source]}:${line}:${column}` : "";
    return { offset, place: field > 4 ? `${place} ${map.names[name]}` : place };
  });
}

// The place of an offset; "" for none.
export function lookUp(entries, offset) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle].offset <= offset) low = middle + 1;
    else high = middle;
  }
  return low ? entries[low - 1].place : "";
}
