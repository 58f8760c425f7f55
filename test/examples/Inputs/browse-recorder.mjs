// Uses the page of examples/browser: browse-recorder.mjs CHROMIUM NODE SERVER APP.WASM PACKAGE FOLDER saves a record for each
// clock into FOLDER.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [executablePath, node, script, app, packageFolder, folder] = process.argv.slice(2);
const server = spawn(node, [script, app, packageFolder, "0"], { stdio: ["ignore", "pipe", "inherit"] });
const [line] = await once(server.stdout, "data");
const address = String(line).trim();
const flags =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking " +
  "--disable-component-update --disable-sync";
const browser = await chromium.launch({ executablePath, args: flags.split(" ") });

try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.log("failed:", error));
  for (const clock of ["exact", "thread", "none"]) {
    await page.goto(address);
    await page.locator("#clock").selectOption(clock);
    await page.locator("#run").click();
    await page.locator("#result").filter({ hasText: /./ }).waitFor();
    const result = await page.locator("#result").textContent();
    const frames = page.frameLocator("#graph").locator(".frame title");
    await frames.first().waitFor({ state: "attached" });
    const titles = (await frames.allTextContents()).map((title) => title.split("\n")[0]);
    const shown = ["draw", "drawRow", "escape", "color"].filter((name) => titles.includes(`assembly/index/${name}`));
    console.log(`${clock}: ${result}; graph shows ${shown.join(", ")}`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save").click()]);
    await download.saveAs(join(folder, `${clock}.warpo`));
    const colors = await page.evaluate(() => {
      const { width, height } = document.getElementById("canvas");
      const { data } = document.getElementById("canvas").getContext("2d").getImageData(0, 0, width, height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
    assert.ok(colors > 10, `${colors} colors`);
  }
  // As a server without the two headers would have it.
  await page.addInitScript(() => delete globalThis.SharedArrayBuffer);
  await page.goto(address);
  await page.locator("#clock").selectOption("thread");
  await page.locator("#run").click();
  await page.locator("#result").filter({ hasText: /./ }).waitFor();
  console.log(`no shared memory: ${await page.locator("#result").textContent()}`);
} finally {
  await browser.close();
  server.kill();
}
