// Runs programs in a page of Chromium.
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch, newPage } from "../../../../utils/headless-browser.mjs";
import { servePages } from "../../../support/page-server.mjs";

const TESTS = fileURLToPath(new URL("../../..", import.meta.url));

/** `chromium`: the program; `js`: the folder of the recorder; `folder`: one of its own, for what it serves. */
export async function openPage(chromium, js, folder) {
  writeFileSync(join(folder, "page.html"), "<!doctype html>");
  const server = await servePages({ "/": folder, "/warpo/": js, "/test/": TESTS });
  const browser = await launch(chromium, "--js-flags=--wasm-wasmfx");
  const page = await newPage(browser);
  await page.goto(`${server.address}/page.html`);
  const missing = await page.evaluate(async () => {
    globalThis.recorders = await import("/warpo/recorder/browser.mjs");
    globalThis.recorded = await import("/test/js/Inputs/random-programs/recorded.mjs");
    return globalThis.recorded.missingFeatures();
  });
  return {
    missing,
    /** runRecorded() of recorded.mjs, there; the record is bytes. */
    run: (about) => page.evaluate((about) => globalThis.recorded.runRecorded(globalThis.recorders, about, {}), about),
    async close() {
      await browser.close();
      server.close();
    },
  };
}
