// SPDX-License-Identifier: Apache-2.0
// From lines to blocks. Each kind of block has a rule that knows its first line; the first rule that takes a line
// reads the whole block. Quotes and list items strip their markers and read what is left as blocks of their own.

import { indentOf, isBlank } from "./characters";
import { CodeRule, FenceRule, HeadingRule, ThematicBreakRule } from "./leaf-blocks";
import { ListRule, QuoteRule } from "./containers";
import { InlineParser } from "./inlines";
import { References } from "./links";
import { Document, Heading, Node, Paragraph } from "./nodes";
import { TableRule } from "./tables";

export abstract class BlockRule {
  /** Whether a block of this kind begins at the parser's line; `inParagraph` says that a paragraph is still open. */
  abstract begins(parser: BlockParser, inParagraph: bool): bool;
  /** Reads the block and leaves the parser at the line behind it. */
  abstract read(parser: BlockParser): Node;
}

// The order counts: a rule sees only what those before it have left.
const rules: BlockRule[] = [
  new CodeRule(),
  new HeadingRule(),
  new FenceRule(),
  new ThematicBreakRule(),
  new QuoteRule(),
  new ListRule(),
  new TableRule(),
];

export class BlockParser {
  private at: i32 = 0;

  constructor(private lines: string[], private references: References) {}

  get done(): bool {
    return this.at >= this.lines.length;
  }

  /** The line that is next, without moving; empty at the end. */
  get line(): string {
    return this.lineAhead(0);
  }

  lineAhead(count: i32): string {
    const i = this.at + count;
    return i < this.lines.length ? this.lines[i] : "";
  }

  /** The next line, moving behind it. */
  takeLine(): string {
    return this.lines[this.at++];
  }

  blocks(): Node[] {
    const result: Node[] = [];
    while (!this.done) {
      if (isBlank(this.line)) this.at++;
      else if (!this.references.define(this.line)) result.push(this.block());
      else this.at++;
    }
    return result;
  }

  private block(): Node {
    const rule = this.ruleHere(false);
    return rule === null ? this.paragraph() : rule.read(this);
  }

  private ruleHere(inParagraph: bool): BlockRule | null {
    for (let i = 0; i < rules.length; i++) {
      if (rules[i].begins(this, inParagraph)) return rules[i];
    }
    return null;
  }

  /** Whether the open paragraph, if any, ends before this line. */
  endsParagraph(): bool {
    return isBlank(this.line) || this.ruleHere(true) !== null;
  }

  /** Lines up to a blank one or another block's begin; underlined, they are a heading. */
  private paragraph(): Node {
    const lines: string[] = [this.takeLine().trimStart()];
    while (!this.done) {
      const level = underlineLevel(this.line);
      if (level > 0) {
        this.at++;
        return new Heading(level, this.inlines(lines.join("\n")));
      }
      if (this.endsParagraph()) break;
      lines.push(this.takeLine().trimStart());
    }
    return new Paragraph(this.inlines(lines.join("\n")));
  }

  inlines(text: string): Node[] {
    return new InlineParser(text.trimEnd(), this.references).parse();
  }

  /** Reads lines that stand inside a block of these. */
  blocksOf(lines: string[]): Node[] {
    return new BlockParser(lines, this.references).blocks();
  }
}

/** 1 for a line of `=`, 2 for one of `-`, else 0. */
function underlineLevel(line: string): i32 {
  if (indentOf(line) > 3) return 0;
  const text = line.trim();
  if (text.length > 0 && text == "=".repeat(text.length)) return 1;
  return text.length > 1 && text == "-".repeat(text.length) ? 2 : 0;
}

export function parseMarkdown(text: string): Document {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const references = new References();
  collectReferences(lines, references);
  return new Document(new BlockParser(lines, references).blocks());
}

/** A link may use a reference that is defined further down: so definitions are looked for first. */
function collectReferences(lines: string[], references: References): void {
  for (let i = 0; i < lines.length; i++) {
    if (indentOf(lines[i]) <= 3) references.define(lines[i]);
  }
}
