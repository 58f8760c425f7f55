// SPDX-License-Identifier: Apache-2.0
// All functions in a table.
import { exactWeight, formatShare, formatCell, groupDigits, countOf } from "./quantities.js";
import { predicateFor } from "./labels.js";
import { Table, makeElement } from "./table.js";

export class SummaryTab {
  constructor(panel, report) {
    this.report = report;
    const { state } = report;
    const share = (value) => formatShare(value, report.total());
    const part = (value) => (report.total() > 0 ? value / report.total() : 0);
    const weight = (key, title) => ({
      key, title, kind: "number",
      value: (row) => row[key],
      text: (row) => formatCell(row[key], report.unit()),
      hint: (row) => exactWeight(row[key], report.unit()),
      part: (row) => part(row[key]),
    });
    const percent = (key, of) => ({
      key, title: "%", kind: "number", value: (row) => row[of], text: (row) => share(row[of]),
    });
    const columns = [weight("self", "Self"), percent("self-share", "self"), weight("total", "Total"), percent("total-share", "total")];
    if (report.calls >= 0)
      columns.push({ key: "calls", title: "Calls", kind: "number", value: (row) => row.calls, text: (row) => groupDigits(row.calls) });
    columns.push(
      { key: "name", title: "Function", kind: "text", value: (row) => row.name, text: (row) => row.name, hint: (row) => [row.name, report.sourceOf(row.called)].filter(Boolean).join("\n") },
      { key: "where", title: "Where", kind: "path", value: (row) => row.where, text: (row) => row.where, hint: (row) => row.where });
    this.note = makeElement("p", { class: "note" });
    const host = makeElement("div");
    panel.append(this.note, host);
    this.table = new Table(host, {
      columns, label: "Functions",
      keyOf: (row) => row.called,
      choose: (row) => report.select(row.called),
      open: (row) => state.set({ function: row.called, tab: "callers" }),
      sort: (key, descending) => state.set({ sort: `${descending ? "-" : ""}${key}` }, false),
    });
  }

  rows() {
    const { report } = this;
    const { self, total } = report.sums();
    const calls = report.calls >= 0 ? report.sums(report.calls).self : null;
    const text = report.state.get("search").trim();
    const matches = text ? predicateFor(text) : () => true;
    const rows = [];
    for (const [called, { name, where }] of report.functions.entries())
      if (matches(name)) rows.push({ called, name, where, self: self[called], total: total[called], calls: calls?.[called] ?? 0 });
    // Rows that are equal in the sorted column stay in this order.
    return rows.sort((a, b) => b.total - a.total);
  }

  update(changed) {
    const { state, functions } = this.report;
    if (changed.has("weight") || changed.has("search")) {
      const rows = this.rows();
      this.table.setRows(rows);
      this.note.textContent = functions.length === 0 ? "The profile is empty: nothing was called."
        : rows.length < functions.length ? `${groupDigits(rows.length)} of ${countOf(functions.length, "function")}`
          : countOf(functions.length, "function");
    }
    if (changed.has("sort")) {
      const sort = state.get("sort");
      this.table.sortBy(sort.replace(/^-/, ""), sort.startsWith("-"));
    }
    this.table.select(this.report.selected());
  }
}
