// Compares the sums of a report's page with naive ones, on random trees with much recursion: random-trees.mjs SOURCE.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const { Tree } = await import(pathToFileURL(`${process.argv[2]}/lib/Output/html/report/tree.js`));
const functionCount = 4;
let seed = 1;
const random = (below) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % below;
};

for (let round = 0; round < 300; ++round) {
  const functions = [-1];
  const depths = [0];
  const own = [0];
  const calls = [0];
  const count = random(40);
  for (let node = 1; node <= count; ++node) {
    functions.push(random(functionCount));
    depths.push(1 + random(depths[node - 1] + 1));
    own.push(random(10));
    calls.push(1 + random(3));
  }
  const tree = new Tree(Int32Array.from(functions), Int32Array.from(depths), [Float64Array.from(own), Float64Array.from(calls)]);

  // Each node's path, from the host's callee on.
  const paths = functions.map((_, node) => {
    const path = [];
    for (let at = node, depth = depths[node]; at > 0; --at)
      if (depths[at] === depth) {
        path.unshift(at);
        --depth;
      }
    return path;
  });
  const onPath = (node) => paths[node].map((at) => functions[at]);
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const nodes = [...functions.keys()].slice(1);

  const sums = tree.functionSums(0, functionCount);
  for (let called = 0; called < functionCount; ++called) {
    assert.equal(sums.self[called], sum(nodes.filter((node) => functions[node] === called).map((node) => own[node])));
    // Whatever is spent below a call of the function counts once.
    const total = sum(nodes.filter((node) => onPath(node).includes(called)).map((node) => own[node]));
    assert.equal(sums.total[called], total);

    const arcs = tree.neighbours(called, 0, 1);
    for (const [list, isArc] of [
      [arcs.callers, (other, from, to) => from === other && to === called],
      [arcs.callees, (other, from, to) => from === called && to === other],
    ])
      for (const { other, total: shown, calls: counted } of list) {
        const pairs = (node) => [-1, ...onPath(node)].map((from, i, all) => [from, all[i + 1]]).slice(0, -1);
        const below = nodes.filter((node) => pairs(node).some(([from, to]) => isArc(other, from, to)));
        assert.equal(shown, sum(below.map((node) => own[node])));
        const ends = nodes.filter((node) => isArc(other, ...pairs(node).at(-1)));
        assert.equal(counted, sum(ends.map((node) => calls[node])));
      }
    for (const merged of [tree.calleesOf(called, 0, functionCount), tree.callersOf(called, 0, functionCount)])
      assert.equal(merged.inclusive(0)[0], total);
  }
}
console.log("equal");
