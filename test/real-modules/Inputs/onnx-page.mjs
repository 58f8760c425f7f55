// ONNX Runtime on three threads in a page of Chromium: onnx-page.mjs CHROMIUM RECORDER RUNTIME, in the folder of traced.wasm.
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, newPage } from "../../../utils/headless-browser.mjs";
import { servePages } from "../../support/page-server.mjs";

const [executablePath, recorder, runtime] = process.argv.slice(2);
writeFileSync("page.html", "<!doctype html>");
const inputs = dirname(fileURLToPath(import.meta.url));
const server = await servePages({
  "/": ".",
  "/warpo/": recorder,
  "/runtime/": runtime,
  "/runtime/ort-wasm-simd-threaded.wasm": "traced.wasm",
  "/inputs/": inputs,
});
const browser = await launch(executablePath);
try {
  const page = await newPage(browser);
  await page.goto(`${server.address}/page.html`);
  console.log(await page.evaluate(async () => {
    const { createRecorder, hookWebAssembly } = await import("/warpo/recorder/browser.mjs");
    const recorder = createRecorder();
    hookWebAssembly(recorder);
    const { env, InferenceSession, Tensor } = await import("/runtime/ort.wasm.min.mjs");
    const { model, multiply } = await import("/inputs/onnx-product.mjs");
    env.wasm.numThreads = 3;
    env.wasm.wasmPaths = `${location.origin}/runtime/`;
    const session = await InferenceSession.create(model);
    const result = await multiply(Tensor, session);
    recorder.close();
    await fetch("/page.warpo", { method: "POST", body: recorder.blob() });
    return `${result}; problems: ${recorder.problems.join("; ") || "none"}`;
  }));
} finally {
  await browser.close();
}
process.exit();
