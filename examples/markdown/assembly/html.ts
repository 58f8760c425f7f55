// SPDX-License-Identifier: Apache-2.0
// The tree as HTML.

import { Char } from "./characters";
import { Alignment, CodeBlock, CodeSpan, Document, Emphasis, Heading, Image, LineBreak, Link, List, ListItem, Node,
  Paragraph, Quote, Strike, Strong, Table, Text, ThematicBreak, Visitor } from "./nodes";
import { slugOf } from "./outline";
import { plainText } from "./plain-text";
import { TextBuilder } from "./text-builder";

export class HtmlWriter extends Visitor {
  private out: TextBuilder = new TextBuilder();
  /** Paragraphs of a tight list have no tag of their own. */
  private bare: bool = false;

  write(document: Document): string {
    document.accept(this);
    return this.out.toString();
  }

  document(node: Document): void {
    node.acceptChildren(this);
  }

  heading(node: Heading): void {
    const tag = "h" + node.level.toString();
    this.out.add("<" + tag).add(attribute("id", slugOf(plainText(node)))).add(">");
    node.acceptChildren(this);
    this.out.line("</" + tag + ">");
  }

  paragraph(node: Paragraph): void {
    if (this.bare) {
      node.acceptChildren(this);
      return;
    }
    this.out.add("<p>");
    node.acceptChildren(this);
    this.out.line("</p>");
  }

  codeBlock(node: CodeBlock): void {
    this.out.freshLine().add("<pre><code");
    if (node.language.length > 0) this.out.add(attribute("class", "language-" + node.language));
    this.out.add(">").add(escaped(node.code)).line("</code></pre>");
  }

  quote(node: Quote): void {
    this.block("blockquote", "", node.children, false);
  }

  list(node: List): void {
    const start = node.ordered && node.start != 1 ? attribute("start", node.start.toString()) : "";
    this.block(node.ordered ? "ol" : "ul", start, node.children, this.bare);
  }

  listItem(node: ListItem): void {
    const outer = this.bare;
    this.bare = node.tight;
    this.out.add("<li>");
    for (let i = 0; i < node.children.length; i++) {
      // Blocks begin on a line of their own; a tight item's first text stands right behind the tag.
      if (!node.tight || i > 0) this.out.freshLine();
      node.children[i].accept(this);
    }
    this.out.line("</li>");
    this.bare = outer;
  }

  table(node: Table): void {
    this.out.freshLine().line("<table>");
    for (let i = 0; i < node.rows.length; i++) this.row(node.rows[i], node.alignments, i == 0 ? "th" : "td");
    this.out.line("</table>");
  }

  private row(cells: Paragraph[], alignments: Alignment[], tag: string): void {
    this.out.add("<tr>");
    for (let i = 0; i < cells.length; i++) {
      this.out.add("<" + tag).add(alignmentAttribute(alignments[i])).add(">");
      cells[i].acceptChildren(this);
      this.out.add("</" + tag + ">");
    }
    this.out.line("</tr>");
  }

  thematicBreak(node: ThematicBreak): void {
    this.out.freshLine().line("<hr>");
  }

  text(node: Text): void {
    this.out.add(escaped(node.value));
  }

  emphasis(node: Emphasis): void {
    this.inline("em", "", node.children);
  }

  strong(node: Strong): void {
    this.inline("strong", "", node.children);
  }

  strike(node: Strike): void {
    this.inline("del", "", node.children);
  }

  codeSpan(node: CodeSpan): void {
    this.out.add("<code>").add(escaped(node.code)).add("</code>");
  }

  link(node: Link): void {
    this.inline("a", attribute("href", node.target) + titleAttribute(node.title), node.children);
  }

  image(node: Image): void {
    this.out.add("<img").add(attribute("src", node.target)).add(attribute("alt", node.alternative));
    this.out.add(titleAttribute(node.title)).add(">");
  }

  lineBreak(node: LineBreak): void {
    this.out.add(node.hard ? "<br>\n" : "\n");
  }

  private block(tag: string, attributes: string, children: Node[], bare: bool): void {
    const outer = this.bare;
    this.bare = bare;
    this.out.freshLine().line("<" + tag + attributes + ">");
    this.visitAll(children);
    this.out.line("</" + tag + ">");
    this.bare = outer;
  }

  private inline(tag: string, attributes: string, children: Node[]): void {
    this.out.add("<" + tag + attributes + ">");
    this.visitAll(children);
    this.out.add("</" + tag + ">");
  }

  private visitAll(nodes: Node[]): void {
    for (let i = 0; i < nodes.length; i++) nodes[i].accept(this);
  }
}

function attribute(name: string, value: string): string {
  return " " + name + '="' + escaped(value) + '"';
}

function titleAttribute(title: string): string {
  return title.length > 0 ? attribute("title", title) : "";
}

function alignmentAttribute(alignment: Alignment): string {
  switch (alignment) {
    case Alignment.Left:
      return attribute("align", "left");
    case Alignment.Center:
      return attribute("align", "center");
    case Alignment.Right:
      return attribute("align", "right");
    default:
      return "";
  }
}

/** The entity that stands for a character of HTML's own, empty for any other. */
function entityOf(c: i32): string {
  switch (c) {
    case Char.Ampersand:
      return "&amp;";
    case Char.Less:
      return "&lt;";
    case Char.Greater:
      return "&gt;";
    case Char.DoubleQuote:
      return "&quot;";
    default:
      return "";
  }
}

export function escaped(text: string): string {
  let result = "";
  let plain = 0;
  for (let i = 0; i < text.length; i++) {
    const entity = entityOf(text.charCodeAt(i));
    if (entity.length > 0) {
      result += text.substring(plain, i) + entity;
      plain = i + 1;
    }
  }
  return plain == 0 ? text : result + text.substring(plain);
}
