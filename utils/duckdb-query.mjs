// SPDX-License-Identifier: Apache-2.0
// Runs files of SQL in DuckDB and prints their answers as lines, values between tabs, without names of columns.
// Null is \N.
//
// usage: node utils/duckdb-query.mjs DATABASE [variable=value | file.sql]...
//
// DATABASE is a file, made if it is not there, or `:memory:`. Variables hold for the files behind them.
import { readFileSync } from "node:fs";
import { DuckDBInstance, StatementType } from "@duckdb/node-api";

const [database, ...parts] = process.argv.slice(2);
if (database === undefined || parts.length === 0) {
  console.error("usage: node utils/duckdb-query.mjs DATABASE [variable=value | file.sql]...");
  process.exit(1);
}
const shown = (value) => (value === null ? "\\N" : String(value));
try {
  const connection = await (await DuckDBInstance.create(database)).connect();
  for (const part of parts) {
    const variable = /^(\w+)=(.*)$/s.exec(part);
    if (variable) {
      await connection.run(`set variable "${variable[1]}" = '${variable[2].replaceAll("'", "''")}'`);
      continue;
    }
    const answer = await connection.runAndReadAll(readFileSync(part, "utf8"));
    if (answer.statementType === StatementType.SELECT)
      process.stdout.write(answer.getRows().map((row) => `${row.map(shown).join("\t")}\n`).join(""));
  }
} catch (error) {
  console.error(`duckdb-query: error: ${error.message}`);
  process.exitCode = 1;
}
