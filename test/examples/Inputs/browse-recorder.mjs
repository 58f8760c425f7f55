// Uses the page of examples/browser: browse-recorder.mjs CHROMIUM FOLDER COMMAND... saves a record for each clock into FOLDER.
// The command prints the page's address and serves it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { launch, newPage } from "../../../utils/headless-browser.mjs";

const [executablePath, folder, ...command] = process.argv.slice(2);
const server = spawn(command[0], command.slice(1), { stdio: ["ignore", "pipe", "inherit"], detached: true });
const [line] = await once(server.stdout, "data");
const address = String(line).trim();
const browser = await launch(executablePath);

try {
  const page = await newPage(browser);
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
  process.kill(-server.pid);
}
