// Uses a flame graph that grows up: browse-up.mjs CHROMIUM SVG. The SVG is that of grow-up.test.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { frameOf, launch, openPage } from "../../support/browser.mjs";

const [executablePath, file] = process.argv.slice(2);
const browser = await launch(executablePath);
const page = await openPage(browser, { viewport: { width: 1000, height: 300 } });
await page.goto(pathToFileURL(file).href);
const frame = (name) => frameOf(page, name);
const top = async (name) => (await frame(name).locator("rect").boundingBox()).y;
const row = (await top("all")) - (await top("main"));
assert.equal(row, 19, "a callee stands on its caller");
assert.equal((await top("main")) - (await top("read")), 2 * row);
const highest = await top("read");

const focused = () => page.evaluate(() => document.activeElement.querySelector("title").textContent.split("\n")[0]);
await page.keyboard.press("Tab");
for (const [key, name] of [["ArrowUp", "main"], ["ArrowUp", "parse"], ["ArrowDown", "main"]]) {
  await page.keyboard.press(key);
  assert.equal(await focused(), name, key);
}
await frame("main").click();
assert.equal(await top("read"), highest, "nothing is hidden, nothing moves");
await browser.close();
