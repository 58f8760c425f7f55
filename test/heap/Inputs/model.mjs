// What docs/heap.md says of a record's heaps, worked out slowly from its events alone, and compared with what the tools say.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";

const MOST_FREED = 65536;
const SHOWN_FRAMES = 6; // of a path in the table
const MOST_LIVE = 2n ** 62n;
const MOST = 2n ** 64n - 1n;

const run = (tool, ...args) => execFileSync(tool, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] });

// Of an object of a sampled heap.
const PARTS = 1024n;

/** What an object stands for: of a heap that is sampled so many bytes apart, for those too that were not chosen. */
function weightOf(size, interval) {
  if (interval === 0) return { bytes: size, parts: PARTS };
  const chance = 1 - Math.exp(-Math.max(Number(size), 1) / interval);
  return { bytes: BigInt(Math.round(Number(size) / chance)), parts: BigInt(Math.round(Number(PARTS) / chance)) };
}

class Amount {
  bytes = 0n;
  parts = 0n;
  add({ bytes, parts }, sign = 1n) {
    this.bytes += sign * bytes;
    this.parts += sign * parts;
  }
  get objects() {
    return this.parts / PARTS + ((this.parts % PARTS) * 2n) / PARTS;
  }
  copy() {
    return Object.assign(new Amount(), this);
  }
}
const shown = (number) => (number > MOST ? MOST : number);

class Memory {
  live = new Map(); // by address: { path, text, weight, time, born }
  freed = []; // what was freed, the last one at the end: { address, allocatedBy, freedBy }
  early = []; // frees of nothing, at the time of the last such one: { time, stream, address, their entry in #wrong }
  owed = new Map(); // addresses given out again before their free came: { frees, stream }
  size = 0n;
  isKnown = false;
}

/**
 * Takes the events of all streams in the order of time: `{ stream, interval, operation, time, memory, address, size, old, path }`; bytes and addresses are BigInt,
 * paths texts, outermost function first. */
export class Model {
  #at;
  #memories = new Map();
  #paths = new Map(); // by text: { allocated, live, atPeak, atTime, grown, tablesGrown }, in the order of their first events
  #fresh = new Map(); // by stream, what its last event allocated: { memory, address, object }
  #bytes = 0n; // allocated until now
  #tables = new Map(); // elements, by number
  #tablesAtStart = 0n;
  #now = { live: new Amount(), memory: 0n };
  #start = { memory: 0n };
  #peak = { live: new Amount(), memory: 0n };
  #allocated = new Amount();
  #freed = new Amount();
  #temporary = new Amount();
  #counts = { reallocated: 0, failed: 0, again: 0, never: 0, twice: 0, tooLarge: 0, steps: 0, tableSteps: 0 };
  #wrong = []; // frees: { what, freedBy, before }, paths in text
  #sizes = new Map();
  #lifetimes = new Map();
  #first;
  #last = 0;
  #hasTime = false;
  #sawAllocators = false;
  #isSampled = false;

  /** `at`: the weights atTime are those behind the events of this time. */
  constructor(at) {
    this.#at = at;
  }

  #path(text) {
    if (!this.#paths.has(text))
      this.#paths.set(text, { allocated: new Amount(), live: new Amount(), atPeak: new Amount(), atTime: new Amount(), grown: 0n, tablesGrown: 0n });
    return this.#paths.get(text);
  }
  #keep(field) {
    for (const path of this.#paths.values()) path[field] = path.live.copy();
  }

