// Whether a source map says of every instruction of an instrumented module what the original's map
// says of the original: with a decoder and a disassembler that are not warpo's.
//
//   node compare-source-maps.mjs before.wasm before.map after.wasm after.map

import { execFileSync } from "node:child_process";
import { decode, lookUp } from "../../support/source-map.mjs";

// For each function its instructions: [{offset, text}].
function disassemble(file) {
  const options = { encoding: "utf8", maxBuffer: 1 << 28 };
  const functions = [];
  for (const line of execFileSync("wasm-objdump", ["-d", file], options).split("\n")) {
    if (/^[0-9a-f]+ func\[/.test(line)) functions.push([]);
    const match = /^ ([0-9a-f]+): [0-9a-f ]+\| *(\S.*)$/.exec(line);
    if (match && !match[2].startsWith("local["))
      functions.at(-1).push({ offset: parseInt(match[1], 16), text: match[2] });
  }
  return functions;
}

// Takes out trace points, and the block around the body: `block … end`, or
// `try … catch_all rethrow end`.
function withoutInsertions(code, originalSize) {
  const kept = [];
  for (let i = 0; i < code.length; i++)
    if (code[i + 1]?.text.includes("<builtin.tracePoint>")) i++;
    else kept.push(code[i]);
  const added = kept.length - originalSize;
  if (added === (kept[0].text.startsWith("try") ? 4 : 2)) {
    kept.shift();
    kept.splice(-added, added - 1);
  }
  return kept;
}

const [beforeModule, beforeMap, afterModule, afterMap] = process.argv.slice(2);
const before = decode(beforeMap);
const after = decode(afterMap);
const afterFunctions = disassemble(afterModule);
let count = 0;
let known = 0;
disassemble(beforeModule).forEach((code, i) => {
  const moved = withoutInsertions(afterFunctions[i], code.length);
  if (moved.length !== code.length) throw new Error(`function ${i} has other instructions`);
  const first = before.find(({ offset }) => offset >= code[0].offset);
  code.forEach(({ offset, text }, j) => {
    if (moved[j].text.split(" ")[0] !== text.split(" ")[0])
      throw new Error(`${text} became ${moved[j].text}`);
    // What stands before the first entry of a function had no entry of its own.
    if (offset < first?.offset) return;
    const was = lookUp(before, offset);
    const is = lookUp(after, moved[j].offset);
    if (was !== is) throw new Error(`0x${offset.toString(16)} ${text}: ${was} became ${is}`);
    count++;
    if (was) known++;
  });
});
console.log(`${count} instructions, ${known} of a known source`);
