// Looks for a function's place in the source in a flame graph and a report: browse-source.mjs CHROMIUM SVG HTML. Both are those of
// source-links.test.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { frameOf, launch, openPage, runSteps } from "../../support/browser.mjs";

const [executablePath, picture, report] = process.argv.slice(2);
const browser = await launch(executablePath);
const url = "https://example.org/src/app.c#L3";
const place = "src/app.c:3, contains insert";

const steps = {
  async "shows the place of a frame, and zooms with a click"() {
    const page = await openPage(browser, { viewport: { width: 1000, height: 300 } });
    await page.goto(pathToFileURL(picture).href);
    const before = page.url();
    const details = () => page.locator(".header .details").textContent();
    await frameOf(page, "main").hover();
    assert.ok((await details()).endsWith(place), await details());
    await frameOf(page, "read").hover();
    assert.ok(!(await details()).includes("src/"));
    await frameOf(page, "parse").click();
    assert.equal(page.url(), before, "a click follows no link");
    assert.ok(!(await page.locator(".tools button").isDisabled()), "it zooms");
    assert.equal(await frameOf(page, "main").locator("a").getAttribute("href"), url);
    assert.equal(await frameOf(page, "read").locator("a").count(), 0);
  },
  async "opens the source with a key"() {
    const page = await openPage(browser, { viewport: { width: 1000, height: 300 } });
    await page.goto(pathToFileURL(picture).href);
    await page.evaluate(() => {
      window.open = (...opened) => { document.documentElement.dataset.opened = opened.join(" "); };
    });
    await frameOf(page, "main").click();
    await page.keyboard.press("s");
    assert.equal(await page.locator("svg").first().getAttribute("data-opened"), `${url} _blank noopener`);
  },
  async "shows the place of a selected function in the report, as a link"() {
    const page = await openPage(browser, { viewport: { width: 1000, height: 600 } });
    await page.goto(`${pathToFileURL(report).href}#function=0`);
    await page.waitForSelector("body[data-state=ready]");
    assert.equal(await page.locator("#selected-name").textContent(), "main");
    assert.equal(await page.locator("#selected-where a").getAttribute("href"), url);
    assert.equal(await page.locator("#selected-where").textContent(), place);
    const hints = (panel) => page.locator(`${panel} td.of-name`).evaluateAll((cells) => cells.map((cell) => cell.title));
    assert.ok((await hints("#panel-summary")).includes(`main\n${place}`));
    await page.goto(`${pathToFileURL(report).href}#function=1&tab=callers`);
    await page.waitForSelector(".callers td.of-name");
    assert.deepEqual(await hints(".callers"), [`main\n${place}`]);
  },
  async "shows the end of a place that has no room"() {
    const page = await openPage(browser, { viewport: { width: 1000, height: 600 } });
    await page.goto(pathToFileURL(report).href);
    await page.waitForSelector("body[data-state=ready]");
    const lookAt = (text) => page.locator("td.of-where", { hasText: text }).evaluate((cell) => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const node = walker.nextNode();
      const range = document.createRange();
      const around = cell.getBoundingClientRect();
      const isInSight = (from) => {
        range.setStart(node, from);
        range.setEnd(node, from + 1);
        const { left, right } = range.getBoundingClientRect();
        return left >= around.left && right <= around.right;
      };
      return { text: node.data, start: isInSight(0), end: isInSight(node.data.length - 1) };
    });
    const { text, ...ends } = await lookAt("deep.c");
    assert.ok(text.startsWith("/a long/"), text);
    assert.deepEqual(ends, { start: false, end: true });
    assert.deepEqual(await lookAt("app.c"), { text: "src/app.c:3", start: true, end: true });
  },
};
await runSteps(browser, steps);
