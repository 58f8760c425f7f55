// ONNX Runtime: products of two matrices on three threads, which are Emscripten's. The threads wait for more work when the program comes to its end.
//
//   node onnx.mjs release|exit|terminate
import { createRequire } from "node:module";
import { setTimeout } from "node:timers/promises";
import { model, multiply } from "./onnx-product.mjs";

const [end] = process.argv.slice(2);

// The workers that the runtime starts.
const threads = createRequire(import.meta.url)("node:worker_threads");
const workers = [];
threads.Worker = class extends threads.Worker {
  constructor(...options) {
    super(...options);
    workers.push(this);
  }
};

const { env, InferenceSession, Tensor } = await import("onnxruntime-web");
env.wasm.numThreads = 3;
const session = await InferenceSession.create(model);

// Until each has begun to look for work, and so never comes back to its event loop.
const isInside = async ({ performance }) => {
  const before = performance.eventLoopUtilization();
  await setTimeout(20);
  return performance.eventLoopUtilization(before).utilization === 1;
};
for (const worker of workers) while (!(await isInside(worker)));

console.log(workers.length, await multiply(Tensor, session));
if (end === "exit") process.exit();
if (end === "terminate") await Promise.all(workers.map((worker) => worker.terminate()));
else await session.release();
