// SPDX-License-Identifier: Apache-2.0
// Zooms in and out in a report with the wheel: report_page.mjs CHROMIUM HTML TAB. Prints how many frames a second Chromium
// showed meanwhile, and the milliseconds of a frame that the page's thread was busy.
import { pathToFileURL } from "node:url";
import { launch, newPage } from "../utils/headless-browser.mjs";

const [executablePath, file, tab] = process.argv.slice(2);
const milliseconds = 4000;
const browser = await launch(executablePath);
const page = await newPage(browser, { viewport: { width: 1400, height: 900 } });
await page.goto(`${pathToFileURL(file).href}#tab=${tab}`);
await page.waitForSelector("body[data-state=ready]");
await page.locator(`#panel-${tab} .details`).filter({ hasText: "Click" }).waitFor();

const session = await page.context().newCDPSession(page);
// Not time in which other processes had the processor.
await session.send("Performance.enable", { timeDomain: "threadTicks" });
const busy = async () => {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
};
const before = await busy();
// A turn of the wheel in each frame, in for half a second, then out.
const frames = await page.locator(`#panel-${tab} canvas`).evaluate((canvas, length) => new Promise((resolve) => {
  const box = canvas.getBoundingClientRect();
  const start = performance.now();
  let count = 0;
  const step = (now) => {
    if (now - start > length) return resolve((1000 * count) / (now - start));
    ++count;
    const deltaY = Math.floor((now - start) / 500) % 2 ? 30 : -30;
    canvas.dispatchEvent(new WheelEvent("wheel", {
      deltaY, ctrlKey: true, bubbles: true, cancelable: true, clientX: box.x + box.width / 3, clientY: box.y + 100,
    }));
    return requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}), milliseconds);
const spent = (await busy()) - before;
console.log(frames.toFixed(1), (spent / ((frames * milliseconds) / 1000)).toFixed(2));
await browser.close();
