// What a record says of a program's calls, replayed from its dump by the rules of docs/record-format.md and by no code of warpo's readers. Nothing
// is repaired here: an end that is not of the innermost call is an error, unless a trap took what lies above.
import { execFileSync } from "node:child_process";

const TRAP = 2147483647;
const SUSPENDED = 2147483646;
const MARKS = 0x300000; // of call-kinds

class RecordedStack {
  roots = [];
  open = [];
  windows = [];
  traps = 0;
  burnt = 0; // where the last entry was
  fuel = 0; // of all calls

  /** `names` of functions by module, each by its id. */
  constructor(module, names) {
    Object.assign(this, { module, names });
  }

  nameOf(id) {
    if (id === SUSPENDED) return "(suspended)";
    const window = this.windows.find(({ first, count }) => id >= first && id < first + count);
    const [module, own] = window ? [window.module, id - window.first + window.id] : [this.module, id];
    const name = this.names.get(module)?.get((own - 0x1000000) & ~MARKS);
    if (name === undefined) throw new Error(`id ${id} of module ${module}`);
    return name;
  }

  follow(id, burnt) {
    if (burnt < this.burnt) throw new Error(`fuel goes back from ${this.burnt} to ${burnt}`);
    if (this.open.length > 0) this.fuel += burnt - this.burnt;
    this.burnt = burnt;
    if (id === TRAP) ++this.traps;
    else if (id > 0) this.begin(this.nameOf(id));
    else this.end(this.nameOf(-id));
  }

  begin(name) {
    if (this.traps > 0) throw new Error(`${name} begins behind a trap`);
    const call = { name, end: "open", calls: [] };
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

/** Returns { roots, fuel }: the calls that have no caller on their stack, and what all calls have burnt. */
export function readRecord(file, names) {
  const text = execFileSync("warpo-record-dump", ["--format=yaml", file], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const clocks = /^clocks: (.*)$/m.exec(text)?.[1].split(", ") ?? ["time"];
  const fuelAt = clocks.indexOf("fuel");
  const stacks = new Map();
  let stack;
  for (const line of text.slice(text.indexOf("entries:")).split("\n").slice(1)) {
    const stream = /^ {2}- (?:module: (\d+)|\{module: (\d+), name: (.*)\})$/.exec(line);
    const window = /^ {2}- window: \[(.*)\]$/.exec(line);
    const entry = /^ {2}- \[(.*)\]$/.exec(line);
    if (stream) {
      const key = line;
      if (!stacks.has(key)) stacks.set(key, new RecordedStack(Number(stream[1] ?? stream[2]), names));
      stack = stacks.get(key);
    } else if (window) {
      const [module, id, first, count] = window[1].split(", ").map(Number);
      stack.windows.push({ module, id, first, count });
    } else if (entry) {
      const numbers = entry[1].split(", ").map(Number);
      const counts = [numbers[0], ...numbers.slice(2)];
      stack.follow(numbers[1], fuelAt < 0 ? 0 : (counts[fuelAt] ?? stack.burnt));
    } else if (line !== "") {
      throw new Error(`unexpected: ${line}`);
    }
  }
  const all = [...stacks.values()];
  return { roots: all.flatMap(({ roots }) => roots), fuel: all.reduce((sum, { fuel }) => sum + fuel, 0) };
}

/** The same by warpo-flamegraph: how many calls there were, by the names on their stack. */
export function readProfile(file) {
  const options = ["--format=folded", "--wall", "--weight=calls", "--no-progress", file];
  const text = execFileSync("warpo-flamegraph", options, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const lines = text.split("\n").filter((line) => line !== "");
  return Object.fromEntries(lines.map((line) => /^(.*) (\d+)$/.exec(line)).map(([, path, calls]) => [path, Number(calls)]));
}
