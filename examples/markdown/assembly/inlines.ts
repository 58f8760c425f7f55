// SPDX-License-Identifier: Apache-2.0
// From a paragraph's text to its inlines: code, links, images, emphasis.
//
// One pass over the text makes a row of nodes and delimiters (runs of * _ ~); pairing the delimiters then wraps what
// stands between two of them.

import { Char, isPunctuation, isSpace, runLength } from "./characters";
import { CodeSpan, Emphasis, Image, LineBreak, Link, Node, Strike, Strong, Text } from "./nodes";
import { LinkScanner, References } from "./links";

/** A run of * _ or ~ that may open or close emphasis; as long as it is in the row it stands in a node's place. */
class Delimiter {
  constructor(public char: i32, public count: i32, public canOpen: bool, public canClose: bool) {}

  /** Whether this run and `closer` can be the two ends of one emphasis. */
  opens(closer: Delimiter): bool {
    return this.canOpen && this.char == closer.char && this.used(closer) > 0;
  }

  /** How many characters of both runs make one emphasis: two for strong, and ~ comes in pairs only. */
  used(closer: Delimiter): i32 {
    const both = min(this.count, closer.count);
    return both >= 2 ? 2 : this.char == Char.Tilde ? 0 : both;
  }

  toText(): string {
    return String.fromCharCode(this.char).repeat(this.count);
  }
}

/** A place in the row: a node or a delimiter. */
class Piece {
  constructor(public node: Node | null, public delimiter: Delimiter | null) {}
}

export class InlineParser {
  private at: i32 = 0;
  private row: Piece[] = [];
  /** Where text that is not yet in the row begins. */
  private plain: i32 = 0;

  constructor(private text: string, private references: References) {}

  parse(): Node[] {
    while (this.at < this.text.length) {
      if (!this.special(this.text.charCodeAt(this.at))) this.at++;
    }
    this.flush(this.at);
    this.pairDelimiters();
    return this.nodes(0, this.row.length);
  }

  /** Takes what a special character begins; false if it is plain text after all. */
  private special(c: i32): bool {
    switch (c) {
      case Char.Backtick:
        return this.codeSpan();
      case Char.Star:
      case Char.Underscore:
      case Char.Tilde:
        return this.delimiterRun(c);
      case Char.Backslash:
        return this.escape();
      case Char.LineFeed:
        return this.lineBreak();
      case Char.Less:
        return this.autolink();
      case Char.BracketOpen:
        return this.link();
      case Char.Bang:
        return this.image();
      default:
        return false;
    }
  }

  /** Puts the plain text up to `end` into the row. */
  private flush(end: i32): void {
    if (end > this.plain) this.row.push(new Piece(new Text(this.text.substring(this.plain, end)), null));
    this.plain = end;
  }

  /** Puts a node that stands for the source up to `next` into the row. */
  private take(node: Node, next: i32): bool {
    this.flush(this.at);
    this.row.push(new Piece(node, null));
    this.at = this.plain = next;
    return true;
  }

  private codeSpan(): bool {
    const ticks = runLength(this.text, this.at, Char.Backtick);
    for (let i = this.at + ticks; i < this.text.length; ) {
      const run = runLength(this.text, i, Char.Backtick);
      if (run == ticks) {
        return this.take(new CodeSpan(trimmedCode(this.text.substring(this.at + ticks, i))), i + ticks);
      }
      i += max(run, 1);
    }
    this.at += ticks;
    return true;
  }

  private delimiterRun(c: i32): bool {
    const count = runLength(this.text, this.at, c);
    const before = this.at > 0 ? this.text.charCodeAt(this.at - 1) : Char.Space;
    const end = this.at + count;
    const after = end < this.text.length ? this.text.charCodeAt(end) : Char.Space;
    const opens = leansOn(after, before);
    const closes = leansOn(before, after);
    // An underscore inside a word is a character of the word.
    const inWord = c == Char.Underscore && opens && closes;
    this.flush(this.at);
    this.row.push(new Piece(null, new Delimiter(c, count, opens && !inWord, closes && !inWord)));
    this.at = this.plain = end;
    return true;
  }

