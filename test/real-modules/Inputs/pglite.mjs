// PGlite: PostgreSQL, which loads two parts of itself as side modules (dynamic linking). With a file name it writes there how many
// milliseconds the host has spent in calls of the functions that do the work.
import { writeFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";

let depth = 0;
let spent = 0;
const timed = (call) =>
  function (...args) {
    const begin = performance.now();
    ++depth;
    try {
      return call.apply(this, args);
    } finally {
      if (--depth === 0) spent += performance.now() - begin;
    }
  };
// Emscripten's object for the program gets them as members.
for (const name of ["_pg_initdb", "_interactive_one", "_pg_shutdown"])
  Object.defineProperty(Object.prototype, name, {
    set(first) {
      let call = timed(first);
      const set = (next) => {
        call = timed(next);
      };
      Object.defineProperty(this, name, { get: () => call, set });
    },
  });

const db = await PGlite.create();
await db.exec(`CREATE TABLE city (name TEXT, country TEXT, people INT);
  INSERT INTO city SELECT 'city ' || i, chr(97 + i % 7), (i * 7919) % 1000 FROM generate_series(1, 2000) AS s(i);
  CREATE FUNCTION twice(n INT) RETURNS INT AS $$ BEGIN IF n < 0 THEN RAISE 'negative: %', n; END IF; RETURN 2 * n; END $$ LANGUAGE plpgsql;`);
const { rows } = await db.query("SELECT country, count(*)::int AS cities, sum(twice(people))::int AS people FROM city GROUP BY country ORDER BY country");
for (const { country, cities, people } of rows) console.log(country, cities, people);
try {
  await db.query("SELECT twice(-1)");
} catch (error) {
  console.log(error.message);
}
await db.close();
if (process.argv[2]) writeFileSync(process.argv[2], `${spent}\n`);
