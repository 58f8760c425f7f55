import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
const require = createRequire(import.meta.url);
await initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80">
  <defs><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient></defs>
  <rect width="120" height="80" fill="url(#g)"/><circle cx="60" cy="40" r="25" fill="#fff" opacity=".5"/>
  <path d="M10 70 C 40 10, 65 10, 95 70 S 110 70, 115 20" stroke="black" fill="none" stroke-width="3"/></svg>`;
const image = new Resvg(svg, { fitTo: { mode: "width", value: 240 } }).render();
console.log(image.width, image.height, createHash("sha256").update(image.asPng()).digest("hex"));
try { new Resvg("<svg"); } catch (error) { console.log(String(error)); }
