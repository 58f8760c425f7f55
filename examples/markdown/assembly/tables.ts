// SPDX-License-Identifier: Apache-2.0
// Tables: a header row, a row of dashes that says how columns are aligned, and rows up to the first without a bar.

import { BlockParser, BlockRule } from "./blocks";
import { Char, isBlank } from "./characters";
import { Alignment, Node, Paragraph, Table } from "./nodes";

export class TableRule extends BlockRule {
  begins(parser: BlockParser, inParagraph: bool): bool {
    if (inParagraph || !parser.line.includes("|")) return false;
    const alignments = alignmentsOf(parser.lineAhead(1));
    return alignments.length > 0 && alignments.length == cellsOf(parser.line).length;
  }

  read(parser: BlockParser): Node {
    const header = cellsOf(parser.takeLine());
    const table = new Table(alignmentsOf(parser.takeLine()));
    table.rows.push(readRow(parser, header, header.length));
    while (!parser.done && !isBlank(parser.line) && parser.line.includes("|")) {
      table.rows.push(readRow(parser, cellsOf(parser.takeLine()), header.length));
    }
    return table;
  }
}

/** A row of exactly `columns` cells: missing ones are empty, surplus ones are dropped. */
function readRow(parser: BlockParser, cells: string[], columns: i32): Paragraph[] {
  const row: Paragraph[] = [];
  for (let i = 0; i < columns; i++) row.push(new Paragraph(parser.inlines(i < cells.length ? cells[i] : "")));
  return row;
}

/** Splits a row at its bars, except escaped ones and those in code; the outermost bars are optional. */
function cellsOf(line: string): string[] {
  let text = line.trim();
  if (text.startsWith("|")) text = text.substring(1);
  if (text.endsWith("|") && !text.endsWith("\\|")) text = text.substring(0, text.length - 1);
  const cells: string[] = [];
  let cell = "";
  let inCode = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c == Char.Backtick) inCode = !inCode;
    if (c == Char.Pipe && !inCode) {
      cells.push(cell.trim());
      cell = "";
      continue;
    }
    if (c == Char.Backslash && i + 1 < text.length) {
      // An escaped bar is a bar, in code too; every other escape is for the inlines to read.
      if (text.charCodeAt(++i) != Char.Pipe) cell += "\\";
    }
    cell += String.fromCharCode(text.charCodeAt(i));
  }
  cells.push(cell.trim());
  return cells;
}

/** The alignments that a row of dashes states; empty if it is no such row. */
function alignmentsOf(line: string): Alignment[] {
  const cells = cellsOf(line);
  const result: Alignment[] = [];
  for (let i = 0; i < cells.length; i++) {
    const left = cells[i].startsWith(":");
    const right = cells[i].endsWith(":") && cells[i].length > 1;
    const dashes = cells[i].substring(left ? 1 : 0, cells[i].length - (right ? 1 : 0));
    if (dashes.length == 0 || dashes != "-".repeat(dashes.length)) return [];
    result.push(left ? (right ? Alignment.Center : Alignment.Left) : right ? Alignment.Right : Alignment.None);
  }
  return result;
}
