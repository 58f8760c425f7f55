// usage: print-table.mjs TABLE.parquet: its rows as lines, values between commas as they are, lists between ';'.
import { readTable } from "./tables.mjs";

const rows = await readTable(process.argv[2]);
if (rows.length)
  console.log(Object.keys(rows[0]).join(","));
for (const row of rows)
  console.log(Object.values(row).map((value) => (Array.isArray(value) ? value.join(";") : String(value))).join(","));
