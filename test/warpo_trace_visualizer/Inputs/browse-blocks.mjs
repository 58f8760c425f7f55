// Looks at the blocks of a flame chart in a browser: browse-blocks.mjs CHROMIUM SVG, of flamechart.test's many calls.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { frameOf, launch, openPage, runSteps } from "../../support/browser.mjs";

const [executablePath, file] = process.argv.slice(2);
const browser = await launch(executablePath);
const page = await openPage(browser, { viewport: { width: 1024, height: 600 } });
await page.goto(pathToFileURL(file).href);

const steps = {
  async "a search counts the time of the calls, not what is between them"() {
    await page.locator("input").fill("/^read$/");
    assert.equal(await page.locator("output").textContent(), "13.3 % matched");
    await page.locator("input").fill("");
  },
  async "a block with room for it says how many calls it is"() {
    const block = frameOf(page, "read");
    await block.locator("rect").dispatchEvent("click");
    assert.equal(await block.locator("text").textContent(), "read ×7");
    await page.keyboard.press("Escape");
  },
};

await runSteps(browser, steps);
