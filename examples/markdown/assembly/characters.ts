// SPDX-License-Identifier: Apache-2.0
// Classes of characters that Markdown tells apart, and what is done with text at its ends.

export const enum Char {
  Tab = 0x09,
  LineFeed = 0x0a,
  Space = 0x20,
  Bang = 0x21,
  DoubleQuote = 0x22,
  Hash = 0x23,
  Ampersand = 0x26,
  ParenOpen = 0x28,
  ParenClose = 0x29,
  Star = 0x2a,
  Plus = 0x2b,
  Minus = 0x2d,
  Dot = 0x2e,
  Colon = 0x3a,
  Less = 0x3c,
  Equals = 0x3d,
  Greater = 0x3e,
  BracketOpen = 0x5b,
  Backslash = 0x5c,
  BracketClose = 0x5d,
  Underscore = 0x5f,
  Backtick = 0x60,
  Pipe = 0x7c,
  Tilde = 0x7e,
}

export function isSpace(c: i32): bool {
  return c == Char.Space || c == Char.Tab || c == Char.LineFeed;
}

export function isDigit(c: i32): bool {
  return c >= 0x30 && c <= 0x39;
}

export function isLetter(c: i32): bool {
  const lower = c | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || c >= 0xc0;
}

/** ASCII punctuation: what a backslash can escape. */
export function isPunctuation(c: i32): bool {
  return (c >= 0x21 && c <= 0x2f) || (c >= 0x3a && c <= 0x40) || (c >= 0x5b && c <= 0x60) || (c >= 0x7b && c <= 0x7e);
}

/** The number of spaces that a line begins with; a tab reaches to the next multiple of four. */
export function indentOf(line: string): i32 {
  let columns = 0;
  for (let i = 0; i < line.length; i++) {
    const c = line.charCodeAt(i);
    if (c == Char.Space) columns++;
    else if (c == Char.Tab) columns += 4 - (columns & 3);
    else break;
  }
  return columns;
}

/** The line without its first `columns` columns of space, or without all its leading space if it has less. */
export function outdent(line: string, columns: i32): string {
  let at = 0;
  let column = 0;
  while (at < line.length && column < columns) {
    const c = line.charCodeAt(at);
    if (c == Char.Tab) column += 4 - (column & 3);
    else if (c == Char.Space) column++;
    else break;
    at++;
  }
  return " ".repeat(max(column - columns, 0)) + line.substring(at);
}

export function isBlank(line: string): bool {
  return line.trim().length == 0;
}

/** How often `c` stands in a row from position `at` on. */
export function runLength(text: string, at: i32, c: i32): i32 {
  let end = at;
  while (end < text.length && text.charCodeAt(end) == c) end++;
  return end - at;
}
