// node random-records.mjs <first seed> <records>
// Makes records of heap events at random, of several streams, memories and tables, some sampled, with every mistake that a program can make, and compares what
// the tools say of them with the model.
import { rmSync, writeFileSync } from "node:fs";
import { generator } from "../../support/random.mjs";
import { Model, compare } from "./model.mjs";

const [first, count] = process.argv.slice(2).map(Number);
const PATHS = ["main", "main;parse", "main;parse;node", "main;read", "thread", "thread;parse", "thread;parse;node;parse"];
const sums = { events: 0, leaks: 0n };

function sizeOf(random) {
  if (random.chance(0.1)) return 0n;
  if (random.chance(0.02)) return 2n ** 64n - 1n;
  if (random.chance(0.05)) return BigInt(random.below(2 ** 40));
  return BigInt(random.below(random.pick([10, 300, 100000])));
}

function eventsOf(random) {
  const streams = 1 + random.below(3);
  const intervals = Array.from({ length: streams }, () => (random.chance(0.2) ? 1 + random.below(10000) : 0));
  const memories = 1 + random.below(2);
  const addresses = 1 + random.below(random.pick([8, 100]));
  const address = () => (random.chance(0.02) ? 2n ** 64n - 1n - BigInt(random.below(16)) : BigInt(16 * random.below(addresses)));
  // Most programs free what they have.
  const held = [];
  const events = [];
  const sizes = Array(memories).fill(0n);
  // Some records have tables, whose numbers are those of memories too.
  const tables = Array(random.chance(0.5) ? 0 : 3).fill(0n);
  let time = random.below(100);
  for (let left = random.below(random.pick([5, 60, 600])); left > 0; --left) {
    time += random.below(3);
    const memory = random.below(memories);
    const stream = random.below(streams);
    const event = { stream, interval: intervals[stream], time, memory, address: address(), size: 0n, old: 0n, path: random.pick(PATHS) };
    let operation = random.pick(["allocate", "allocate", "allocate", "free", "free", "reallocate", "grow"]);
    if (operation === "grow" && tables.length > 0 && random.chance(0.5)) {
      operation = "grow-table";
      const table = random.below(tables.length);
      tables[table] += random.chance(0.2) ? 0n : BigInt(random.below(random.pick([3, 2 ** 40])));
      if (random.chance(0.1)) tables[table] /= 2n; // as no table does
      Object.assign(event, { memory: table, size: tables[table], address: 0n });
    } else if (operation === "grow") {
      sizes[memory] += random.chance(0.2) ? 0n : 65536n * BigInt(1 + random.below(3));
      Object.assign(event, { size: sizes[memory], address: 0n });
    } else if (operation === "free") {
      if (held.length > 0 && random.chance(0.8)) Object.assign(event, held.splice(random.below(held.length), 1)[0]);
    } else {
      event.size = sizeOf(random);
      if (operation === "reallocate") {
        event.old = address();
        if (held.length > 0 && random.chance(0.8)) {
          const { memory, address: old } = held.splice(random.below(held.length), 1)[0];
          Object.assign(event, { memory, old });
        }
        if (random.chance(0.2)) event.address = event.old;
      }
      if (event.address !== 0n) held.push({ memory: event.memory, address: event.address });
    }
    events.push({ ...event, operation });
  }
  // Of equal times the earlier stream comes first.
  const inOrder = events.map((event, number) => [event, number]);
  inOrder.sort(([a, i], [b, j]) => a.time - b.time || a.stream - b.stream || i - j);
  return inOrder.map(([event]) => event);
}

function textOf(events) {
  const lines = ["warpo-record: 1", "rate: 1", "entries:"];
  const streams = [...new Set(events.map(({ stream }) => stream))].sort();
  for (const stream of streams) {
    lines.push(`  - {module: 1, name: "stream ${stream}"}`);
    const { interval } = events.find(({ stream: of }) => of === stream);
    if (interval !== 0) lines.push(`  - heap-interval: ${interval}`);
    for (const { stream: of, operation, time, memory, address, size, old, path } of events) {
      if (of !== stream) continue;
      const numbers = { allocate: [address, size], free: [address], reallocate: [old, address, size], grow: [size], "grow-table": [size] }[operation];
      lines.push(`  - heap: [${[operation, time, memory, ...numbers, ...path.split(";")].join(", ")}]`);
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

for (let seed = first; seed < first + count; ++seed) {
  const random = generator(seed);
  const events = eventsOf(random);
  if (events.length === 0) continue;
  const since = random.below(events.at(-1).time - events[0].time + 1);
  const model = new Model(events[0].time + since);
  for (const event of events) model.event(event);
  // Streams are numbered in the order of the file.
  const file = `random-${seed}.yaml`;
  writeFileSync(file, textOf(events));
  try {
    compare(file, model, events.at(-1).time === events[0].time + since ? undefined : since);
  } catch (error) {
    console.error(`${file}: ${error.stack}`);
    process.exit(1);
  }
  rmSync(file);
  sums.events += events.length;
  sums.leaks += model.leaks;
}
console.log(`${count} records: ${sums.events} events, ${sums.leaks} objects not freed`);
