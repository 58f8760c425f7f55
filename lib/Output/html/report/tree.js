// SPDX-License-Identifier: Apache-2.0
// Calling contexts: nodes in preorder. Node 0 is the host, which stands for the whole and has no function (-1). The
// descendants of a node follow it, up to its `end`.

// Sums saturate here, as in the tools.
const largest = 2 ** 64;
export const add = (a, b) => Math.min(a + b, largest);

export class Tree {
  // `depths` begin with 0 for the host; `selfs` are columns of all nodes, including the host.
  constructor(functions, depths, selfs) {
    const count = functions.length;
    Object.assign(this, { functions, depths, selfs, count });
    this.parents = new Int32Array(count).fill(-1);
    this.ends = new Int32Array(count).fill(count);
    this.levels = 0;
    const open = [];
    for (let node = 0; node < count; ++node) {
      while (open.length > depths[node]) this.ends[open.pop()] = node;
      if (open.length > 0) this.parents[node] = open[open.length - 1];
      open.push(node);
      this.levels = Math.max(this.levels, open.length);
    }
    this.inclusives = [];
  }

  // By node: its inclusive weight.
  inclusive(weight) {
    if (!this.inclusives[weight]) {
      const sums = Float64Array.from(this.selfs[weight]);
      for (let node = this.count - 1; node > 0; --node)
        sums[this.parents[node]] = add(sums[this.parents[node]], sums[node]);
      this.inclusives[weight] = sums;
    }
    return this.inclusives[weight];
  }

  // By node: whether it is outermost among the calls of its function; its weight includes that of the others.
  outermost(functionCount) {
    const ends = new Int32Array(functionCount);
    const result = new Uint8Array(this.count);
    for (let node = 1; node < this.count; ++node) {
      const called = this.functions[node];
      if (node < ends[called]) continue;
      ends[called] = this.ends[node];
      result[node] = 1;
    }
    return result;
  }

  // By function: { self, total }.
  functionSums(weight, functionCount) {
    const self = new Float64Array(functionCount);
    const total = new Float64Array(functionCount);
    const own = this.selfs[weight];
    const inclusive = this.inclusive(weight);
    const outermost = this.outermost(functionCount);
    for (let node = 1; node < this.count; ++node) {
      const called = this.functions[node];
      self[called] = add(self[called], own[node]);
      if (outermost[node]) total[called] = add(total[called], inclusive[node]);
    }
    return { self, total };
  }

  // Direct callers and callees of a function: two lists of { other, total, calls }, heaviest first; -1 is the host. Of
  // nested calls from the same caller only the outermost counts. `calls` is a weight, or -1.
  neighbours(wanted, weight, calls) {
    const callers = new Map();
    const callees = new Map();
    const inclusive = this.inclusive(weight);
    const count = (map, other, node) => {
      let arc = map.get(other);
      if (!arc) map.set(other, (arc = { other, total: 0, calls: 0, end: 0 }));
      if (calls >= 0) arc.calls = add(arc.calls, this.selfs[calls][node]);
      if (node < arc.end) return;
      arc.end = this.ends[node];
      arc.total = add(arc.total, inclusive[node]);
    };
    for (let node = 1; node < this.count; ++node) {
      const caller = this.functions[this.parents[node]];
      if (this.functions[node] === wanted) count(callers, caller, node);
      if (caller === wanted) count(callees, this.functions[node], node);
    }
    const list = (map) => [...map.values()].sort((a, b) => b.total - a.total || a.other - b.other);
    return { callers: list(callers), callees: list(callees) };
  }

  // A tree of one weight with everything that a function calls, merged over all its contexts.
  calleesOf(wanted, weight, functionCount) {
    const merged = new MergedTree(functionCount);
    const own = this.selfs[weight];
    const outermost = this.outermost(functionCount);
    const places = [];
    for (let node = 1; node < this.count; ++node) {
      if (this.functions[node] !== wanted || !outermost[node]) continue;
      const top = this.depths[node];
      places.length = 0;
      for (let below = node; below < this.ends[node]; ++below) {
        const level = this.depths[below] - top;
        places[level] = merged.child(level === 0 ? 0 : places[level - 1], this.functions[below]);
        merged.add(places[level], own[below]);
      }
      node = this.ends[node] - 1;
    }
    return merged.tree();
  }

  // A tree of one weight with the callers of a function: its first level is the function itself.
  callersOf(wanted, weight, functionCount) {
    const merged = new MergedTree(functionCount);
    const inclusive = this.inclusive(weight);
    const outermost = this.outermost(functionCount);
    for (let node = 1; node < this.count; ++node) {
      if (this.functions[node] !== wanted || !outermost[node]) continue;
      let place = 0;
      for (let caller = node; caller > 0; caller = this.parents[caller]) place = merged.child(place, this.functions[caller]);
      merged.add(place, inclusive[node]);
    }
    return merged.tree();
  }
}

// A tree built from paths.
class MergedTree {
  constructor(functionCount) {
    this.functionCount = functionCount;
    this.known = new Map();
    this.functions = [-1];
    this.parents = [-1];
    this.own = [0];
  }

  child(parent, called) {
    const key = parent * this.functionCount + called;
    let node = this.known.get(key);
    if (node === undefined) {
      this.known.set(key, (node = this.functions.length));
      this.functions.push(called);
      this.parents.push(parent);
      this.own.push(0);
    }
    return node;
  }

  add(node, weight) {
    this.own[node] = add(this.own[node], weight);
  }

  // Siblings are sorted by weight, the heaviest first.
  tree() {
    const sums = Float64Array.from(this.own);
    const children = this.functions.map(() => []);
    for (let node = sums.length - 1; node > 0; --node) {
      sums[this.parents[node]] = add(sums[this.parents[node]], sums[node]);
      children[this.parents[node]].push(node);
    }
    const functions = [];
    const depths = [];
    const own = [];
    const pending = [[0, 0]];
    while (pending.length > 0) {
      const [node, depth] = pending.pop();
      functions.push(this.functions[node]);
      depths.push(depth);
      own.push(this.own[node]);
      // Popped from the end, so the heaviest comes last.
      children[node].sort((a, b) => sums[a] - sums[b] || b - a);
      for (const child of children[node]) pending.push([child, depth + 1]);
    }
    return new Tree(Int32Array.from(functions), Int32Array.from(depths), [Float64Array.from(own)]);
  }
}

// The page's tree. Its weights are columns with this name and a number.
export function treeOf({ texts, columns }, name = "self") {
  const called = columns.get("function");
  const rise = columns.get("rise");
  const count = called.length + 1;
  const functions = new Int32Array(count).fill(-1);
  const depths = new Int32Array(count);
  for (let node = 1; node < count; ++node) {
    functions[node] = called[node - 1];
    depths[node] = depths[node - 1] + 1 - rise[node - 1];
  }
  const selfs = texts.weights.map((_, index) => {
    const column = new Float64Array(count);
    column.set(columns.get(`${name}${index}`), 1);
    return column;
  });
  return new Tree(functions, depths, selfs);
}
