// What two readers that share no code find in Parquet files.
import { DuckDBInstance } from "@duckdb/node-api";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

// A connection with one thread: rows come in the order of the file.
export async function openDuckDB() {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  return instance.connect();
}

// The answer's rows as objects; lists as arrays, whole numbers as BigInt.
export async function ask(connection, query) {
  const answer = await connection.runAndReadAll(query);
  const plain = (value) => (value?.items ? value.items.map(plain) : value);
  return answer.getRowObjects().map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)])));
}

export const text = (value) => JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}n` : part));

export function sameRows(rows, others, what) {
  if (rows.length !== others.length)
    throw new Error(`${what}: ${rows.length} rows, not ${others.length}`);
  rows.forEach((row, i) => {
    if (text(row) !== text(others[i]))
      throw new Error(`${what}, row ${i}:\n${text(row)}\n${text(others[i])}`);
  });
}

// The file's rows, which have to be the same for both readers; and whatever they say of its groups has to be true.
export async function readTable(path) {
  const connection = await openDuckDB();
  const rows = await ask(connection, `from read_parquet('${path}', hive_partitioning = false)`);
  const file = await asyncBufferFromFile(path);
  const others = await parquetReadObjects({ file, compressors });
  sameRows(rows, others, path);
  await checkStatistics(connection, path, rows);
  return rows;
}

async function checkStatistics(connection, path, rows) {
  const chunks = await ask(connection, `select row_group_id as g, row_group_num_rows as size, split_part(path_in_schema, ',', 1) as name,
    stats_min_value as least, stats_max_value as largest, stats_null_count as nulls from parquet_metadata('${path}')`);
  const firstOf = [];
  for (const { g, size } of chunks)
    firstOf[Number(g) + 1] = (firstOf[Number(g)] ??= 0) + Number(size);
  const order = (a, b) => (typeof a === "bigint" ? (a < b ? -1 : a > b ? 1 : 0) : Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const { g, size, name, least, largest, nulls } of chunks) {
    const first = firstOf[Number(g)];
    const values = rows.slice(first, first + Number(size)).map((row) => row[name]);
    if (Array.isArray(values[0]))
      continue;
    const known = values.filter((value) => value !== null).sort(order);
    if (Number(nulls) !== values.length - known.length)
      throw new Error(`${path}: group ${g} of ${name}: ${nulls} nulls`);
    if (least !== null && (least !== String(known[0]) || largest !== String(known.at(-1))))
      throw new Error(`${path}: group ${g} of ${name}: ${least} to ${largest}, not ${known[0]} to ${known.at(-1)}`);
  }
}
