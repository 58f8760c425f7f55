// SPDX-License-Identifier: Apache-2.0
// The tree as Markdown again, in one spelling for each thing. Parsed once more, it gives the same HTML.

import { Char, isPunctuation, runLength } from "./characters";
import { Alignment, CodeBlock, CodeSpan, Document, Emphasis, Heading, Image, LineBreak, Link, List, ListItem, Node,
  Paragraph, Quote, Strike, Strong, Table, Text, ThematicBreak, Visitor } from "./nodes";
import { TextBuilder } from "./text-builder";

export class MarkdownWriter extends Visitor {
  private out: TextBuilder = new TextBuilder();
  /** What each line of the blocks around begins with: quotes' marks and items' indents. */
  private prefix: string = "";
  /** The list around the current item, and the item's number in it. */
  private ordered: bool = false;
  private number: i32 = 0;

  write(document: Document): string {
    document.accept(this);
    return this.out.toString();
  }

  document(node: Document): void {
    this.blocks(node.children, false);
  }

  heading(node: Heading): void {
    this.out.add("#".repeat(node.level) + " ");
    node.acceptChildren(this);
  }

  paragraph(node: Paragraph): void {
    node.acceptChildren(this);
  }

  codeBlock(node: CodeBlock): void {
    const fence = "`".repeat(max(3, longestRun(node.code) + 1));
    this.out.add(fence + node.language);
    const lines = node.code.split("\n");
    for (let i = 0; i < lines.length - 1; i++) this.newLine().add(lines[i]);
    this.newLine().add(fence);
  }

  quote(node: Quote): void {
    this.out.add("> ");
    this.nested("> ", node.children, false);
  }

  list(node: List): void {
    const ordered = this.ordered;
    const number = this.number;
    this.ordered = node.ordered;
    this.number = node.start;
    this.blocks(node.children, node.tight);
    this.ordered = ordered;
    this.number = number;
  }

  listItem(node: ListItem): void {
    const marker = this.ordered ? this.number.toString() + ". " : "- ";
    this.number++;
    this.out.add(marker);
    this.nested(" ".repeat(marker.length), node.children, node.tight);
  }

  table(node: Table): void {
    this.row(node.rows[0]);
    this.newLine();
    for (let i = 0; i < node.alignments.length; i++) this.out.add("|" + dashes(node.alignments[i]));
    this.out.add("|");
    for (let i = 1; i < node.rows.length; i++) {
      this.newLine();
      this.row(node.rows[i]);
    }
  }

  private row(cells: Paragraph[]): void {
    for (let i = 0; i < cells.length; i++) {
      this.out.add("| ");
      cells[i].acceptChildren(this);
      this.out.add(" ");
    }
    this.out.add("|");
  }

  thematicBreak(node: ThematicBreak): void {
    this.out.add("***");
  }

  text(node: Text): void {
    this.out.add(backslashed(node.value));
  }

  emphasis(node: Emphasis): void {
    this.wrapped("*", node.children);
  }

  strong(node: Strong): void {
    this.wrapped("**", node.children);
  }

  strike(node: Strike): void {
    this.wrapped("~~", node.children);
  }

  codeSpan(node: CodeSpan): void {
    const ticks = "`".repeat(longestRun(node.code) + 1);
    // A space on each side, which the reader takes off again, keeps backticks of the code apart from these.
    const pad = node.code.startsWith("`") || node.code.endsWith("`") ? " " : "";
    this.out.add(ticks + pad + node.code + pad + ticks);
  }

  link(node: Link): void {
    this.out.add("[");
    node.acceptChildren(this);
    this.out.add("](" + node.target + titlePart(node.title) + ")");
  }

  image(node: Image): void {
    this.out.add("![" + node.alternative + "](" + node.target + titlePart(node.title) + ")");
  }

  lineBreak(node: LineBreak): void {
    if (node.hard) this.out.add("\\");
    this.newLine();
  }

  private newLine(): TextBuilder {
    return this.out.add("\n" + this.prefix);
  }

  private blocks(nodes: Node[], tight: bool): void {
    for (let i = 0; i < nodes.length; i++) {
      if (i > 0) {
        if (!tight) this.newLine();
        this.newLine();
      }
      nodes[i].accept(this);
    }
  }

  private nested(prefix: string, nodes: Node[], tight: bool): void {
    const outer = this.prefix;
    this.prefix = outer + prefix;
    this.blocks(nodes, tight);
    this.prefix = outer;
  }

  private wrapped(mark: string, children: Node[]): void {
    this.out.add(mark);
    for (let i = 0; i < children.length; i++) children[i].accept(this);
    this.out.add(mark);
  }
}

function titlePart(title: string): string {
  return title.length > 0 ? ' "' + title.replaceAll("\\", "\\\\").replaceAll('"', '\\"') + '"' : "";
}

function dashes(alignment: Alignment): string {
  const left = alignment == Alignment.Left || alignment == Alignment.Center;
  const right = alignment == Alignment.Right || alignment == Alignment.Center;
  return (left ? ":" : "-") + "-" + (right ? ":" : "-");
}

/** The longest run of backticks: a fence around the code must be longer. */
function longestRun(code: string): i32 {
  let longest = 0;
  for (let i = 0; i < code.length; i++) {
    const run = runLength(code, i, Char.Backtick);
    longest = max(longest, run);
    i += run;
  }
  return longest;
}

/** Escapes all punctuation: more than is needed, and never wrong. */
function backslashed(text: string): string {
  let result = "";
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (isPunctuation(c)) result += "\\";
    result += String.fromCharCode(c);
  }
  return result;
}
