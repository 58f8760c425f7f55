// usage: check-calls.mjs TABLE.parquet EVENTS.speedscope.json
//
// Compares the table of a record's calls with the calls that follow from its begins and ends, as another format has them.
// Prints how many calls, groups of rows and paths there are.
import { readFileSync } from "node:fs";
import { ask, openDuckDB, readTable, sameRows } from "./tables.mjs";

const [table, events] = process.argv.slice(2);
const { shared, profiles } = JSON.parse(readFileSync(events, "utf8"));
const expected = [];
for (const profile of profiles) {
  const open = [];
  for (const { type, frame, at } of profile.events) {
    if (type === "O") {
      const caller = open.at(-1);
      const name = shared.frames[frame].name;
      const call = { stream: profile.name, function: name, caller: caller?.function ?? null, depth: BigInt(open.length + 1),
                     stack: `${caller?.stack ?? ""}\0${name}`, start: at, duration: null, self: 0 };
      open.push(call);
      expected.push(call);
    } else {
      const call = open.pop();
      call.duration = at - call.start;
      call.self += call.duration;
      if (open.length)
        open.at(-1).self -= call.duration;
    }
  }
}

const rows = await readTable(table);
const unit = Object.keys(rows[0] ?? { start_ns: 0 }).find((name) => name.startsWith("start_")).slice("start_".length);
const first = rows.map((row) => row[`start_${unit}`]).reduce((a, b) => (a < b ? a : b), rows[0]?.[`start_${unit}`]);
const pathOf = new Map();
const stackOf = new Map();
const found = rows.map((row) => ({ row, start: Number(row[`start_${unit}`] - first) }));
// Calls that outlast a group of rows come later.
const keysOf = ({ start, stream, depth, function: name, caller }) => [start, stream, Number(depth), name, caller ?? ""];
const inOrder = (list, of) => list.map((item) => [item, keysOf(of(item))])
  .sort(([, a], [, b]) => { const i = a.findIndex((part, k) => part !== b[k]); return i < 0 ? 0 : a[i] < b[i] ? -1 : 1; })
  .map(([item]) => item);
const values = inOrder(found, ({ row, start }) => ({ ...row, start })).map(({ row, start }) => ({
  stream: row.stream, function: row.function, caller: row.caller, depth: row.depth, path: row.path, start,
  duration: Number(row[`duration_${unit}`]), self: Number(row[`self_${unit}`]) }));
const calls = inOrder(expected, (call) => call).map(({ stack, ...call }, i) => {
  const path = values[i]?.path;
  if ((pathOf.get(stack) ?? path) !== path || (stackOf.get(path) ?? stack) !== stack)
    throw new Error(`call ${i}: path ${path} and its stack differ`);
  pathOf.set(stack, path);
  stackOf.set(path, stack);
  const { stream, function: name, caller, depth, start, duration, self } = call;
  return { stream, function: name, caller, depth, path, start, duration, self };
});
sameRows(values, calls, table);
const [{ groups }] = await ask(await openDuckDB(), `select num_row_groups as groups from parquet_file_metadata('${table}')`);
console.log(`${rows.length} calls in ${groups} groups, ${pathOf.size} paths`);