  event({ stream, interval = 0, operation, time, memory: number, address, size, old, path }) {
    this.#first ??= { time };
    if (this.#at !== undefined && time > this.#at && !this.#hasTime) {
      this.#hasTime = true;
      this.#keep("atTime");
    }
    this.#isSampled ||= interval !== 0;
    this.#last = time;
    if (operation === "grow-table") {
      this.#fresh.delete(stream);
      this.#growTable(number, size, path);
      return;
    }
    if (!this.#memories.has(number)) this.#memories.set(number, new Memory());
    const memory = this.#memories.get(number);
    const fresh = this.#fresh.get(stream);
    this.#fresh.delete(stream);
    this.#sawAllocators ||= operation !== "grow";
    if (operation === "grow") {
      this.#grow(memory, time, size, path);
    } else if (operation === "free") {
      this.#release(stream, interval, memory, time, address, path, fresh);
    } else if (address === 0n) {
      if (operation === "reallocate" || size > 0n) ++this.#counts.failed;
    } else {
      if (operation === "reallocate") {
        ++this.#counts.reallocated;
        this.#release(stream, interval, memory, time, old, path);
      }
      this.#allocate(stream, interval, memory, time, address, size, path);
    }
    if (operation === "reallocate" && address === 0n) ++this.#counts.reallocated;
    if (operation !== "grow" || this.#first.hasCalls) this.#first.hasCalls = true;
    if (this.#now.live.bytes > this.#peak.live.bytes) {
      this.#peak = { live: this.#now.live.copy(), memory: this.#now.memory };
      this.#keep("atPeak");
    }
  }

  #grow(memory, time, size, path) {
    const before = memory.size;
    memory.size = size;
    this.#now.memory += size - before;
    if (!memory.isKnown) {
      memory.isKnown = true;
      if (!this.#first.hasCalls || time === this.#first.time) this.#start.memory += size;
    } else if (size > before) {
      this.#first.hasCalls = true;
      ++this.#counts.steps;
      this.#path(path).grown += size - before;
    }
  }

  /** Elements are no bytes. The first size of a table is that of the start. */
  #growTable(number, size, path) {
    const before = this.#tables.get(number);
    this.#tables.set(number, size);
    if (before === undefined) {
      this.#tablesAtStart += size;
    } else if (size > before) {
      ++this.#counts.tableSteps;
      this.#path(path).tablesGrown += size - before;
    }
  }

  #allocate(stream, interval, memory, time, address, size, text) {
    const weight = weightOf(size, interval);
    if (this.#now.live.bytes + weight.bytes > MOST_LIVE) {
      ++this.#counts.tooLarge;
      return;
    }
    const path = this.#path(text);
    const before = memory.live.get(address);
    const object = { path, text, size, weight, time, born: this.#bytes };
    memory.live.set(address, object);
    const owed = memory.owed.get(address) ?? { frees: 0 };
    if (before) this.#take(before);
    // Objects of no size may share an address for ever.
    if (before && Number(before.size) + Number(size) > 0) {
      ++owed.frees;
      ++this.#counts.twice;
      memory.owed.set(address, owed);
    }
    owed.stream = stream;
    path.allocated.add(weight);
    path.live.add(weight);
    this.#now.live.add(weight);
    this.#allocated.add(weight);
    this.#bytes += weight.bytes;
    this.#count(this.#sizes, size, weight);
    const early = memory.early.find((other) => other.time === time && other.stream !== stream && other.address === address);
    if (early === undefined) {
      this.#fresh.set(stream, { memory, address, object });
      return;
    }
    --this.#counts[early.wrong.what];
    this.#wrong.splice(this.#wrong.indexOf(early.wrong), 1);
    memory.early.splice(memory.early.indexOf(early), 1);
    this.#remove(memory, address, object, early.wrong.freedBy);
  }

  #release(stream, interval, memory, time, address, freedBy, fresh) {
    if (address === 0n) return;
    const owed = memory.owed.get(address);
    if (owed && owed.frees > 0 && owed.stream !== stream) {
      --owed.frees;
      --this.#counts.twice;
      if (owed.frees === 0) memory.owed.delete(address);
      return;
    }
    const object = memory.live.get(address);
    if (object === undefined) {
      // What was not chosen is not known.
      if (interval === 0) this.#miss(memory, stream, time, address, freedBy);
      return;
    }
    this.#remove(memory, address, object, freedBy);
    if (fresh?.memory === memory && fresh.address === address && fresh.object === object) this.#temporary.add(object.weight);
  }

