// A host that runs a program (program.mjs) and keeps a log of its own: which calls there were, who made them, how they ended, and where they waited. It
// decides what each function does next, so nothing happens in the program that it does not know. Each stack has a number, which functions hand on.
import { exportsOf } from "./program.mjs";

const DATA_SIZE = 2000; // of a stack that is unwound

class Thrown extends Error {}
const isTrap = (error) => error instanceof WebAssembly.RuntimeError;

// A function of the host that tables take: it has one parameter.
const passing = new WebAssembly.Module(
  new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 0x60, 1, 0x7f, 0, 2, 5, 1, 0, 0, 0, 0, 7, 5, 1, 1, 0x66, 0, 0]),
);
const forTables = (f) => new WebAssembly.Instance(passing, { "": { "": f } }).exports.f;

/** Pages have no setImmediate(). */
function setSoon(action) {
  if (globalThis.setImmediate) {
    setImmediate(action);
    return;
  }
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = () => {
    port2.close();
    action();
  };
  port1.postMessage(0);
}

/** A stack as the host knows it: its calls `{ name, end, calls, from }`, by their nesting. Frames of functions that are left out have no call. */
class Stack {
  roots = [];
  frames = []; // innermost last: { call, instance, function, isEntry, isTry, isHost }
  onResume; // what is to be done when it goes on
  resumer; // of a continuation that runs: { stack, depth, instance, slot, tags }

  /** `starter`: the stack that began a task or resumed a continuation first, within the calls that are open there. */
  constructor(number, canWait, starter) {
    // What calls it was called by, outermost first, each with the one within it on its stack: those too that began the task of the starter.
    const open = starter?.openCalls ?? [];
    const path = open.length > 0 ? [...starter.path, ...open.map((name, i) => ({ name, within: open[i + 1] }))] : [];
    Object.assign(this, { number, canWait, path });
  }
  get top() {
    return this.frames.at(-1);
  }
  get openCalls() {
    return this.frames.flatMap(({ call }) => (call ? [call.name] : []));
  }
  push(name, frame) {
    const call = name.startsWith("x") ? undefined : { name, end: "open", calls: [] };
    if (call) (this.frames.findLast((f) => f.call)?.call.calls ?? this.roots).push(call);
    this.frames.push({ ...frame, call });
  }
  pop(end = "returned") {
    const { call } = this.frames.pop();
    if (call) call.end = end;
  }
  /** A call without any within it. */
  note(name) {
    this.push(name, {});
    this.pop();
  }
  popAll(end) {
    while (this.frames.length > 0) this.pop(end);
  }
  /** The function on top has returned; what is imported in the place of another instance's function returns with it. */
  popFunction() {
    this.pop();
    while (this.top?.isImport) this.pop();
  }
  /** An exception goes up to a function that catches it, or to the host's call. */
  throw() {
    while (this.top && !this.top.isTry && !this.top.isHost) {
      const { isEntry } = this.top;
      this.pop();
      if (isEntry) return;
    }
    if (this.isOver) this.giveBack()?.throw();
  }
  /** The engine did not call the function that was to wait: it throws instead. */
  refuse() {
    this.pop();
    this.throw();
  }
  /** It waits while another one runs. */
  wait() {
    this.push(this.openCalls.length > 0 ? "(suspended)" : "x", {});
  }
  get isOver() {
    return this.frames.length === 0;
  }
  /** A continuation ends, or is suspended: the stack that resumed it goes on, and is returned. */
  giveBack() {
    const { stack } = this.resumer ?? {};
    this.resumer = undefined;
    stack?.pop();
    return stack;
  }
  /** It and those that have resumed it. */
  get chain() {
    return [this, ...(this.resumer?.stack.chain ?? [])];
  }
}