  private escape(): bool {
    const next = this.at + 1;
    if (next == this.text.length) return false;
    const c = this.text.charCodeAt(next);
    if (c == Char.LineFeed) return this.take(new LineBreak(true), next + 1);
    return isPunctuation(c) && this.take(new Text(String.fromCharCode(c)), next + 1);
  }

  private lineBreak(): bool {
    let end = this.at;
    while (end > this.plain && this.text.charCodeAt(end - 1) == Char.Space) end--;
    const hard = this.at - end >= 2;
    this.flush(end);
    this.plain = this.at;
    return this.take(new LineBreak(hard), this.at + 1);
  }

  private autolink(): bool {
    const end = this.text.indexOf(">", this.at);
    if (end < 0) return false;
    const target = this.text.substring(this.at + 1, end);
    return isAddress(target) && this.take(new Link(target, "", [new Text(target)]), end + 1);
  }

  private link(): bool {
    const scanner = new LinkScanner(this.text, this.at, this.references);
    if (!scanner.scan()) return false;
    const children = new InlineParser(scanner.label, this.references).parse();
    return this.take(new Link(scanner.target, scanner.title, children), scanner.end);
  }

  private image(): bool {
    if (this.at + 1 == this.text.length || this.text.charCodeAt(this.at + 1) != Char.BracketOpen) return false;
    const scanner = new LinkScanner(this.text, this.at + 1, this.references);
    return scanner.scan() && this.take(new Image(scanner.target, scanner.title, scanner.label), scanner.end);
  }

  private pairDelimiters(): void {
    for (let i = 0; i < this.row.length; i++) {
      const closer = this.row[i].delimiter;
      if (closer === null || !closer.canClose) continue;
      const at = this.openerBefore(i, closer);
      if (at >= 0) i = this.wrap(at, i);
    }
  }

  private openerBefore(closerAt: i32, closer: Delimiter): i32 {
    for (let i = closerAt - 1; i >= 0; i--) {
      const delimiter = this.row[i].delimiter;
      if (delimiter !== null && delimiter.opens(closer)) return i;
    }
    return -1;
  }

  /** Wraps what stands between two delimiters of the row; returns the place to go on after. */
  private wrap(openerAt: i32, closerAt: i32): i32 {
    const opener = assert(this.row[openerAt].delimiter);
    const closer = assert(this.row[closerAt].delimiter);
    const used = opener.used(closer);
    const wrapped = emphasis(opener.char, used, this.nodes(openerAt + 1, closerAt));
    opener.count -= used;
    closer.count -= used;
    const row = this.row.slice(0, opener.count > 0 ? openerAt + 1 : openerAt);
    row.push(new Piece(wrapped, null));
    const next = row.length - 1;
    this.row = row.concat(this.row.slice(closer.count > 0 ? closerAt : closerAt + 1));
    return next;
  }

  /** The nodes of a part of the row; delimiters that found no partner are text. */
  private nodes(from: i32, to: i32): Node[] {
    const result: Node[] = [];
    for (let i = from; i < to; i++) {
      const delimiter = this.row[i].delimiter;
      result.push(delimiter === null ? assert(this.row[i].node) : new Text(delimiter.toText()));
    }
    return result;
  }
}

function emphasis(char: i32, used: i32, children: Node[]): Node {
  if (char == Char.Tilde) return new Strike(children);
  return used == 2 ? new Strong(children) : new Emphasis(children);
}

/** Whether a delimiter between `side` and `other` belongs to what stands at `side`. */
function leansOn(side: i32, other: i32): bool {
  return !isSpace(side) && (!isPunctuation(side) || isSpace(other) || isPunctuation(other));
}

function isAddress(target: string): bool {
  if (target.includes(" ") || target.includes("<")) return false;
  return target.startsWith("http://") || target.startsWith("https://") || target.startsWith("mailto:");
}

/** One space at each end of a code span serves to hold a backtick: it goes, unless there is nothing else. */
function trimmedCode(code: string): string {
  const line = code.replaceAll("\n", " ");
  const padded = line.length > 2 && line.startsWith(" ") && line.endsWith(" ") && line.trim().length > 0;
  return padded ? line.substring(1, line.length - 1) : line;
}
