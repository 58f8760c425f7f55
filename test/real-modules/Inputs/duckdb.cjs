// A query in DuckDB: node duckdb.cjs MODULE, which is one of the package's or what became of it.
const duckdb = require("@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs");

async function main(mainModule) {
  const bundle = { mainModule, mainWorker: "" };
  const db = await duckdb.createDuckDB({ mvp: bundle, eh: bundle }, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME);
  await db.instantiate(() => {});
  const connection = db.connect();
  const rows = connection.query(`SELECT i % 3 AS rest, count(*) AS numbers, sum(i * i)::BIGINT AS squares
    FROM range(10000) AS t(i) GROUP BY rest ORDER BY rest`);
  for (const { rest, numbers, squares } of rows) console.log(`${rest} ${numbers} ${squares}`);
  try {
    connection.query("SELECT nothing FROM nowhere");
  } catch (error) {
    console.log(error.message.split("\n")[0]);
  }
}

main(process.argv[2]).then(() => process.exit(), (error) => {
  console.error(error);
  process.exit(1);
});
