// Uses a report in a browser as a person would and checks what can be seen: browse-report.mjs CHROMIUM HTML JSON.
// The record is that of report.test; JSON is the same profile in the format json, from which the figures are computed anew.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launch, openPage, runSteps } from "../../support/browser.mjs";

const [executablePath, file, jsonFile] = process.argv.slice(2);
const profile = JSON.parse(readFileSync(jsonFile, "utf8"));
const browser = await launch(executablePath);
const rowHeight = 19;

async function open(hash = "", options = {}) {
  const page = await openPage(browser, { viewport: { width: 1000, height: 600 }, reducedMotion: "reduce", ...options });
  await page.goto(pathToFileURL(file).href + hash);
  await page.waitForSelector("body[data-state=ready]");
  return {
    page,
    tab: (name) => page.locator(`#tab-${name}`).click(),
    rows: (panel) => page.locator(`${panel} tbody tr[data-index]`).evaluateAll((rows) => rows.map((row) =>
      Object.fromEntries([...row.children].map((cell) => [/of-([\w-]+)/.exec(cell.className)[1], cell.title || cell.textContent])))),
    row: (panel, name) => page.locator(`${panel} tbody tr`).filter({ has: page.locator(`td.of-name >> text="${name}"`) }),
    selected: () => page.locator("#selected-name").textContent(),
    hash: async () => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1))),
    details: () => page.locator("#panel-flame .details").textContent(),
    /** Where a share of the whole, from left to right, stands in a level of the flame graph. */
    place: async (share, level) => {
      const box = await page.locator("#panel-flame canvas").boundingBox();
      return [box.x + share * box.width, box.y + (level + 0.5) * rowHeight];
    },
  };
}

const exact = (number, unit) => `${String(number).replace(/\B(?=(\d{3})+$)/g, ",")} ${unit}`;

/** Of each function: its own weight and, without calls from within itself, its total. */
function sumsOf(weight) {
  const sums = new Map(profile.functions.map(({ name }) => [name, { self: 0, total: 0 }]));
  for (const { function: called, caller, self, total } of profile.contexts) {
    const sum = sums.get(profile.functions[called].name);
    sum.self += self[weight];
    if (!callersOf(caller).includes(called)) sum.total += total[weight];
  }
  return sums;
}

const callersOf = (context) =>
  context === null ? [] : [profile.contexts[context].function, ...callersOf(profile.contexts[context].caller)];

