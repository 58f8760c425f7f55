#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Opens files in speedscope's own page, in a headless browser without the network, and prints what it has understood. A file
// called *.html is a report with speedscope in one of its tabs.
//
//   node utils/ask-speedscope.mjs CHROMIUM FILE...
//
// For each profile of a file: its name, the weight of its whole, then each stack with the weight it spends on its own, in
// the order of time, neighbours of the same stack taken together. A stack without weight of its own is not shown. The numbers
// come from the file that the page exports. Exit code 1: speedscope refuses a file, or complains of it in the console.
// `--screenshot=PATH` before a file keeps a picture of its page.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, newPage } from "./headless-browser.mjs";

const [executablePath, ...files] = process.argv.slice(2);
if (!executablePath || files.length === 0) {
  console.error("usage: ask-speedscope.mjs CHROMIUM FILE...");
  process.exit(2);
}
const index = join(
  dirname(createRequire(import.meta.url).resolve("speedscope/package.json")), "dist/release/index.html");
const browser = await launch(executablePath, "--allow-file-access-from-files");

async function importFile(file, screenshot) {
  const page = await newPage(browser, { viewport: { width: 1200, height: 800 }, acceptDownloads: true });
  let failure = null;
  page.on("pageerror", (error) => (failure ??= String(error)));
  page.on("dialog", (dialog) => {
    failure ??= dialog.message();
    dialog.dismiss();
  });
  page.on("console", (message) => {
    // What it cannot make sense of, it says in the console only.
    if (message.type() === "error" || (message.type() === "warning" && !/WebGL|GPU|GL Driver/.test(message.text())))
      failure ??= message.text();
  });
  if (file.endsWith(".html")) {
    page.on("request", (request) => {
      if (!/^(file|data|blob):/.test(request.url())) failure ??= `a request: ${request.url()}`;
    });
    await page.goto(`${pathToFileURL(file).href}#tab=speedscope`);
  } else {
    await page.goto(pathToFileURL(index).href);
    await page.locator("input[type=file]").setInputFiles(file);
  }
  const speedscope = file.endsWith(".html") ? page.frameLocator("iframe") : page;
  const exporting = speedscope.getByText("Export");
  while (!failure && !(await exporting.isVisible())) await page.waitForTimeout(50);
  if (failure) throw new Error(failure);
  if (screenshot) await page.screenshot({ path: screenshot });
  const [download] = await Promise.all([page.waitForEvent("download"), exporting.click()]);
  const exported = JSON.parse(readFileSync(await download.path(), "utf8"));
  await page.close();
  if (failure) throw new Error(failure);
  return exported;
}

function* spans(profile, frames) {
  const stack = [];
  if (profile.type === "sampled") {
    for (const [i, sample] of profile.samples.entries())
      yield { stack: sample.map((frame) => frames[frame].name).join(";"), weight: profile.weights[i] };
    return;
  }
  let last = profile.startValue;
  for (const { type, frame, at } of profile.events) {
    if (at > last && stack.length > 0)
      yield { stack: stack.map((open) => frames[open].name).join(";"), weight: at - last };
    last = at;
    if (type === "O") stack.push(frame);
    else stack.pop();
  }
}

function print(exported) {
  for (const profile of exported.profiles) {
    console.log(`profile ${profile.name}: ${exact(profile.endValue - profile.startValue)} ${profile.unit}`);
    let pending = null;
    const flush = () => {
      if (pending && exact(pending.weight) > 0) console.log(`  ${pending.stack} ${exact(pending.weight)}`);
    };
    for (const span of spans(profile, exported.shared.frames)) {
      if (pending?.stack === span.stack) pending.weight += span.weight;
      else {
        flush();
        pending = span;
      }
    }
    flush();
  }
}

// Differences of microseconds as doubles: what lies below a picosecond is rounding.
const exact = (weight) => Number(weight.toFixed(4));

let screenshot = null;
let failed = false;
for (const argument of files) {
  if (argument.startsWith("--screenshot=")) {
    screenshot = argument.slice("--screenshot=".length);
    continue;
  }
  try {
    print(await importFile(argument, screenshot));
  } catch (error) {
    failed = true;
    console.error(`ask-speedscope: ${argument}: ${error.message}`);
  }
  screenshot = null;
}
await browser.close();
process.exit(failed ? 1 : 0);
