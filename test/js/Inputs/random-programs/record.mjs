// What a record says of a program's calls, replayed from its dump by the rules of docs/record-format.md and by no code of warpo's readers. Nothing
// is repaired here: an end that is not of the innermost call is an error, unless a trap took what lies above.
import { execFileSync } from "node:child_process";

const TRAP = 2147483647;
const RECORDER = 0x7ffffffd;
const SUSPENDED = 2147483646;
const MARKS = 0x300000; // of call-kinds
const LONGEST_TEXT = 1 << 28;

class RecordedStack {
  roots = [];
  open = [];
  windows = [];
  traps = 0;
  path = []; // of what is called by the host: calls that started it
  declaredPath = [];
  starts = []; // { time, path }, that have not come yet
  waits = []; // { from, to } of its calls, for tasks that they started
  ran = []; // { from, to }
  time = 0;
  burnt = 0; // where the last entry was
  fuel = 0; // of all calls

  /** `names` of functions by module, each by its id. */
  constructor(module, names) {
    Object.assign(this, { module, names });
  }

  /** A call that a trap took ended before it waited. */
  get waitsOfCalls() {
    return this.waits.filter((wait) => this.ran.some(({ from, to }) => from <= wait.from && wait.to <= to));
  }

  namesOf(module, id) {
    return this.names.get(module).get((id - 0x1000000) & ~MARKS);
  }

  nameOf(id) {
    if (id === SUSPENDED) return "(suspended)";
    const window = this.windows.find(({ first, count }) => id >= first && id < first + count);
    const [module, own] = window ? [window.module, id - window.first + window.id] : [this.module, id];
    const name = this.names.get(module)?.get((own - 0x1000000) & ~MARKS);
    if (name === undefined) throw new Error(`id ${id} of module ${module}`);
    return name;
  }

  /** The task's of several that were started at one time is the first. */
  choosePath() {
    const take = () => (this.path = this.starts.shift().path);
    while (this.starts[0]?.time < this.time) take();
    if (this.starts[0]?.time === this.time) take();
  }

  follow(id, burnt, time) {
    // On a busy machine the recorder may have had the thread; no call has run meanwhile.
    if (Math.abs(id) === RECORDER) {
      this.time = time;
      return;
    }
    // What a trap took ended at the entry before; what is left has run since.
    if (id !== TRAP && this.traps === 0) this.run(time);
    if (burnt < this.burnt) throw new Error(`fuel goes back from ${this.burnt} to ${burnt}`);
    if (this.open.length > 0) this.fuel += burnt - this.burnt;
    this.burnt = burnt;
    if (id === TRAP) ++this.traps;
    else if (id > 0) this.begin(this.nameOf(id));
    else this.end(this.nameOf(-id));
    if (id !== TRAP) this.run(time);
  }

  /** The innermost call has run until `time`, unless it is suspended. */
  run(time) {
    const isRunning = this.open.length > 0 && this.open.at(-1).name !== "(suspended)";
    if (isRunning && time > this.time) this.ran.push({ from: this.time, to: time });
    this.time = time;
  }

  begin(name) {
    if (this.traps > 0) throw new Error(`${name} begins behind a trap`);
    const call = { name, end: "open", calls: [] };
    if (this.open.length === 0) {
      this.choosePath();
      call.path = this.path;
    }
    (this.open.at(-1)?.calls ?? this.roots).push(call);
    this.open.push(call);
  }

  end(name) {
    const { traps } = this;
    this.traps = 0;
    const isIt = (call) => call.name === name;
    if (traps > 0) {
      const at = traps > 1 ? this.open.findIndex(isIt) : this.open.findLastIndex(isIt);
      if (at < 0) throw new Error(`a trap ended ${name}, which is not open`);
      for (const call of this.open.splice(at)) call.end = "trapped";
      return;
    }
    const call = this.open.pop();
    if (!call || !isIt(call)) throw new Error(`${name} ends in ${call?.name}`);
    call.end = "returned";
  }
}

