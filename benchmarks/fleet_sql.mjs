// SPDX-License-Identifier: Apache-2.0
// The databases' part of fleet.py: fleet_sql.mjs duckdb|clickhouse FOLDER TABLES ROWS loads a folder of one profile, makes
// hosts of it until there are so many rows, and prints, as JSON, how many those are and the seconds that flame-graph.sql takes,
// the least of five runs.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [kind, folder, tables, wanted] = process.argv.slice(2);
const sql = (name) => readFileSync(new URL(`../share/warpo/sql/${kind}/${name}.sql`, import.meta.url), "utf8");

async function duckdb() {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const ask = async (text) => (await connection.runAndReadAll(text)).getRows();
  await ask(`set variable folder = '${tables}'`);
  await ask(sql("load"));
  const copies = Math.ceil(wanted / Number((await ask("select count(*) from samples"))[0][0]));
  await ask(`create or replace table samples as select samples.* replace ('web-' || copy as host) from samples, range(${copies}) as copies(copy)`);
  return { ask, rows: Number((await ask("select count(*) from samples"))[0][0]) };
}

async function clickhouse() {
  const { Session } = createRequire(new URL("../test/parquet/chdb/package.json", import.meta.url))("chdb");
  const session = new Session(folder);
  const ask = async (text) => session.query(text, "TabSeparatedRaw");
  await ask("create database fleet");
  await ask("use fleet");
  await ask(`set param_folder = '${tables}'`);
  for (const statement of sql("load").split(/;\s*$/m).filter((text) => text.replace(/^\s*--.*$/gm, "").trim()))
    await ask(statement);
  const copies = Math.ceil(wanted / Number(await ask("select count() from samples")));
  await ask(`create table hosts engine = MergeTree order by tuple() as
    select * replace (concat('web-', toString(number)) as host) from samples cross join numbers(${copies}) as copies`);
  await ask("exchange tables samples and hosts");
  return { ask, rows: Number(await ask("select count() from samples")) };
}

const { ask, rows } = await { duckdb, clickhouse }[kind]();
const question = sql("flame-graph").replace(/;\s*$/, "");
let seconds = Infinity;
for (let run = 0; run < 5; ++run) {
  const before = performance.now();
  await ask(question);
  seconds = Math.min(seconds, (performance.now() - before) / 1000);
}
console.log(JSON.stringify({ rows, seconds }));
