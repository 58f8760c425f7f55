# SPDX-License-Identifier: Apache-2.0
"""Statements for SQLite, such as applications have: two databases that differ in their tables and in what is asked. Both are loaded row by
row and in bulk, indexed, searched for single rows and for ranges, joined, grouped, sorted, updated, and deleted from."""


def numbers(seed):
    """The same ones each time (an LCG's upper bits)."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield seed >> 33


CITIES = ["Aachen", "Bergen", "Cork", "Delft", "Evora", "Faro", "Graz", "Hilo", "Izmir", "Jena", "Kiel", "Lodz"]
THINGS = ["anvil", "basket", "candle", "drum", "easel", "flute", "globe", "hammer", "ink", "jar", "kettle", "lamp"]


def weather(scale):
    """A log of readings: loaded line by line, and asked for averages, extremes, and what lies near each other."""
    number = numbers(1)
    yield "CREATE TABLE station(code TEXT PRIMARY KEY, place TEXT, height INTEGER);"
    yield "CREATE TABLE reading(at INTEGER, station TEXT, kind INTEGER, value REAL, note TEXT);"
    yield "BEGIN;"
    codes = [f"{city[:3].upper()}{i:02}" for city in CITIES for i in range(8)]
    for code in codes:
        yield f"INSERT INTO station VALUES('{code}', 'near {code.title()}', {next(number) % 2000});"
    for i in range(1000 * scale):
        code = codes[next(number) % len(codes)]
        note = "NULL" if next(number) % 4 else f"'checked by {THINGS[next(number) % 12]}'"
        yield f"INSERT INTO reading VALUES({i * 60}, '{code}', {next(number) % 5}, {next(number) % 4000 / 100 - 10}, {note});"
    yield "COMMIT;"
    yield "CREATE INDEX readings ON reading(station, at);"
    yield f"""INSERT INTO reading SELECT at + 30, station, kind, value + (at / 60 % 7) / 10.0, note FROM reading;"""
    for _ in range(60 * scale):
        start = next(number) % (50000 * scale)
        yield f"SELECT at, value FROM reading WHERE station = '{codes[next(number) % len(codes)]}' AND at BETWEEN {start} AND {start + 9000};"
    yield "SELECT station, kind, count(*), avg(value), min(value), max(value) FROM reading GROUP BY station, kind HAVING count(*) > 9;"
    yield """SELECT place, height, avg(value) AS mean FROM reading JOIN station ON code = station WHERE kind = 2 GROUP BY code
ORDER BY mean DESC LIMIT 10;"""
    yield "SELECT at, station, value FROM reading WHERE value > 25 ORDER BY value DESC, at LIMIT 50;"
    yield "SELECT count(*) FROM reading WHERE note LIKE '%drum%' OR upper(substr(station, 1, 2)) = 'CO';"
    yield "UPDATE reading SET value = round(value * 1.8 + 32, 1), note = coalesce(note, 'converted') WHERE kind = 3;"
    yield """SELECT count(*) FROM reading AS a WHERE value > (SELECT avg(value) FROM reading AS b WHERE b.station = a.station
AND b.at BETWEEN a.at - 3000 AND a.at);"""
    yield "DELETE FROM reading WHERE at % 420 = 0;"
    yield "SELECT max(gap) FROM (SELECT at - lag(at) OVER (PARTITION BY station ORDER BY at) AS gap FROM reading);"
    yield "SELECT kind, group_concat(DISTINCT substr(station, 1, 3)) FROM reading GROUP BY kind;"


def shop(scale):
    """Customers and what they ordered: written in transactions, looked up one by one, and reported on."""
    number = numbers(2)
    yield """CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, credit REAL DEFAULT 0);
CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT UNIQUE, price REAL CHECK(price > 0));
CREATE TABLE purchase(id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer, day TEXT);
CREATE TABLE item(purchase INTEGER, product INTEGER, amount INTEGER, PRIMARY KEY(purchase, product)) WITHOUT ROWID;
CREATE INDEX purchases ON purchase(customer);"""
    customers, products = 100 * scale, 30 * scale
    yield "BEGIN;"
    for i in range(customers):
        yield f"INSERT INTO customer(name, city) VALUES('Customer {next(number) % 9973}', '{CITIES[next(number) % 12]}');"
    for i in range(products):
        yield f"INSERT INTO product VALUES({i + 1}, '{THINGS[i % 12]} no. {i}', {next(number) % 9000 / 100 + 1});"
    yield "COMMIT;"
    for i in range(300 * scale):
        yield "BEGIN;"
        yield f"INSERT INTO purchase VALUES({i + 1}, {next(number) % customers + 1}, '2024-{next(number) % 12 + 1:02}-{next(number) % 28 + 1:02}');"
        for _ in range(next(number) % 4 + 1):
            yield f"INSERT OR IGNORE INTO item VALUES({i + 1}, {next(number) % products + 1}, {next(number) % 9 + 1});"
        yield "ROLLBACK;" if i % 50 == 49 else "COMMIT;"
    for _ in range(150 * scale):
        yield f"""SELECT purchase.id, day, sum(amount * price) FROM purchase JOIN item ON purchase = purchase.id
JOIN product ON product.id = product WHERE customer = {next(number) % customers + 1} GROUP BY purchase.id ORDER BY day;"""
    yield """UPDATE customer SET credit = (SELECT total(amount * price) FROM purchase, item, product
WHERE customer = customer.id AND purchase = purchase.id AND product = product.id);"""
    yield "SELECT city, count(*), round(avg(credit), 2) FROM customer GROUP BY city ORDER BY 3 DESC;"
    yield """SELECT product.name, sum(amount) AS sold FROM item JOIN product ON product.id = product GROUP BY product.id
ORDER BY sold DESC, product.name LIMIT 20;"""
    yield """SELECT a.product, b.product, count(*) FROM item AS a JOIN item AS b ON a.purchase = b.purchase AND a.product < b.product
GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 10;"""
    yield "SELECT substr(day, 1, 7) AS month, count(DISTINCT customer) FROM purchase GROUP BY month ORDER BY month;"
    yield "SELECT count(*) FROM product WHERE name GLOB '*1?' OR instr(lower(name), 'lamp') OR length(name) > 13;"
    yield "SELECT name FROM customer WHERE NOT EXISTS (SELECT 1 FROM purchase WHERE customer = customer.id) ORDER BY name LIMIT 30;"
    yield """SELECT city, name, place FROM (SELECT city, name, rank() OVER (PARTITION BY city ORDER BY credit DESC) AS place FROM customer)
WHERE place <= 3;"""
    yield "UPDATE product SET price = round(price * 0.9, 2) WHERE id IN (SELECT product FROM item GROUP BY product HAVING count(*) < 20);"
    yield "DELETE FROM item WHERE purchase IN (SELECT id FROM purchase WHERE day < '2024-02-15');"
    yield f"""WITH RECURSIVE day(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM day WHERE n < {100 * scale})
SELECT count(*), sum(n * n % 11), max(printf('%05d-%s', n, hex(n))) FROM day WHERE n % 3;"""


def text(rounds, database, scale):
    """What compiled/sqlite.c reads."""
    return f"{rounds}\n" + "\n".join(database(scale))
