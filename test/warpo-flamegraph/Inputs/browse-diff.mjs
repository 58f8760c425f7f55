// Looks at what changed in a browser: browse-diff.mjs CHROMIUM HTML SPREAD, of the records of report-diff.test, one run a side
// and two.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { launch, openPage, runSteps } from "../../support/browser.mjs";

const [executablePath, file, spread] = process.argv.slice(2);
const browser = await launch(executablePath);

async function open(path, hash = "") {
  const page = await openPage(browser, { viewport: { width: 1200, height: 600 }, reducedMotion: "reduce" });
  await page.goto(pathToFileURL(path).href + hash);
  await page.waitForSelector("body[data-state=ready]");
  return page;
}

const rowsOf = (page) => page.locator("#panel-changes tbody tr[data-index]").evaluateAll((rows) => rows.map((row) =>
  [...row.children].slice(0, 5).map((cell) => cell.textContent)));

const steps = {
  async "the largest changes come first"() {
    const page = await open(file);
    assert.equal(await page.locator("[role=tab]").count(), 2);
    assert.match(await page.locator("#about").textContent(), /^100\.0 us to 125\.0 us, \+25\.00 us \(\+25\.0 %\), 6 calling contexts, red more/);
    assert.deepEqual(await rowsOf(page), [
      ["100.0 us", "125.0 us", "+25.00 us (+25.0 %)", "unchanged", "main"],
      ["0 ns", "25.00 us", "+25.00 us (new)", "+25.00 us (new)", "fresh (new)"],
      ["30.00 us", "50.00 us", "+20.00 us (+66.7 %)", "+20.00 us (+100 %)", "parse"],
      ["20.00 us", "10.00 us", "-10.00 us (-50.0 %)", "-10.00 us (-50.0 %)", "slow"],
      ["10.00 us", "0 ns", "-10.00 us (-100 %)", "-10.00 us (-100 %)", "old (gone)"],
      ["10.00 us", "10.00 us", "unchanged", "unchanged", "read"],
    ]);
    await page.locator("#weight").selectOption("calls");
    assert.match(await page.locator("#about").textContent(), /^5 calls to 6 calls, \+1 call \(\+20\.0 %\)/);
    await page.close();
  },

  async "a selection goes to the flame graph, which tells of each context"() {
    const page = await open(file);
    await page.locator("#panel-changes tbody tr").filter({ hasText: "parse" }).click();
    assert.equal(await page.locator("#selected-numbers").textContent(),
      "total 30.00 us to 50.00 us, +20.00 us (+66.7 %); self 20.00 us to 40.00 us, +20.00 us (+100 %)");
    await page.locator("#tab-flame").click();
    const box = await page.locator("#panel-flame canvas").boundingBox();
    const at = async (share, level) => {
      await page.mouse.move(box.x + share * box.width, box.y + (level + 0.5) * 19);
      return page.locator("#panel-flame .details").textContent();
    };
    assert.match(await at(0.1, 2), /^parse +30\.00 us to 50\.00 us, \+20\.00 us \(\+66\.7 %\)$/);
    assert.match(await at(0.05, 3), /^read +10\.00 us, unchanged$/);
    assert.match(await at(0.45, 2), /^fresh +\(new\) 0 ns to 25\.00 us, \+25\.00 us \(new\)$/);
    assert.match(await at(0.7, 2), /^old +\(gone\) 10\.00 us to 0 ns, -10\.00 us \(-100 %\)$/);
    await page.close();
  },

  async "what is inside of the spread of runs is no change"() {
    const page = await open(spread);
    const rows = await rowsOf(page);
    assert.deepEqual(rows.find((row) => row[4] === "main"), ["112.5 us", "125.0 us", "+12.50 us (within the spread)", "unchanged", "main"]);
    assert.match(await page.locator("#about").textContent(), /^112\.5 us to 125\.0 us, \+12\.50 us \(within the spread\)/);
    await page.close();
  },
};

await runSteps(browser, steps);
