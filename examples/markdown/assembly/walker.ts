// SPDX-License-Identifier: Apache-2.0
// A visitor that goes through the whole tree: what derives from it overrides only the nodes that it is about.

import { CodeBlock, CodeSpan, Document, Emphasis, Heading, Image, LineBreak, Link, List, ListItem, Paragraph, Quote,
  Strike, Strong, Table, Text, ThematicBreak, Visitor } from "./nodes";

export class Walker extends Visitor {
  document(node: Document): void {
    node.acceptChildren(this);
  }

  heading(node: Heading): void {
    node.acceptChildren(this);
  }

  paragraph(node: Paragraph): void {
    node.acceptChildren(this);
  }

  codeBlock(node: CodeBlock): void {}

  quote(node: Quote): void {
    node.acceptChildren(this);
  }

  list(node: List): void {
    node.acceptChildren(this);
  }

  listItem(node: ListItem): void {
    node.acceptChildren(this);
  }

  table(node: Table): void {
    for (let i = 0; i < node.rows.length; i++) {
      for (let j = 0; j < node.rows[i].length; j++) node.rows[i][j].acceptChildren(this);
    }
  }

  thematicBreak(node: ThematicBreak): void {}

  text(node: Text): void {}

  emphasis(node: Emphasis): void {
    node.acceptChildren(this);
  }

  strong(node: Strong): void {
    node.acceptChildren(this);
  }

  strike(node: Strike): void {
    node.acceptChildren(this);
  }

  codeSpan(node: CodeSpan): void {}

  link(node: Link): void {
    node.acceptChildren(this);
  }

  image(node: Image): void {}

  lineBreak(node: LineBreak): void {}
}