/** Asyncify's functions among a module's exports, of which the names may have been shortened. */
function functionsThatUnwind(exports) {
  const find = (name, short) => exports[name] ?? exports[short.padEnd(name.length)];
  return {
    startUnwind: find("asyncify_start_unwind", "a"),
    stopUnwind: find("asyncify_stop_unwind", "b"),
    startRewind: find("asyncify_start_rewind", "c"),
    stopRewind: find("asyncify_stop_rewind", "d"),
  };
}

/** Runs a program. `modules` are compiled; `random` decides; `has(feature)` says what may happen. Returns { stacks, traps, waits, fuel, isAmbiguous }. */
export async function runProgram(program, modules, random, has) {
  const stacks = [];
  const newStack = (...of) => (stacks.push(new Stack(stacks.length, ...of)), stacks.at(-1));
  const own = newStack(false);
  const pending = new Set();
  const unwound = []; // stacks that wait
  const counts = { traps: 0, waits: 0, switches: 0 };
  let given; // the number of the stack that is resumed
  // Some fill several halves of the recorder's buffer.
  const isLong = random.chance(0.03);
  let budget = isLong ? 4000 : 15 + random.below(60);
  let tasksWithin = 0;
  let current; // what is unwound or rewound: { stack, isRewinding }
  let stopLater; // the host is yet to say that a stack has been unwound
  let fuelOfStarted = 0n;
  let fault; // of this host: what the program throws behind it may hide it
  const functionsOf = (instance) => program.modules[program.instances[instance].module];
  const instances = [];
  const ways = program.instances.flatMap((_, instance) => exportsOf(functionsOf(instance)).map((to) => ({ instance, to })));

  /** The stack goes on behind what it, or a continuation that it resumed, waited for. */
  function goOn(stack) {
    const last = [stack, ...resumedBy(stack, 0)].at(-1);
    const then = last.onResume;
    last.onResume = undefined;
    then?.();
    // V8 suspends no task that began within a continuation.
    if (last.top?.mayWait) last.refuse();
  }
  function pushFunction(stack, instance, to, isEntry = false) {
    const { functions } = functionsOf(instance);
    stack.push(functions[to].name, { instance, function: to, isEntry });
  }
  function next(instance, number, to) {
    const stack = stacks[number];
    goOn(stack);
    const { top } = stack;
    if (top?.instance !== instance || top.function !== to) {
      fault ??= new Error(`function ${to} runs, which is not on top of stack ${number}`);
      throw fault;
    }
    top.isTry = false;
    const module = functionsOf(instance);
    stack.note(module.nextName);
    const { ops } = module.functions[to];
    const o = random.below(ops.length + 1) - 1;
    const op = ops[o];
    if (--budget < 0 || op === undefined || stack.frames.length > 25) {
      stack.popFunction();
      if (stack.isOver) stack.giveBack();
      return 0;
    }
    const { kind } = op;
    if (kind === "suspend") return suspend(stack, instance, op.tag) ? o + 1 : 9999;
    if (kind === "trap" && !has("traps")) return 9999;
    if (kind === "trap") ++counts.traps;
    const { chain } = stack;
    if (kind === "wait" && (!chain.at(-1).canWait || chain.some(({ frames }) => frames.some(({ isHost }) => isHost)))) return 9999;
    if (kind === "resume" && chain.length > 5) return 9999;
    if (op.isTail) stack.pop();
    else top.isTry = op.isTry === true;
    if (kind === "resume") resume(stack, instance, op);
    if (kind === "call" || kind === "own") pushFunction(stack, instance, op.to);
    if (kind === "import") {
      const bound = program.instances[instance].imports[op.to];
      stack.push(module.imports[op.to].name, bound ? { isImport: true } : { isHost: true });
      if (bound) pushFunction(stack, bound.instance, bound.to);
    }
    if (kind === "shared") {
      const bound = program.slots[op.to];
      if (bound) pushFunction(stack, bound.instance, bound.to);
      else stack.push("x", { isHost: true });
    }
    if (kind === "host") stack.push(module.hosts[op.to].name, { isHost: true });
    if (kind === "wait") stack.push(module.waitName, { isHost: true, mayWait: has("promises") });
    if (kind === "throw") stack.throw();
    return o + 1;
  }

  /** What waits in the slot goes on, or a function begins on a stack of its own. */
  function resume(by, instance, { to, slot, tags }) {
    const { waiting } = instances[instance];
    const stack = waiting[slot] ?? newStack(false, by);
    const isNew = waiting[slot] === undefined;
    waiting[slot] = undefined;
    stack.chain.at(-1).resumer = { stack: by, depth: by.frames.length, instance, slot, tags };
    by.wait();
    if (isNew) pushFunction(stack, instance, to);
    else stack.pop();
    given = stack.number;
  }
  /** Whether it can be: who resumed it, or one that resumed that, takes such a tag of this instance, and there are no frames of JavaScript in between. */
  function suspend(stack, instance, tag) {
    const { chain } = stack;
    const takes = ({ resumer }) => resumer?.instance === instance && resumer.tags.includes(tag);
    const last = chain.findIndex(takes);
    if (last < 0 || chain.slice(0, last + 1).some(({ frames }) => frames.some(({ isHost }) => isHost))) return false;
    ++counts.switches;
    stack.wait();
    instances[instance].waiting[chain[last].resumer.slot] = stack;
    chain[last].giveBack();
    return true;
  }

  /** A function of the host's, called on this stack: its frame is on top. */
  function host(number, isInTable = false) {
    const stack = stacks[number];
    try {
      // Behind a function in a table that catches a trap, modules do not know what runs: docs/instrumented-module.md.
      for (let n = random.below(3); n > 0; --n) if (!(isInTable && has("traps"))) doSomething(stack);
      if (has("exceptions") && random.chance(0.1)) throw new Thrown();
    } catch (error) {
      stack.pop(isTrap(error) ? "trapped" : "returned");
      if (!isTrap(error)) stack.throw();
      throw error;
    }
    stack.pop();
  }

  /** Something that the host does on a stack, also within a call. */
  function doSomething(stack) {
    const chance = random.below(10);
    if (has("starts") && random.chance(0.15)) start(stack);
    else if (has("promises") && chance < 4) begin(stack);
    else if (has("asyncify") && chance < 4 && random.chance(0.5)) unwind(stack);
    else enter(stack, random.pick(ways));
  }

  /**
   * Where functions that are left out run for the host, a trap in them does not show, nor what it ends further out; where there are continuations, the
   * recorder does not look at the engine's stack.
   */
  const catchesTrap = () => has("caught") && (has("left-out") || has("continuations") || random.chance(0.7));
  /** These frames of a call below others were ended. Where V8's stack is not looked at, modules say of a recursion which function ended, not which of its calls. */
  function noteTrapped(frames) {
    const [root, ...inner] = frames.flatMap(({ call }) => (call ? [call.name] : []));
    counts.isAmbiguous ||= has("caught") && has("continuations") && inner.includes(root);
  }
  /** The continuation that calls above this depth have resumed, the one that this has resumed, and so on. */
  function resumedBy(by, depth) {
    const stack = stacks.find(({ resumer }) => resumer?.stack === by && resumer.depth >= depth);
    return stack === undefined ? [] : [stack, ...resumedBy(stack, 0)];
  }
  /** Those that a call which was ended had resumed were ended with it. */
  function noteResumedTrapped(by, depth) {
    for (const stack of resumedBy(by, depth)) {
      stack.resumer = undefined;
      stack.popAll("trapped");
    }
  }
  function enter(stack, { instance, to }) {
    const depth = stack.frames.length;
    pushFunction(stack, instance, to, true);
    try {
      instances[instance].exports[`f${to}`](stack.number);
    } catch (error) {
      if (!isTrap(error) && !(error instanceof Thrown) && !(error instanceof WebAssembly.Exception)) throw error;
      if (isTrap(error) && depth > 0) noteTrapped([...stack.frames.slice(depth), ...resumedBy(stack, depth).flatMap(({ frames }) => frames)]);
      if (isTrap(error)) noteResumedTrapped(stack, depth);
      while (stack.frames.length > depth) stack.pop(isTrap(error) ? "trapped" : "returned");
      if (isTrap(error) ? !catchesTrap() && depth > 0 : random.chance(0.3) && depth > 0) throw error;
    }
  }

  /** An instance is made, whose start function calls the host. A trap ends what it has called, which its module does not say. */
  function start(stack) {
    if (--budget < 0 || stack.frames.length > 25) return;
    const depth = stack.frames.length;
    const { number } = program.modules.at(-1);
    stack.push(`m${number}start`, { isEntry: true });
    stack.push(`m${number}inner`, {});
    stack.push(`m${number}host`, { isHost: true });
    let isOwn = false;
    const traps = () => {
      isOwn = has("traps") && random.chance(0.4);
      if (isOwn) ++counts.traps;
      return Number(isOwn);
    };
    try {
      const { exports } = new WebAssembly.Instance(modules.at(-1), { env: { host: () => host(stack.number), traps } });
      fuelOfStarted += exports.__warpo_get_fuel?.() ?? 0n;
      while (stack.frames.length > depth) stack.pop();
    } catch (error) {
      if (!isTrap(error) && !(error instanceof Thrown) && !(error instanceof WebAssembly.Exception)) throw error;
      counts.isFuelUnknown = true;
      // Another module says what the trap ended, when it runs again.
      const isSaid = isTrap(error) && !isOwn && has("told");
      if (isTrap(error)) noteResumedTrapped(stack, depth);
      while (stack.frames.length > depth) stack.pop(isTrap(error) ? "trapped" : "returned");
      if (isSaid && depth > 0) throw error;
    }
  }

  /** A task begins, within what runs on a stack. */
  function begin(starter) {
    // All that run have room on the engine's stack.
    if (stacks.length > 500 || tasksWithin >= 5) return;
    const stack = newStack(true, starter);
    const { instance, to } = random.pick(ways);
    pushFunction(stack, instance, to, true);
    const over = (error) => {
      goOn(stack);
      if (isTrap(error)) noteResumedTrapped(stack, 0);
      stack.popAll(isTrap(error) ? "trapped" : "returned");
    };
    const { promising } = instances[instance];
    ++tasksWithin;
    const promise = promising[to](stack.number).then(() => over(), over).finally(() => pending.delete(promise));
    --tasksWithin;
    pending.add(promise);
  }
  const promises = [
    () => 7,
    () => Promise.resolve(),
    () => new Promise(setSoon),
    () => new Promise((resolve) => setTimeout(resolve, random.below(3))),
  ];
  function waitForPromise(number) {
    const stack = stacks[number];
    ++counts.waits;
    stack.top.mayWait = false;
    stack.push("(suspended)", {});
    const fails = has("exceptions") && random.chance(0.1);
    stack.onResume = () => {
      stack.pop();
      stack.pop();
      if (fails) stack.throw();
    };
    const value = random.pick(promises)();
    if (!fails && random.chance(0.5)) return value;
    return Promise.resolve(value).then(() => {
      if (fails) throw new Thrown();
    });
  }

  const free = Array.from({ length: 60 }, (_, i) => 1024 + DATA_SIZE * i);
  function waitUnwound(number) {
    const stack = stacks[number];
    const { exports } = instances[0];
    const { startUnwind, stopRewind } = functionsThatUnwind(exports);
    if (current?.isRewinding) {
      current = undefined;
      stack.note("stop");
      stopRewind();
      stack.pop();
      return;
    }
    const callLeaf = () => {
      stack.note("m0leaf");
      exports.leaf();
    };
    if (random.chance(0.3)) callLeaf();
    // Nobody goes on with a stack whose data stood there.
    stacks.filter(({ isGivenUp, data }) => isGivenUp && data === stack.data).forEach((other) => other.popAll("trapped"));
    stack.note("unwind");
    startUnwind(stack.data);
    // The host may call what does not unwind.
    if (random.chance(0.3)) callLeaf();
    ++counts.waits;
    stack.push("(suspended)", {});
    current = { stack };
  }
  /** A call that may be unwound begins, or goes on; `around` is the stack that it is made from. */
  function unwind(around) {
    if (current !== undefined) return;
    const isNew = unwound.length === 0 || random.chance(0.5);
    if (isNew && (around.frames.length > 0 || free.length === 0)) return;
    const { exports } = instances[0];
    const stack = isNew ? newStack(true) : unwound.splice(random.below(unwound.length), 1)[0];
    if (isNew) {
      stack.data = free.pop();
      stack.to = random.pick(ways).to;
      new Uint32Array(exports.memory.buffer).set([stack.data + 8, stack.data + DATA_SIZE], stack.data / 4);
      pushFunction(stack, 0, stack.to, true);
    } else if (random.chance(0.1)) {
      stack.isGivenUp = true;
      free.push(stack.data);
      return;
    } else {
      around.note("rewind");
      functionsThatUnwind(exports).startRewind(stack.data);
      stack.pop();
      current = { stack, isRewinding: true };
    }
    let error;
    try {
      exports[`f${stack.to}`](stack.number);
    } catch (caught) {
      if (!isTrap(caught)) throw caught;
      error = caught;
      if (around.frames.length > 0) noteTrapped(stack.frames);
      stack.popAll("trapped");
    }
    if (current?.stack === stack) {
      const stop = () => {
        around.note("stop");
        functionsThatUnwind(exports).stopUnwind();
        current = undefined;
        unwound.push(stack);
      };
      // Its event loop may run before.
      if (around.frames.length === 0 && random.chance(0.2)) stopLater = stop;
      else stop();
    } else {
      free.push(stack.data);
    }
    if (error && !has("caught") && around.frames.length > 0) throw error;
  }

  const table = new WebAssembly.Table({ element: "anyfunc", initial: program.slots.length });
  program.instances.forEach(({ module, imports }, instance) => {
    const wait = has("promises") ? new WebAssembly.Suspending(waitForPromise) : waitUnwound;
    const env = { next: (...of) => next(instance, ...of), wait, table, given: () => given };
    program.modules[module].hosts.forEach((_, i) => (env[`host${i}`] = (number) => host(number)));
    imports.forEach((bound, i) => (env[`import${i}`] = bound ? instances[bound.instance].exports[`f${bound.to}`] : (number) => host(number)));
    const { exports } = new WebAssembly.Instance(modules[module], { env });
    const promising = has("promises") && Object.fromEntries(exportsOf(functionsOf(instance)).map((to) => [to, WebAssembly.promising(exports[`f${to}`])]));
    instances.push({ exports, promising, waiting: [] });
  });
  program.slots.forEach((bound, slot) =>
    table.set(slot, bound ? instances[bound.instance].exports[`f${bound.to}`] : forTables((number) => host(number, true))),
  );

  const rest = () => (random.chance(0.5) ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, random.below(2))));
  const restAfter = async (action) => {
    const { traps } = counts;
    budget = Math.max(budget, isLong ? 100 : 10);
    action();
    if (stopLater !== undefined) {
      await new Promise((resolve) => setTimeout(resolve));
      stopLater();
      stopLater = undefined;
    }
    if ((counts.traps > traps && !has("caught")) || random.chance(0.4)) await rest();
  };
  for (let n = isLong ? 60 : 2 + random.below(8); n > 0; --n) {
    await restAfter(() => doSomething(own));
    while (pending.size > 20) await Promise.race(pending);
  }
  while (pending.size > 0) await Promise.all(pending);
  while (unwound.length > 0 && random.chance(0.9)) await restAfter(() => unwind(own));
  await rest();
  if (fault !== undefined) throw fault;
  const fuel = instances.reduce((sum, { exports }) => sum + (exports.__warpo_get_fuel?.() ?? 0n), fuelOfStarted);
  return { stacks, ...counts, fuel };
}