const steps = {
  async "shows the sums of every weight, as the format json has them"() {
    const { page, rows } = await open();
    for (const [index, { name, unit }] of profile.weights.entries()) {
      await page.locator("#weight").selectOption(name);
      const shown = await rows("#panel-summary");
      const sums = sumsOf(index);
      assert.equal(shown.length, sums.size);
      for (const row of shown) {
        const { self, total } = sums.get(row.name);
        assert.deepEqual([row.self, row.total], [exact(self, unit), exact(total, unit)], `${name} of ${row.name}`);
      }
    }
    assert.match(await page.locator("#about").textContent(), /^5 calls, 5 calling contexts$/);
    await page.close();
  },

  async "sorts by a click and filters by a search"() {
    const { page, rows } = await open();
    const names = async () => (await rows("#panel-summary")).map(({ name }) => name);
    assert.deepEqual(await names(), ["parse", "read", "write", "main"]);
    await page.locator("#panel-summary th.of-name button").click();
    assert.deepEqual(await names(), ["main", "parse", "read", "write"]);
    await page.locator("#panel-summary th.of-name button").click();
    assert.deepEqual(await names(), ["write", "read", "parse", "main"]);
    await page.locator("#panel-summary th.of-total button").click();
    assert.deepEqual(await names(), ["main", "parse", "write", "read"]);
    await page.keyboard.press("/");
    await page.keyboard.type("RE");
    assert.deepEqual(await names(), ["read"]);
    assert.match(await page.locator("#panel-summary .note").textContent(), /^1 of 4 functions$/);
    assert.equal(await page.locator("#matched").textContent(), "30.0 % matched");
    await page.keyboard.press("Escape");
    assert.equal((await names()).length, 4);
    await page.close();
  },

  async "a selection goes through all tabs, and a link holds it"() {
    const { page, row, rows, selected, hash, tab, details, place } = await open();
    await row("#panel-summary", "read").click();
    assert.equal(await selected(), "read");
    assert.equal(await page.locator("#selected-numbers").textContent(), "self 300.0 us (30.0 %), total 300.0 us (30.0 %), 2 calls");
    await tab("callers");
    const shown = (list) => list.map(({ name, total, calls }) => [name, total, calls]);
    assert.deepEqual(shown(await rows("#panel-callers .callers")), [["parse", "200,000 ns", "1"], ["write", "100,000 ns", "1"]]);
    assert.deepEqual(await rows("#panel-callers .callees"), []);
    await row("#panel-callers .callers", "parse").click();
    assert.equal(await selected(), "parse");
    assert.deepEqual(shown(await rows("#panel-callers .callers")), [["main", "590,000 ns", "1"]]);
    assert.deepEqual(shown(await rows("#panel-callers .callees")), [["read", "200,000 ns", "1"]]);
    await tab("flame");
    await page.mouse.click(...(await place(0.7, 2)));
    assert.equal(await selected(), "write");
    assert.match(await details(), /^Click a frame/);
    const address = await hash();
    assert.equal(address.tab, "flame");
    const link = new URL(page.url()).hash;
    await page.goBack();
    assert.equal(await selected(), "parse");
    await page.close();

    const other = await open(link);
    assert.equal(await other.selected(), "write");
    await other.page.mouse.move(...(await other.place(0.1, 2)));
    assert.match(await other.details(), /^write +300\.0 us \(30\.0 %, 100 % of what is zoomed to\), self 200\.0 us, 1 call$/);
    await other.page.locator("#panel-flame button").click();
    await other.page.mouse.move(...(await other.place(0.1, 2)));
    assert.match(await other.details(), /^parse +590\.0 us \(59\.0 %\), self 390\.0 us, 1 call$/);
    await other.page.close();
  },

  async "zooms with the wheel, moves by dragging"() {
    const { page, details, place, tab } = await open();
    await tab("flame");
    const [x, y] = await place(0.3, 2);
    await page.mouse.move(x, y);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    // 0.3 stays where it is, and all else is e^1.5 times as far from it: parse ends at 1.6.
    await page.mouse.move(...(await place(0.99, 2)));
    assert.match(await details(), /^parse /);
    await page.mouse.down();
    await page.mouse.move(...(await place(0.2, 2)), { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(...(await place(0.9, 2)));
    assert.match(await details(), /^write /, "what stood at 1.7");
    await page.close();
  },

  async "obeys the keys"() {
    const { page, selected, details, hash } = await open();
    await page.keyboard.press("2");
    assert.equal((await hash()).tab, "flame");
    await page.locator("#panel-flame canvas").focus();
    for (const [key, name] of [["ArrowDown", "main"], ["ArrowDown", "parse"], ["ArrowRight", "write"], ["ArrowDown", "read"], ["ArrowUp", "write"], ["ArrowLeft", "parse"]]) {
      await page.keyboard.press(key);
      assert.ok((await details()).startsWith(`${name} `), `${key} to ${name}: ${await details()}`);
    }
    await page.keyboard.press("Enter");
    assert.equal(await selected(), "parse");
    assert.notEqual((await hash()).zoom, undefined);
    await page.keyboard.press("Escape");
    assert.equal((await hash()).zoom, undefined);
    await page.keyboard.press("1");
    await page.locator("#panel-summary table").focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(await selected(), "read");
    await page.keyboard.press("Enter");
    assert.equal((await hash()).tab, "callers");
    await page.close();
  },

  async "is light or dark"() {
    const colour = async (colorScheme) => {
      const { page, place, tab } = await open("", { colorScheme });
      await tab("flame");
      const [x, y] = await place(0.7, 2);
      const pixel = await page.locator("#panel-flame canvas").evaluate((canvas, [px, py]) => {
        const box = canvas.getBoundingClientRect();
        return [...canvas.getContext("2d").getImageData(px - box.x, py - box.y - 8, 1, 1).data];
      }, [x, y]);
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      await page.close();
      return { paper, lightness: pixel[0] + pixel[1] + pixel[2] };
    };
    const light = await colour("light");
    const dark = await colour("dark");
    assert.notEqual(light.paper, dark.paper);
    assert.ok(light.lightness > dark.lightness + 150, `${light.lightness} and ${dark.lightness}`);
  },

  async "shows speedscope in Left Heavy, with all weights"() {
    const { page, tab } = await open();
    await tab("speedscope");
    const frame = page.frameLocator("iframe");
    await frame.getByText("Export").waitFor();
    assert.match(await page.locator("iframe").evaluate((element) => element.contentWindow.location.hash), /view=left-heavy/);
    assert.match(await frame.locator("body").innerText(), /calls|time/);
    await page.close();
  },

  async "fits a narrow window"() {
    const { page } = await open("#tab=callers&function=1", { viewport: { width: 400, height: 700 } });
    const wider = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wider <= 400, `${wider} pixels wide`);
    await page.close();
  },
};

await runSteps(browser, steps);
