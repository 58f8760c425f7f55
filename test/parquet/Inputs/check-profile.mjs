// usage: check-profile.mjs TABLE.parquet CONTEXTS.csv
//
// Compares a table of a profile with the same profile in CSV, value by value. Prints how many rows, groups of rows and paths
// there are.
import { readFileSync } from "node:fs";
import { ask, openDuckDB, readTable, sameRows } from "./tables.mjs";

// RFC 4180.
function readCsv(text) {
  const lines = [[""]];
  let quoted = false;
  for (let i = 0; i < text.length; ++i) {
    const line = lines.at(-1);
    if (text[i] === '"') {
      if (quoted && text[i + 1] === '"')
        line[line.length - 1] += text[i++];
      else
        quoted = !quoted;
    } else if (!quoted && text[i] === ",") {
      line.push("");
    } else if (!quoted && text.startsWith("\r\n", i)) {
      lines.push([""]);
      ++i;
    } else {
      line[line.length - 1] += text[i];
    }
  }
  const [names, ...rows] = lines.slice(0, -1);
  return { names, rows: rows.map((row) => Object.fromEntries(row.map((value, i) => [names[i], value]))) };
}

const [table, csv] = process.argv.slice(2);
const { names, rows: contexts } = readCsv(readFileSync(csv, "utf8"));
const weights = names.slice(names.indexOf("line") + 1);
const texts = ["function", "module", "file"];
// A spreadsheet would take such a name for a formula.
const plain = (name) => (/^'[=+\-@]/.test(name) ? name.slice(1) : name);
const largest = 2n ** 63n - 1n;
const expected = [];
for (const row of contexts) {
  const known = Object.fromEntries(texts.map((name) => [name, row[name] === "" ? null : plain(row[name])]));
  expected.push({
    depth: BigInt(row.depth), stack: [...(expected[row.caller - 1]?.stack ?? []), known.function], ...known,
    line: row.line === "" ? null : BigInt(row.line),
    ...Object.fromEntries(weights.map((name) => [name, BigInt(row[name]) < largest ? BigInt(row[name]) : largest])),
  });
}
const rows = await readTable(table);
const fields = ["depth", "stack", ...texts, "line", ...weights];
sameRows(rows.map((row) => Object.fromEntries(fields.map((name) => [name, row[name]]))), expected, table);
const stackOf = new Map();
for (const { path, stack } of rows) {
  const text = JSON.stringify(stack);
  if ((stackOf.get(path) ?? text) !== text)
    throw new Error(`${table}: path ${path} is of two stacks`);
  stackOf.set(path, text);
}
if (new Set(stackOf.values()).size !== stackOf.size)
  throw new Error(`${table}: a stack has two paths`);
const [{ groups }] = await ask(await openDuckDB(), `select num_row_groups as groups from parquet_file_metadata('${table}')`);
console.log(`${rows.length} contexts in ${groups} groups, ${stackOf.size} paths`);