/** Another stack runs from here on, as the items of a switch say. */
function takeSwitch([kind, time, ...about], stack, stackOf) {
  const from = about.length > 0 ? stackOf(about[0], about[1]) : stack;
  const [, , at, ...frames] = about;
  if (kind === "returns") {
    stack.waits.push({ from: stack.waitsSince, to: time });
    return;
  }
  if (frames.length > 0) from.waitsSince = at;
  if (kind !== "starts") return;
  stack.declaredPath = frames.length > 0 ? [...from.declaredPath, ...frames.map(([module, id]) => stack.namesOf(module, id))] : [];
  stack.starts.push({ time, path: stack.declaredPath });
}

/** How long it is that anything ran. */
function lengthOfUnion(spans) {
  let end = 0;
  let sum = 0;
  for (const { from, to } of spans.sort((one, other) => one.from - other.from)) {
    sum += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return sum;
}

const lengthOf = (spans) => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** Returns { roots, fuel, ran, union }: the calls that have no caller on their stack, and what all calls have burnt; how long all stacks ran, without what calls waited for tasks that they
 * started, and how long any did. */
export function readRecord(file, names) {
  const text = execFileSync("warpo-record-dump", ["--format=yaml", file], { encoding: "utf8", maxBuffer: LONGEST_TEXT, stdio: ["ignore", "pipe", "inherit"] });
  const clocks = /^clocks: (.*)$/m.exec(text)?.[1].split(", ") ?? ["time"];
  const fuelAt = clocks.indexOf("fuel");
  const stacks = new Map();
  const stackOf = (module, name) => {
    const key = `${module} ${name}`;
    if (!stacks.has(key)) stacks.set(key, new RecordedStack(module, names));
    return stacks.get(key);
  };
  let stack;
  for (const line of text.slice(text.indexOf("entries:")).split("\n").slice(1)) {
    const stream = /^ {2}- (?:module: (\d+)|\{module: (\d+), name: (.*)\})$/.exec(line);
    const window = /^ {2}- window: \[(.*)\]$/.exec(line);
    const entry = /^ {2}- \[(.*)\]$/.exec(line);
    const isOfTools = /^ {2}- linked: /.test(line);
    const change = /^ {2}- switch: \[(\w+), (.*)\]$/.exec(line);
    if (stream) {
      stack = stackOf(Number(stream[1] ?? stream[2]), stream[3] === undefined ? "" : JSON.parse(stream[3]));
    } else if (change) {
      takeSwitch([change[1], ...JSON.parse(`[${change[2]}]`)], stack, stackOf);
    } else if (window) {
      const [module, id, first, count] = window[1].split(", ").map(Number);
      stack.windows.push({ module, id, first, count });
    } else if (entry) {
      const numbers = entry[1].split(", ").map(Number);
      const counts = [numbers[0], ...numbers.slice(2)];
      stack.follow(numbers[1], fuelAt < 0 ? 0 : (counts[fuelAt] ?? stack.burnt), numbers[0]);
    } else if (line !== "" && !isOfTools) {
      throw new Error(`unexpected: ${line}`);
    }
  }
  const all = [...stacks.values()];
  const ran = all.flatMap((one) => one.ran);
  return {
    roots: all.flatMap(({ roots }) => roots),
    fuel: all.reduce((sum, { fuel }) => sum + fuel, 0),
    ran: lengthOf(ran) - lengthOf(all.flatMap((one) => one.waitsOfCalls)),
    union: lengthOfUnion(ran),
  };
}

/** The same by warpo-flamegraph: how many calls there were, or what `more` asks for, by the names on their stack. */
export function readProfile(file, ...more) {
  const options = ["--format=folded", "--no-progress", ...more, file];
  const text = execFileSync("warpo-flamegraph", options, { encoding: "utf8", maxBuffer: LONGEST_TEXT, stdio: ["ignore", "pipe", "ignore"] });
  // On a busy machine the recorder may have had the thread.
  const lines = text.split("\n").filter((line) => line !== "" && !/;?\(recorder\) \d+$/.test(line));
  return Object.fromEntries(lines.map((line) => /^(.*) (\d+)$/.exec(line)).map(([, path, calls]) => [path, Number(calls)]));
}
