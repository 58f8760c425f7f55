// Runs programs in a page of Chromium.
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch, newPage } from "../../../../utils/headless-browser.mjs";
import { servePages } from "../../../support/page-server.mjs";

const TESTS = fileURLToPath(new URL("../../..", import.meta.url));
// Each recorder reserves gigabytes of addresses, which the process of a page frees late.
const RECORDERS_OF_PAGE = 25;

/** `chromium`: the program; `js`: the folder of the recorder; `folder`: one of its own, for what it serves. */
export async function openPage(chromium, js, folder) {
  writeFileSync(join(folder, "page.html"), "<!doctype html>");
  const server = await servePages({ "/": folder, "/warpo/": js, "/test/": TESTS });
  const browser = await launch(chromium, "--js-flags=--wasm-wasmfx");
  let page;
  const load = async () => {
    await page?.close();
    page = await newPage(browser);
    await page.goto(`${server.address}/page.html`);
    return page.evaluate(async () => {
      globalThis.recorders = await import("/warpo/recorder/browser.mjs");
      globalThis.recorded = await import("/test/js/Inputs/random-programs/recorded.mjs");
      return globalThis.recorded.missingFeatures();
    });
  };
  const missing = await load();
  let runs = 0;
  return {
    missing,
    /** runRecorded() of recorded.mjs, there; the record is bytes. */
    async run(about) {
      if (++runs % RECORDERS_OF_PAGE === 0) await load();
      return page.evaluate((about) => globalThis.recorded.runRecorded(globalThis.recorders, about, {}), about);
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}
