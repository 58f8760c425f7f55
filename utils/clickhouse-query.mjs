// SPDX-License-Identifier: Apache-2.0
// Runs files of SQL in ClickHouse, in this process, and prints their answers as lines, values between tabs, without names of
// columns.
//
// usage: node utils/clickhouse-query.mjs FOLDER [parameter=value | file.sql]...
//
// FOLDER holds the database, and is made if it is not there. Parameters hold for the files behind them. Needs npm's chdb:
// `npm install --no-package-lock --prefix test/parquet/chdb`.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [folder, ...parts] = process.argv.slice(2);
if (folder === undefined || parts.length === 0) {
  console.error("usage: node utils/clickhouse-query.mjs FOLDER [parameter=value | file.sql]...");
  process.exit(1);
}
// Statements end with a semicolon at the end of a line.
const statements = (text) => text.split(/;\s*$/m).filter((statement) => statement.replace(/^\s*--.*$/gm, "").trim() !== "");
try {
  const { Session } = createRequire(new URL("../test/parquet/chdb/package.json", import.meta.url))("chdb");
  const session = new Session(folder);
  session.query("create database if not exists fleet");
  session.query("use fleet");
  for (const part of parts) {
    const parameter = /^(\w+)=(.*)$/s.exec(part);
    if (parameter)
      session.query(`set param_${parameter[1]} = '${parameter[2].replace(/[\\']/g, "\\$&")}'`);
    else
      for (const statement of statements(readFileSync(part, "utf8")))
        process.stdout.write(session.query(statement, "TabSeparatedRaw"));
  }
  session.close?.();
} catch (error) {
  console.error(`clickhouse-query: error: ${error.message}`);
  process.exitCode = 1;
}
