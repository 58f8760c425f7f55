// Looks at the timeline of a report: browse-report.mjs CHROMIUM HTML, of report.test's record.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { launch, openPage, runSteps } from "../../support/browser.mjs";

const [executablePath, file] = process.argv.slice(2);
const browser = await launch(executablePath);

async function open(hash = "#tab=timeline") {
  const page = await openPage(browser, { viewport: { width: 1024, height: 600 }, reducedMotion: "reduce" });
  await page.goto(pathToFileURL(file).href + hash);
  await page.waitForSelector("body[data-state=ready]");
  const canvas = page.locator("#panel-timeline canvas");
  const details = page.locator("#panel-timeline .details");
  await details.filter({ hasText: "Click" }).waitFor();
  const move = async (time, length, level) => {
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + (time / length) * box.width, box.y + (level + 0.5) * 19);
  };
  return {
    page, move,
    /** What is told of the time, of so much that is in sight. */
    at: async (time, level, length = 1000) => {
      await move(time, length, level);
      return details.textContent();
    },
  };
}

const steps = {
  async "shows calls at their times"() {
    const { page, at } = await open();
    assert.match(await at(100, 1), /^main +1\.000 ms \(100 %\) from 0 ns on$/);
    assert.match(await at(150, 2), /^parse +200\.0 us \(20\.0 %\) from 100\.0 us on$/);
    assert.match(await at(650, 2), /^parse +100\.0 us \(10\.0 %\) from 600\.0 us on$/);
    assert.match(await at(450, 2), /^Click/, "nothing");
    await page.close();
  },

  async "neighbours too narrow to draw unfold"() {
    const { page, at, move } = await open();
    assert.match(await at(910, 2), /^strcmp ×100, too narrow to draw: 20\.00 us \(2\.0 %\)$/);
    await move(910, 1000, 2);
    await page.keyboard.down("Control");
    for (let i = 0; i < 2; ++i) await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await move(910.5, 1000, 2);
    assert.match(await page.locator("#panel-timeline .details").textContent(), /^strcmp +200 ns \(<0\.1 %\) from 91\d\.\d us on, 0\.\d % of what is in sight$/);
    await page.close();
  },

  async "zooms to a call, selects its function, and a link holds both"() {
    const { page, at, move } = await open();
    await move(650, 1000, 2);
    await page.mouse.down();
    await page.mouse.up();
    assert.equal(await page.locator("#selected-name").textContent(), "parse");
    assert.match(await at(50, 2, 100), /^parse +100\.0 us/);
    assert.match(await at(50, 1, 100), /^main /);
    const link = new URL(page.url()).hash;
    await page.close();
    const other = await open(link);
    assert.match(await other.at(5, 2, 100), /^parse +100\.0 us \(10\.0 %\) from 600\.0 us on, 100 % of what is in sight$/);
    await other.page.locator("#panel-timeline button").click();
    assert.equal(await other.page.locator("#panel-timeline button").isDisabled(), true);
    assert.match(await other.at(150, 2), /^parse +200\.0 us/);
    await other.page.close();
  },

  async "has a stream at a time"() {
    const { page, at } = await open();
    await page.locator("#panel-timeline select").selectOption("1");
    assert.match(await at(600, 1), /^other +500\.0 us \(50\.0 %\) from 500\.0 us on$/);
    await page.close();
  },

  async "the summary is of the same calls"() {
    const { page } = await open();
    await page.locator("#tab-summary").click();
    const rows = await page.locator("#panel-summary tbody tr[data-index]").evaluateAll((all) => all.map((row) =>
      [...row.children].map((cell) => cell.textContent)));
    const parse = rows.find((row) => row[5] === "parse");
    assert.deepEqual(parse.slice(0, 5), ["300.0 us", "20.0 %", "300.0 us", "20.0 %", "2"]);
    assert.ok(rows.find((row) => row[5] === "strcmp"));
    await page.close();
  },
};

await runSteps(browser, steps);
