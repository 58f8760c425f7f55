import initSqlJs from "sql.js";
// It makes the name of a file of it, whose length the executions of the functions that look at it depend on.
Math.random = () => 0.5;
const SQL = await initSqlJs();
const db = new SQL.Database();
db.run("CREATE TABLE city (name TEXT, country TEXT, people INT); CREATE INDEX by_country ON city (country)");
db.run("CREATE TABLE country (code TEXT, name TEXT)");
const insert = db.prepare("INSERT INTO city VALUES (?, ?, ?)");
for (let i = 0; i < 500; ++i) insert.run([`city ${i}`, "abcdefg"[i % 7], (i * 7919) % 1000]);
insert.free();
db.run("INSERT INTO country VALUES ('a', 'Austria'), ('b', 'Belgium'), ('c', 'Chile')");
const rows = db.exec(`SELECT country.name, count(*), sum(people), max(city.name) FROM city
  JOIN country ON code = country GROUP BY country.name ORDER BY sum(people) DESC`);
console.log(JSON.stringify(rows));
try { db.exec("SELECT nothing FROM nowhere"); } catch (error) { console.log(error.message); }
console.log(JSON.stringify(db.exec("WITH RECURSIVE f(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM f LIMIT 20) SELECT max(a) FROM f")));
db.close();
