// check-threads.mjs END [coarse]: what app.warpo has of threads.wat is what its log says. coarse: the clock has steps in which threads do many
// things, in an order that is not known: what they hand on to each other may be taken for another thread's.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Model, rowsOf } from "./model.mjs";

const [end, clock] = process.argv.slice(2);

const OPERATIONS = ["allocate", "free"];
const words = new Uint32Array(new Uint8Array(readFileSync("log")).buffer);
const log = Array.from({ length: words.length / 4 }, (_, i) => words.subarray(4 * i, 4 * i + 4))
  .map(([thread, operation, address, size]) => ({ thread, operation: OPERATIONS[operation], address, size }));

/** By thread: what its stream has. */
const recorded = new Map();
const dump = execFileSync("warpo-record-dump", ["--strict", "--format=yaml", "app.warpo"], { maxBuffer: 2 ** 28 }).toString();
for (let stream, rest = dump.split("\n"), i = 0; i < rest.length; ++i) {
  const [, thread] = /name: "thread (\d+): heap"/.exec(rest[i]) ?? [];
  if (thread !== undefined) recorded.set(Number(thread), (stream = []));
  const [, operation, address, size] = /heap: \[(allocate|free), \d+, \d+, (\d+)(?:, (\d+))?/.exec(rest[i]) ?? [];
  if (operation !== undefined) stream.push({ operation, address: Number(address), size: Number(size ?? 0) });
}

// A thread reports a free before it frees, and an allocation afterwards: of its last one, only one side may be there.
const told = [];
const logged = new Map([...recorded.keys()].map((thread) => [thread, 0]));
for (const event of log) {
  const at = logged.get(event.thread);
  logged.set(event.thread, at + 1);
  if (end === "terminated" && event.operation === "allocate" && at === recorded.get(event.thread).length) continue;
  const { thread, ...what } = event;
  assert.deepEqual(recorded.get(thread)[at], what);
  told.push(event);
}
for (const [thread, events] of recorded) {
  const more = events.slice(logged.get(thread));
  assert.ok(more.length <= (end === "terminated" ? 1 : 0), `${more.length} events more`);
  for (const event of more) {
    assert.equal(event.operation, "free");
    told.push({ thread, ...event });
  }
}

const made = new Model();
for (const { thread, operation, address, size } of told)
  made.event({ stream: thread, memory: 0, time: 0, operation, address: BigInt(address), size: BigInt(size), old: 0n, path: `run;step;${size % 2 === 1 ? "odd" : "even"}` });
// Times are those of the threads, but not within the lock: what most was live, how long, and meanwhile is not exact.
const sums = (rows) =>
  rows.map((row) => row.split("|")).filter(([heading, , , , what]) => !/^(memory|lifetimes)/.test(heading) && what !== "at the peak")
    .map(([heading, bytes, objects, , what]) => [heading, bytes, objects, what].join("|")).sort();
const inAnyOrder = (rows) => (clock === "coarse" ? rows.filter((row) => /\|allocated$|^sizes/.test(row)) : rows);
const [found, expected] = [sums(rowsOf("app.warpo")), sums(made.rows())];
assert.deepEqual(inAnyOrder(found), inAnyOrder(expected));
if (clock === "coarse") {
  const freed = (rows) => Number(rows.find((row) => row.endsWith("|freed")).split("|")[2]);
  assert.ok(Math.abs(freed(found) - freed(expected)) < freed(expected) / 20, `${freed(found)} freed, not about ${freed(expected)}`);
}
