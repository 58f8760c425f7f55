// SPDX-License-Identifier: Apache-2.0
// Blocks that hold blocks: quotes and lists.

import { BlockParser, BlockRule } from "./blocks";
import { Char, indentOf, isBlank, isDigit, isSpace, outdent } from "./characters";
import { List, ListItem, Node, Quote } from "./nodes";

/** Lines that begin with `>`, and lines that go on with a paragraph begun in one. */
export class QuoteRule extends BlockRule {
  begins(parser: BlockParser, inParagraph: bool): bool {
    return indentOf(parser.line) <= 3 && parser.line.trimStart().startsWith(">");
  }

  read(parser: BlockParser): Node {
    const lines: string[] = [];
    while (!parser.done) {
      if (this.begins(parser, false)) lines.push(unquoted(parser.takeLine()));
      else if (isBlank(lines[lines.length - 1]) || parser.endsParagraph()) break;
      else lines.push(parser.takeLine());
    }
    return new Quote(parser.blocksOf(lines));
  }
}

function unquoted(line: string): string {
  const text = line.trimStart().substring(1);
  return text.startsWith(" ") ? text.substring(1) : text;
}

/** What begins an item: `-`, `*`, `+`, or a number and a dot or parenthesis. */
class Marker {
  /** The column of the item's text. */
  width: i32 = 0;
  ordered: bool = false;
  start: i32 = 0;
  /** The character that items of one list share. */
  sign: i32 = 0;

  /** False if the line begins no item. */
  scan(line: string): bool {
    const indent = indentOf(line);
    const text = line.trimStart();
    const digits = digitsOf(text);
    if (digits == text.length || digits > 9) return false;
    this.ordered = digits > 0;
    this.sign = text.charCodeAt(digits);
    if (!this.signFits()) return false;
    if (this.ordered) this.start = I32.parseInt(text.substring(0, digits));
    const end = digits + 1;
    if (end < text.length && !isSpace(text.charCodeAt(end))) return false;
    const gap = indentOf(text.substring(end));
    // An empty item, and one that begins with indented code, have their text one column behind the marker.
    this.width = indent + end + (end == text.length || gap > 4 ? 1 : gap);
    return true;
  }

  private signFits(): bool {
    const c = this.sign;
    if (this.ordered) return c == Char.Dot || c == Char.ParenClose;
    return c == Char.Minus || c == Char.Star || c == Char.Plus;
  }

  goesOn(first: Marker): bool {
    return this.ordered == first.ordered && this.sign == first.sign;
  }
}

function digitsOf(text: string): i32 {
  let end = 0;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  return end;
}

export class ListRule extends BlockRule {
  begins(parser: BlockParser, inParagraph: bool): bool {
    const marker = new Marker();
    if (indentOf(parser.line) > 3 || !marker.scan(parser.line)) return false;
    // In a paragraph a number at the begin of a line is most often just a number.
    return !inParagraph || !marker.ordered || marker.start == 1;
  }

  read(parser: BlockParser): Node {
    const first = new Marker();
    first.scan(parser.line);
    const list = new List(first.ordered, first.start);
    const items: string[][] = [];
    const marker = new Marker();
    while (!parser.done && marker.scan(parser.line) && marker.goesOn(first)) {
      const lines = readItem(parser, marker.width);
      const blanksBehind = trimBlankEnd(lines) || isBlank(parser.line);
      items.push(lines);
      while (!parser.done && isBlank(parser.line)) parser.takeLine();
      const another = !parser.done && new Marker().scan(parser.line);
      if (hasBlankBetweenBlocks(lines) || (blanksBehind && another)) list.tight = false;
    }
    for (let i = 0; i < items.length; i++) list.children.push(new ListItem(list.tight, parser.blocksOf(items[i])));
    return list;
  }
}

/** An item's lines without its indent; further lines belong to it if they are indented or go on with its paragraph. */
function readItem(parser: BlockParser, width: i32): string[] {
  const first = parser.takeLine();
  const lines: string[] = [" ".repeat(indentOf(first)) + first.trimStart()];
  lines[0] = lines[0].length > width ? lines[0].substring(width) : "";
  while (!parser.done) {
    const line = parser.line;
    if (isBlank(line)) {
      if (indentOf(parser.lineAhead(1)) < width) break;
    } else if (indentOf(line) < width) {
      if (isBlank(lines[lines.length - 1]) || new Marker().scan(line) || parser.endsParagraph()) break;
    }
    lines.push(outdent(parser.takeLine(), width));
  }
  return lines;
}

/** Takes blank lines off the end; whether there were any. */
function trimBlankEnd(lines: string[]): bool {
  const before = lines.length;
  while (lines.length > 0 && isBlank(lines[lines.length - 1])) lines.pop();
  return lines.length < before;
}

function hasBlankBetweenBlocks(lines: string[]): bool {
  let fenced = false;
  for (let i = 0; i < lines.length; i++) {
    if (lines[i].trimStart().startsWith("```")) fenced = !fenced;
    // Blank lines inside a nested list or its code are that list's own.
    if (!fenced && isBlank(lines[i]) && i + 1 < lines.length && indentOf(lines[i + 1]) == 0) return true;
  }
  return false;
}
