// SPDX-License-Identifier: Apache-2.0
// Markdown to HTML: reads a document from standard input, writes HTML to standard output and a report to standard
// error. `-- N` as the argument processes the document N times over, as a server would that serves many of them.
//
// Every round checks its own work, and the exit code is 1 if something is wrong: the HTML is well formed, is the same in each
// round, and is the same again after a way from the tree to Markdown and back.

import { parseMarkdown } from "./blocks";
import { HtmlChecker } from "./html-checker";
import { HtmlWriter } from "./html";
import { MarkdownWriter } from "./markdown";
import { outlineOf } from "./outline";
import { statisticsOf } from "./statistics";
import { STDERR, STDIN, STDOUT, exit, programArguments, readText, writeText } from "./wasi";

class Result {
  constructor(public html: string, public report: string) {}
}

function fail(problem: string): void {
  writeText(STDERR, "error: " + problem + "\n");
  exit(1);
}

/** One round: parse, write, and check. */
function processDocument(text: string): Result {
  const document = parseMarkdown(text);
  const html = new HtmlWriter().write(document);
  const problem = new HtmlChecker(html).check();
  if (problem.length > 0) fail("malformed HTML: " + problem);
  checkRoundTrip(new MarkdownWriter().write(document), html);
  return new Result(html, outlineOf(document) + statisticsOf(document));
}

function checkRoundTrip(markdown: string, html: string): void {
  const again = new HtmlWriter().write(parseMarkdown(markdown));
  if (again != html) fail("the HTML differs after a round trip:\n" + firstDifference(html, again));
}

function firstDifference(before: string, after: string): string {
  const a = before.split("\n");
  const b = after.split("\n");
  let i = 0;
  while (i < a.length && i < b.length && a[i] == b[i]) i++;
  return `- ${i < a.length ? a[i] : ""}\n+ ${i < b.length ? b[i] : ""}`;
}

function main(): void {
  const args = programArguments();
  const rounds = args.length > 0 ? max(I32.parseInt(args[0]), 1) : 1;
  const text = readText(STDIN);
  const first = processDocument(text);
  for (let round = 1; round < rounds; round++) {
    if (processDocument(text).html != first.html) fail(`round ${round + 1} differs from the first`);
  }
  writeText(STDOUT, first.html);
  writeText(STDERR, first.report + `${rounds} rounds, all alike\n`);
}

main();
