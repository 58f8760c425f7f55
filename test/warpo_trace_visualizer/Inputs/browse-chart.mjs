// Looks at a flame chart in a browser and checks what can be seen: browse-chart.mjs CHROMIUM SVG.
// The SVG is that of flamechart.test.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { frameOf, launch, near, openPage, runSteps } from "../../support/browser.mjs";

const [executablePath, file] = process.argv.slice(2);
const browser = await launch(executablePath);
const page = await openPage(browser, { viewport: { width: 1024, height: 600 } });
await page.goto(pathToFileURL(file).href);

// The picture is 1000 pixels wide from x = 12 on, and 1000 ns long.
const frame = (name) => frameOf(page, name);
const box = (name) => frame(name).locator("rect").boundingBox();
const times = () => page.locator(".ruler text").allTextContents();

const steps = {
  async "calls lie where they were in time, streams below each other"() {
    for (const [name, start, weight] of [["main", 100, 700], ["read", 200, 300], ["\\[lost\\]", 600, 100], ["other", 0, 1000]]) {
      const { x, width } = await box(name);
      near(x, 12 + start, `${name} begins`);
      near(width, weight, `${name} lasts`);
    }
    const rows = [];
    for (const name of ["all", "Module 1", "main", "read", "Module 2", "other"]) rows.push((await box(name)).y);
    assert.deepEqual(rows, rows.map((_, i) => rows[0] + 19 * i));
  },
  async "a ruler tells the time"() {
    assert.deepEqual(await times(), ["0 ns", "100 ns", "200 ns", "300 ns", "400 ns", "500 ns", "600 ns", "700 ns", "800 ns", "900 ns"]);
    assert.equal(await frame("all").first().locator("text").isVisible(), false, "the label below the times");
  },
  async "zooms to a call; what other streams did meanwhile stays in sight"() {
    await frame("read").first().click();
    near((await box("read")).width, 1000, "width of read, zoomed");
    assert.deepEqual((await times()).slice(0, 3), ["200 ns", "250 ns", "300 ns"]);
    assert.equal(await frame("\\[lost\\]").isVisible(), false, "what is later is hidden");
    const isFaded = (name) => frame(name).evaluate((element) => element.classList.contains("caller"));
    assert.equal(await isFaded("main"), true);
    assert.equal(await isFaded("other"), false);
    await page.getByRole("button", { name: "Reset zoom" }).click();
  },
  async "the share that matches is one of the time of all streams"() {
    await page.locator("input").fill("/^(main|read|other)$/");
    assert.equal(await page.locator("output").textContent(), "85.0 % matched");
    await page.locator("input").fill("");
  },
};

await runSteps(browser, steps);
