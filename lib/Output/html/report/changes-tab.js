// SPDX-License-Identifier: Apache-2.0
// For a difference: the change of each function, the largest first.
import { predicateFor } from "./labels.js";
import { countOf, formatChange, formatCell, groupDigits } from "./quantities.js";
import { Table, makeElement } from "./table.js";

export class ChangesTab {
  constructor(panel, report) {
    this.report = report;
    const { state } = report;
    const weight = (key, title) => ({
      key, title, kind: "number", value: (row) => row[key], text: (row) => formatCell(row[key], report.unit()),
      hint: (row) => `${groupDigits(row[key])} ${report.unit()}`,
    });
    const change = (key, title, before, after, real) => ({
      key, title, kind: "number",
      value: (row) => Math.abs(row[after] - row[before]),
      text: (row) => formatChange(row[before], row[after], report.unit(), row[real]),
      look: (row) => (row[after] === row[before] || !row[real] ? "same" : row[after] > row[before] ? "worse" : "better"),
    });
    const text = (key, title, kind = "text") => ({ key, title, kind, value: (row) => row[key], text: (row) => row[key], hint: (row) => row[key] });
    this.note = makeElement("p", { class: "note" });
    const host = makeElement("div", { class: "changes" });
    panel.append(this.note, host);
    this.table = new Table(host, {
      columns: [
        weight("totalBefore", "Total before"), weight("totalAfter", "Total after"),
        change("change", "Change", "totalBefore", "totalAfter", "isTotalReal"),
        change("selfChange", "Change of self", "selfBefore", "selfAfter", "isSelfReal"),
        text("name", "Function"), text("where", "Where", "path"),
      ],
      label: "What changed",
      keyOf: (row) => row.called,
      choose: (row) => report.select(row.called),
      open: (row) => state.set({ function: row.called, tab: "flame" }),
      sort: (key, descending) => state.set({ sort: `${descending ? "-" : ""}${key}` }, false),
    });
  }

  rows() {
    const { report } = this;
    const [selfBefore, selfAfter, totalBefore, totalAfter, real] =
      ["selfBefore", "selfAfter", "totalBefore", "totalAfter", "real"].map((name) => report.column(name));
    const text = report.state.get("search").trim();
    const matches = text ? predicateFor(text) : () => true;
    const rows = [];
    for (const [called, { name, where, remark }] of report.functions.entries())
      if (matches(name))
        rows.push({
          called, name: remark ? `${name} (${remark})` : name, where, selfBefore: selfBefore[called], selfAfter: selfAfter[called],
          totalBefore: totalBefore[called], totalAfter: totalAfter[called],
          isTotalReal: (real[called] & 1) > 0, isSelfReal: (real[called] & 2) > 0,
        });
    return rows;
  }

  update(changed) {
    const { state, functions } = this.report;
    if (changed.has("weight") || changed.has("search")) {
      const rows = this.rows();
      this.table.setRows(rows);
      this.note.textContent = rows.length < functions.length
        ? `${groupDigits(rows.length)} of ${countOf(functions.length, "function")}` : countOf(functions.length, "function");
    }
    if (changed.has("sort")) {
      const sort = state.get("sort");
      this.table.sortBy(sort.replace(/^-/, ""), sort.startsWith("-"));
    }
    this.table.select(this.report.selected());
  }
}
