// SPDX-License-Identifier: Apache-2.0
// Chromium without a window or the network, for tools and tests. No step of it has a time limit: a busy machine takes as long
// as it takes, and lit ends what hangs.
import { chromium } from "playwright-core";

const FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking " +
  "--disable-component-update --disable-sync";

export const launch = (executablePath, ...flags) =>
  chromium.launch({ executablePath, args: [...FLAGS.split(" "), ...flags], timeout: 0 });

export async function newPage(browser, options) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(0);
  // Else Playwright waits for the page on and on.
  page.on("crash", () => page.close());
  return page;
}
