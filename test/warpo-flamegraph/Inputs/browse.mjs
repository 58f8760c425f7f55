// Uses a flame graph in a browser as a person would and checks what can be seen: browse.mjs CHROMIUM SVG.
// The SVG is that of browser.test.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { frameOf, launch, near, openPage, runSteps } from "../../support/browser.mjs";

const [executablePath, file] = process.argv.slice(2);
const browser = await launch(executablePath);

async function open(options = {}, content = null) {
  const page = await openPage(browser, { viewport: { width: 1000, height: 600 }, ...options });
  if (content) await page.setContent(content);
  else await page.goto(pathToFileURL(file).href);
  return {
    page,
    frame: (name) => frameOf(page, name),
    box: async (locator) => await locator.locator("rect").boundingBox(),
    details: () => page.locator(".details").textContent(),
    search: page.locator("input"),
    share: () => page.locator("output").textContent(),
    focused: () => page.evaluate(() => document.activeElement.querySelector("title")?.textContent.split("\n")[0]),
  };
}

const steps = {
  async "fills the window, whatever its width"() {
    for (const width of [1000, 1600, 400]) {
      const { frame, box, page } = await open({ viewport: { width, height: 600 } });
      const all = await box(frame("all"));
      near(all.x, 12, "left edge");
      near(all.width, width - 24, "width of all");
      const search = await page.locator("input").boundingBox();
      assert.ok(search.x >= 0 && search.x + search.width <= width, "the search field is in the window");
      assert.ok(search.y + search.height <= all.y, "the search field is above the frames");
      await page.setViewportSize({ width: 700, height: 500 });
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      near((await box(frame("all"))).width, 700 - 24, "width after the window changed");
      await page.close();
    }
  },

  async "shows details of what is under the pointer"() {
    const { frame, details, page } = await open();
    assert.match(await details(), /^1\.000 ms in 5 calling contexts$/);
    await frame("parse").hover();
    assert.match(await details(), /^parse +600\.0 us \(60\.0 %\), self 400\.0 us, 1 call$/);
    await page.mouse.move(500, 590);
    assert.match(await details(), /^1\.000 ms in/);
  },

  async "zooms by click, and back"() {
    const { frame, box, details, page } = await open();
    const before = await box(frame("parse"));
    near(before.width, 976 * 0.6, "width of parse");
    await frame("parse").click();
    near((await box(frame("parse"))).width, 976, "width of parse, zoomed");
    near((await box(frame("main"))).width, 976, "width of its caller");
    near((await box(frame("read"))).width, 976 / 3, "width of its callee");
    assert.equal(await frame("write").isVisible(), false, "what lies beside is hidden");
    await frame("read").hover();
    assert.match(await details(), /^read +200\.0 us \(20\.0 %\), self 200\.0 us, 1 call, 33\.3 % of what is zoomed to$/);
    assert.match(await frame("read").locator("title").textContent(), /\n33\.3 % of what is zoomed to$/);
    await page.getByRole("button", { name: "Reset zoom" }).click();
    near((await box(frame("parse"))).width, before.width, "width of parse after the reset");
    await frame("read").hover();
    assert.doesNotMatch(await frame("read").locator("title").textContent(), /zoomed/);
    assert.equal(await frame("write").isVisible(), true);
    assert.equal(await page.getByRole("button").isDisabled(), true);
  },

  async "searches and says how much matches"() {
    const { frame, search, share, page } = await open();
    await page.keyboard.press("/");
    await page.keyboard.type("READ");
    assert.equal(await share(), "30.0 % matched");
    const fill = (name) => frame(name).locator("rect").evaluate((rect) => getComputedStyle(rect).fill);
    assert.equal(await fill("read"), "rgb(194, 24, 122)");
    assert.notEqual(await fill("parse"), "rgb(194, 24, 122)");
    await search.fill("/^(main|read)$/");
    assert.equal(await share(), "100.0 % matched", "a match within a match counts once");
    await search.fill("/(/");
    assert.equal(await share(), "0.0 % matched");
    await page.keyboard.press("Escape");
    assert.equal(await search.evaluate((input) => input.value), "");
    assert.equal(await page.locator(".match").count(), 0);
    await page.keyboard.press("Control+f");
    await page.keyboard.type("e");
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".details").textContent(), /^parse /);
  },

  async "follows the keyboard"() {
    const { frame, box, focused, page } = await open();
    await page.keyboard.press("Tab");
    for (const [key, name] of [
      ["ArrowDown", "main"], ["ArrowDown", "parse"], ["ArrowRight", "write"], ["ArrowRight", "write"],
      ["ArrowLeft", "parse"], ["ArrowDown", "read"], ["ArrowUp", "parse"],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await focused(), name, key);
    }
    await page.keyboard.press("Enter");
    near((await box(frame("parse"))).width, 976, "width of parse, zoomed");
    await page.keyboard.press("Escape");
    near((await box(frame("main"))).width, 976, "width of main after Escape");
    assert.equal(await frame("write").isVisible(), true);
    assert.equal(await focused(), "all");
    const label = await frame("parse").getAttribute("aria-label");
    assert.match(label, /^parse: 600\.0 us/);
  },

  async "is legible in light and in dark"() {
    const luminance = (color) => {
      const [r, g, b] = color.match(/[\d.]+/g).map(Number);
      return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
    };
    for (const [colorScheme, paperIsLight] of [["light", true], ["dark", false]]) {
      const { page } = await open({ colorScheme });
      const fill = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).fill);
      assert.equal(luminance(await fill(".paper")) > 0.5, paperIsLight, `paper in ${colorScheme}`);
      assert.equal(luminance(await fill(".frame text")) < 0.5, paperIsLight, `text in ${colorScheme}`);
    }
  },

  async "works inside a page and leaves its keys alone"() {
    const svg = readFileSync(file, "utf8");
    const { frame, box, page } = await open({}, `<!doctype html><body style="margin:0"><input id="own">${svg}`);
    near((await box(frame("all"))).width, 976, "width in a page");
    await frame("parse").click();
    near((await box(frame("main"))).width, 976, "width of main, zoomed");
    await page.locator("#own").focus();
    await page.keyboard.type("/");
    assert.equal(await page.locator("#own").inputValue(), "/");
  },
};

await runSteps(browser, steps);
