// ONNX Runtime: products of two matrices on three threads, which are Emscripten's. The threads wait for more work when the program comes to its end.
//
//   node onnx.mjs release|exit|terminate
import { createRequire } from "node:module";
import { setTimeout } from "node:timers/promises";

const [end] = process.argv.slice(2);
const SIZE = 256;

// The workers that the runtime starts.
const threads = createRequire(import.meta.url)("node:worker_threads");
const workers = [];
threads.Worker = class extends threads.Worker {
  constructor(...options) {
    super(...options);
    workers.push(this);
  }
};

// A model is a protocol buffer: fields of numbers, and of bytes, which are texts or further fields.
const number = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...number(value >> 7)]);
const bytesOf = (value) => (typeof value === "string" ? [...new TextEncoder().encode(value)] : value.flat());
function field(key, value) {
  if (typeof value === "number") return [...number(8 * key), ...number(value)];
  const bytes = bytesOf(value);
  return [...number(8 * key + 2), ...number(bytes.length), ...bytes];
}

const dimension = field(1, [field(1, SIZE)]);
const type = field(1, [field(1, 1), field(2, [dimension, dimension])]); // of 32-bit floats
const matrix = (name) => [field(1, name), field(2, [type])];
const node = [field(1, "a"), field(1, "b"), field(2, "product"), field(4, "MatMul")];
const graph = [field(1, node), field(2, "graph"), field(11, matrix("a")), field(11, matrix("b")), field(12, matrix("product"))];
const model = [field(1, 8), field(7, graph), field(8, [field(2, 13)])];

const { env, InferenceSession, Tensor } = await import("onnxruntime-web");
env.wasm.numThreads = 3;
const session = await InferenceSession.create(Uint8Array.from(model.flat()));

// Until each has begun to look for work, and so never comes back to its event loop.
const isInside = async ({ performance }) => {
  const before = performance.eventLoopUtilization();
  await setTimeout(20);
  return performance.eventLoopUtilization(before).utilization === 1;
};
for (const worker of workers) while (!(await isInside(worker)));

const tensor = (at) => new Tensor("float32", Float32Array.from({ length: SIZE * SIZE }, (_, i) => at(i)), [SIZE, SIZE]);
const feeds = { a: tensor((i) => i % 3), b: tensor((i) => i % 5) };
let product;
for (let i = 0; i < 20; ++i) ({ product } = await session.run(feeds));
console.log(workers.length, product.data.slice(0, 3).join());
if (end === "exit") process.exit();
if (end === "terminate") await Promise.all(workers.map((worker) => worker.terminate()));
else await session.release();
