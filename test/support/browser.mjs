// A browser for tests of what people look at.
import assert from "node:assert/strict";
import { newPage } from "../../utils/headless-browser.mjs";

export { launch } from "../../utils/headless-browser.mjs";

/** A page on which an error of a script and a request to the network fail the test. */
export async function openPage(browser, options) {
  const page = await newPage(browser, options);
  page.on("pageerror", (error) => assert.fail(error));
  page.on("request", (request) => assert.match(request.url(), /^(file|data|about):/, "a request to the network"));
  return page;
}

/** The first frame of that name in a flame graph or flame chart. */
export const frameOf = (page, name) =>
  page.locator(".frame").filter({ has: page.locator("title", { hasText: new RegExp(`^${name}\\n`) }) }).first();

/** Equal but for the rounding of pixels. */
export const near = (actual, expected, what) =>
  assert.ok(Math.abs(actual - expected) < 2, `${what}: ${actual}, not ${expected}`);

/** Runs functions by their names, tells of each how it went, closes the browser and ends the process. */
export async function runSteps(browser, steps) {
  let failed = 0;
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step();
      console.log(`ok: ${name}`);
    } catch (error) {
      ++failed;
      console.log(`failed: ${name}: ${error.stack}`);
    }
  }
  await browser.close();
  process.exit(failed ? 1 : 0);
}