  #miss(memory, stream, time, address, freedBy) {
    const before = memory.freed.findLast((object) => object.address === address);
    const what = before ? "again" : "never";
    ++this.#counts[what];
    const wrong = { what, freedBy, before };
    this.#wrong.push(wrong);
    memory.early = memory.early.filter((other) => other.time === time);
    if (!memory.early.some((other) => other.address === address)) memory.early.push({ time, stream, address, wrong });
  }

  #remove(memory, address, object, freedBy) {
    memory.live.delete(address);
    this.#take(object);
    memory.freed.push({ address, allocatedBy: object.text, freedBy });
    if (memory.freed.length > MOST_FREED) memory.freed.shift();
  }

  #take({ path, weight, born }) {
    path.live.add(weight, -1n);
    this.#now.live.add(weight, -1n);
    this.#freed.add(weight);
    this.#count(this.#lifetimes, this.#bytes - born, weight);
  }

  #count(classes, value, weight) {
    const bits = value === 0n ? 0 : value.toString(2).length;
    if (!classes.has(bits)) classes.set(bits, new Amount());
    classes.get(bits).add(weight);
  }

  /** Of each path the bytes and objects, as `name` has them: allocated, live, atPeak or atTime. */
  weights(name) {
    const paths = [...this.#paths].filter(([, path]) => path.allocated.parts > 0n && path[name].bytes > 0n);
    return Object.fromEntries(paths.map(([text, path]) => [text, String(path[name].bytes)]));
  }

  get peakBytes() {
    return this.#peak.live.bytes;
  }
  get leaks() {
    return this.#now.live.objects;
  }

  /** The rows of the table: heading, bytes, objects, age, what. */
  rows() {
    const rows = [];
    let heading;
    const add = (bytes, objects, what, age = "") => rows.push([heading, bytes === "" ? "" : String(shown(bytes)), String(objects), String(age), what].join("|"));
    const amount = ({ bytes, objects }, what, age) => add(bytes, objects, what, age);
    const count = (number, what) => number > 0 && add("", number, what);
    const innermostFirst = (text) => {
      const frames = text.split(";").reverse();
      return [...frames.slice(0, SHOWN_FRAMES), ...(frames.length > SHOWN_FRAMES ? ["..."] : [])].join(" < ");
    };
    heading = "memory";
    if (this.#now.memory > 0n) {
      add(this.#start.memory, "", "at the start");
      if (this.#peak.live.bytes > 0n) add(this.#peak.memory, "", "at the peak");
      add(this.#now.memory, "", "at the end");
    }
    if (this.#sawAllocators) {
      heading = "live, as a share of the memory";
      if (this.#peak.live.bytes > 0n) amount(this.#peak.live, "at the peak");
      amount(this.#now.live, "at the end");
      heading = "allocated and freed";
      amount(this.#allocated, "allocated");
      amount(this.#freed, "freed");
      if (!this.#isSampled) amount(this.#temporary, "temporary: freed by the very next heap event of its thread");
    }
    if (!this.#isSampled) {
      count(this.#counts.reallocated, "reallocated (counts as freed and allocated)");
      count(this.#counts.failed, "allocations that failed");
    }
    heading = "wrong";
    count(this.#counts.again, "freed again, soon after they were freed");
    count(this.#counts.never, "freed, but never allocated");
    const wrong = new Map();
    for (const { what, freedBy, before } of this.#wrong) {
      const key = [what, ...[freedBy, before?.freedBy, before?.allocatedBy].map((path) => path && innermostFirst(path))].join("|");
      wrong.set(key, { freedBy, before, count: 1 + (wrong.get(key)?.count ?? 0) });
    }
    for (const { freedBy, before, count } of wrong.values()) {
      add("", count, innermostFirst(freedBy));
      if (!before) continue;
      for (const what of ["freed before by", innermostFirst(before.freedBy), "allocated by", innermostFirst(before.allocatedBy)]) add("", "", what);
    }
    count(this.#counts.twice, "addresses allocated again without a free");
    count(this.#counts.tooLarge, "events of impossible sizes, or of too many memories, tables or objects, left out");
    heading = "not freed at the end, with the age of the oldest";
    // Paths that are shown alike are one row.
    const alike = new Map();
    for (const each of this.#paths) {
      const what = innermostFirst(each[0]);
      alike.set(what, [...(alike.get(what) ?? []), each]);
    }
    for (const [what, all] of alike) {
      const paths = all.map(([, path]) => path);
      const live = paths.reduce((sum, path) => (sum.add(path.live), sum), new Amount());
      if (live.parts === 0n) continue;
      const times = [...this.#memories.values()].flatMap(({ live }) => [...live.values()]).filter((object) => paths.includes(object.path)).map(({ time }) => time);
      amount(live, what, this.#last - times.reduce((a, b) => Math.min(a, b)));
    }
    const sumOf = (all, name) => all.reduce((sum, [, path]) => sum + path[name], 0n);
    heading = `memory grew, in ${this.#counts.steps} step${this.#counts.steps === 1 ? "" : "s"}`;
    for (const [what, all] of alike) if (sumOf(all, "grown") > 0n) add(sumOf(all, "grown"), "", what);
    this.#tableRows((elements, what) => add("", elements, what), (text) => (heading = text));
    if (this.#counts.tableSteps > 0) for (const [what, all] of alike) if (sumOf(all, "tablesGrown") > 0n) add("", sumOf(all, "tablesGrown"), what);
    for (const [name, classes] of [["sizes of allocations", this.#sizes], ["lifetimes of freed objects, in bytes allocated meanwhile", this.#lifetimes]]) {
      heading = name;
      for (const [bits, of] of classes) {
        const most = 2n ** BigInt(bits) - 1n;
        const least = bits === 0 ? 0n : most / 2n + 1n;
        amount(of, `${least.toLocaleString("en")}${least === most ? "" : ` to ${most.toLocaleString("en")}`} ${most === 1n ? "byte" : "bytes"}`);
      }
    }
    return rows.sort();
  }

  /** Those of tables, if any has grown. */
  #tableRows(add, begin) {
    const { tableSteps } = this.#counts;
    if (tableSteps === 0) return;
    begin("tables, by their elements");
    add(this.#tablesAtStart, "at the start");
    add([...this.#tables.values()].reduce((a, b) => a + b), "at the end");
    begin(`tables grew, in ${tableSteps} step${tableSteps === 1 ? "" : "s"}`);
  }
}

/** The rows of the table of a record, as Model.rows() has them. */
export function rowsOf(file) {
  const rows = [];
  let heading;
  for (const line of run("warpo-report", "--heap", "--top=0", "--format=csv", "--columns=bytes,objects,age", file).trim().split("\n").slice(1)) {
    const [, depth, bytes, objects, age, quoted] = /^(\d+),(\d*),(\d*),(\d*),(.*)$/.exec(line);
    const what = quoted.replace(/^"(.*)"$/, "$1");
    if (depth === "0") heading = what;
    // Which paths these are is no matter of sums.
    else if (heading !== "live memory grows steadily") rows.push([heading, bytes, objects, age, what].join("|"));
  }
  return rows.sort();
}

/** The bytes of each path. */
function weightsOf(file, weight, at) {
  const lines = run("warpo-flamegraph", "--format=folded", `--weight=${weight}`, `--at=${at}`, file).split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => /^(.*) (\d+)$/.exec(line).slice(1)));
}

/** The tools say of a record what a model says that has had its events. `at`: the argument of the model. */
export function compare(file, model, at) {
  assert.deepEqual(rowsOf(file), model.rows());
  assert.deepEqual(weightsOf(file, "alloc_space", "end"), model.weights("allocated"));
  if (model.peakBytes > 0n) assert.deepEqual(weightsOf(file, "inuse_space", "peak"), model.weights("atPeak"));
  if (at !== undefined) assert.deepEqual(weightsOf(file, "inuse_space", `${at}`), model.weights("atTime"));
}
