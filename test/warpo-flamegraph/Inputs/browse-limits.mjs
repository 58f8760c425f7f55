// Reports of hostile and of large profiles in a browser: browse-limits.mjs CHROMIUM WIDE LARGE EMPTY EQUAL, as report-limits.test
// makes them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launch, openPage, runSteps } from "../../support/browser.mjs";

const [executablePath, wide, large, empty, equal] = process.argv.slice(2);
const browser = await launch(executablePath);

async function open(file, hash = "") {
  const page = await openPage(browser, { viewport: { width: 1000, height: 600 }, reducedMotion: "reduce" });
  await page.goto(pathToFileURL(file).href + hash);
  await page.waitForSelector("body[data-state=ready]");
  return page;
}

const firstRow = (page) => page.locator("#panel-summary tbody tr[data-index]").first();

const steps = {
  async "50 000 contexts take less than 2 MB, and few elements"() {
    const text = readFileSync(wide, "utf8");
    const speedscope = /<script [^>]*id="warpo-speedscope">[^<]*<\/script>/.exec(text)?.[0] ?? "";
    assert.ok(text.length - speedscope.length < 2_000_000, `${text.length - speedscope.length} bytes`);
    const page = await open(wide);
    assert.match(await page.locator("#about").textContent(), /, 50,000 calling contexts$/);
    assert.match(await page.locator("#panel-summary .note").textContent(), /^3,000 functions$/);
    const elements = () => page.evaluate(() => document.querySelectorAll("*").length);
    assert.ok((await elements()) < 1000, `${await elements()} elements`);
    await page.locator("#panel-summary .rows").evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
    await page.locator("#panel-summary tr[data-index='2999']").waitFor();
    await page.locator("#tab-flame").click();
    assert.ok((await elements()) < 1000, `${await elements()} elements`);
    await page.close();
  },

  async "tells of frames that are too narrow to draw"() {
    const page = await open(wide, "#tab=flame");
    const canvas = page.locator("#panel-flame canvas");
    const box = await canvas.boundingBox();
    // Siblings of small weight are at the right.
    await page.mouse.move(box.x + box.width - 2, box.y + 1.5 * 19);
    const details = page.locator("#panel-flame .details");
    assert.match(await details.textContent(), /^[\d,]+ contexts too narrow to draw: [\d.]+ .s \([<\d.]+ %\)$/);
    // With the wheel they become wide enough.
    await page.keyboard.down("Control");
    for (let i = 0; i < 10; ++i) await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await page.mouse.move(box.x + box.width / 2, box.y + 1.5 * 19);
    assert.doesNotMatch(await details.textContent(), /too narrow/);
    await page.close();
  },

  async "shows hostile names as they are"() {
    const page = await open(wide, "#search=script");
    await firstRow(page).click();
    assert.equal(await page.locator("#selected-name").textContent(), "\"</script><!-- a b\ufffd\ufffd\ufffdc'");
    await page.goto("about:blank");
    await page.close();
    const long = await open(wide, "#search=xxxx");
    await firstRow(long).click();
    assert.equal(await long.locator("#selected-name").textContent(), "x".repeat(100_000));
    for (const tab of ["flame", "callers"]) await long.locator(`#tab-${tab}`).click();
    assert.ok((await long.evaluate(() => document.documentElement.scrollHeight)) <= 600, "the page does not grow");
    await long.close();
  },

  async "marks what is rounded, and has all digits of the whole"() {
    const page = await open(large);
    assert.equal(await page.locator("#about").textContent(),
      "18,000,000,000,000,000,001 ticks, 2 calling contexts, numbers with ≈ are rounded to 16 digits");
    assert.equal(await firstRow(page).locator("td.of-self").textContent(), "≈ 18,000,000,000,000,000,000");
    assert.equal(await page.locator("td.of-self").filter({ hasText: /^1$/ }).count(), 1);
    await page.close();
  },

  async "functions of equal weight stand in the order of their totals"() {
    const page = await open(equal, "#weight=calls");
    const cells = (column) => page.locator(`#panel-summary td.of-${column}`).allTextContents();
    assert.deepEqual([await cells("self"), await cells("total")], [["3", "1", "1"], ["3", "3", "2"]]);
    await page.close();
  },

  async "an empty profile is a page that says so"() {
    const page = await open(empty);
    assert.match(await page.locator("#panel-summary .note").textContent(), /empty/);
    for (const tab of ["flame", "callers", "speedscope"]) await page.locator(`#tab-${tab}`).click();
    assert.match(await page.locator("#panel-speedscope").textContent(), /empty/);
    await page.close();
  },

  async "an address that makes no sense shows the summary"() {
    const page = await open(wide, "#tab=nosuch&weight=nosuch&function=1e9&zoom=-7&sort=nosuch");
    assert.ok(await firstRow(page).isVisible());
    await page.locator("#tab-flame").click();
    assert.ok(await page.locator("#panel-flame canvas").isVisible());
    await page.close();
  },
};

await runSteps(browser, steps);
