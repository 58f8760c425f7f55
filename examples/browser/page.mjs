// SPDX-License-Identifier: Apache-2.0
// Records one drawing of the program, offers the record for saving and shows its flame graph, which
// the server makes.

import { createRecorder } from "warpo/recorder";

const element = (id) => document.getElementById(id);
const canvas = element("canvas");

/** Draws with the module in `bytes`; returns the closed recorder. */
async function drawAndRecord(bytes, clock) {
  const recorder = createRecorder({ module: bytes, clock });
  await recorder.ready;
  const { instance } = await WebAssembly.instantiate(bytes, {
    page: { progress() {} },
    env: { abort: (...place) => console.error("abort", ...place) },
    ...recorder.imports,
  });
  const { width, height } = canvas;
  const { draw, memory } = instance.exports;
  const address = draw(width, height);
  recorder.close();
  const pixels = new Uint8ClampedArray(memory.buffer, address, 4 * width * height).slice();
  canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
  return recorder;
}

async function showGraph(record) {
  const response = await fetch("flamegraph", { method: "POST", body: record });
  if (!response.ok) throw new Error(await response.text());
  element("graph").src = URL.createObjectURL(await response.blob());
  element("graph").hidden = false;
}

element("run").onclick = async () => {
  const result = element("result");
  try {
    const response = await fetch("app.wasm");
    const bytes = await response.arrayBuffer();
    const recorder = await drawAndRecord(bytes, element("clock").value);
    const record = recorder.blob();
    element("save").href = URL.createObjectURL(record);
    element("save").hidden = false;
    await showGraph(record);
    const { written } = recorder.counts;
    result.value = recorder.error ?? `${written} events in ${record.size} bytes`;
  } catch (error) {
    result.value = String(error);
  }
};
