// SPDX-License-Identifier: Apache-2.0
// The callers and callees of the selected function: direct ones in tables, and all of their paths as flame graphs above
// and below.
import { Flame } from "./flame.js";
import { exactWeight, formatShare, formatCell, groupDigits } from "./quantities.js";
import { Table, makeElement } from "./table.js";

export class CallersTab {
  constructor(panel, report) {
    this.report = report;
    this.hint = makeElement("p", { class: "note" }, "Select a function in the summary or the flame graph.");
    this.content = makeElement("div", { class: "sandwich" });
    panel.append(this.hint, this.content);
    this.details = makeElement("p", { class: "details", "aria-live": "polite" });
    const tables = makeElement("div", { class: "tables" });
    const flames = makeElement("div", { class: "flames" });
    this.content.append(tables, this.details, flames);
    this.callers = this.makeTable(tables, "Callers");
    this.callees = this.makeTable(tables, "Callees");
    this.above = this.makeFlame(flames, "Callers of the selected function", true);
    this.below = this.makeFlame(flames, "Callees of the selected function", false);
    this.shown = null;
  }

  makeTable(parent, title) {
    const { report } = this;
    const host = makeElement("div", { class: title.toLowerCase() });
    parent.append(makeElement("section", {}, makeElement("h2", {}, title), host));
    const columns = [
      {
        key: "total", title: "Total", kind: "number", value: (arc) => arc.total,
        text: (arc) => formatCell(arc.total, report.unit()), hint: (arc) => exactWeight(arc.total, report.unit()),
        part: (arc) => (this.whole > 0 ? Math.min(arc.total / this.whole, 1) : 0),
      },
      { key: "share", title: "%", kind: "number", value: (arc) => arc.total, text: (arc) => formatShare(arc.total, this.whole) },
    ];
    if (report.calls >= 0)
      columns.push({ key: "calls", title: "Calls", kind: "number", value: (arc) => arc.calls, text: (arc) => groupDigits(arc.calls) });
    const name = (arc) => (arc.other < 0 ? "(the host)" : report.functions[arc.other].name);
    const hint = (arc) => [name(arc), arc.other < 0 ? "" : report.sourceOf(arc.other)].filter(Boolean).join("\n");
    columns.push({ key: "name", title: "Function", kind: "text", value: name, text: name, hint });
    const go = (arc) => {
      if (arc.other >= 0) report.select(arc.other);
    };
    return new Table(host, { columns, label: title, keyOf: (arc) => arc.other, choose: go, open: go });
  }

  makeFlame(parent, label, growsUp) {
    const { report } = this;
    const host = makeElement("div");
    parent.append(makeElement("section", {}, makeElement("h2", {}, growsUp ? "Paths to it" : "Paths from it"), host));
    const flame = new Flame(host, report.palette, {
      label, growsUp,
      look: (node) => (node === 0 ? { name: growsUp ? "callers" : "callees", classes: "" } : report.look(flame.tree.functions[node])),
      show: (hit) => {
        this.details.textContent = hit ? report.describe(flame.tree, hit, { weight: 0, zoom: flame.zoom }) : "";
      },
      choose: (node) => {
        const called = flame.tree.functions[node];
        if (called >= 0 && called !== report.selected()) report.select(called);
        else flame.zoomTo(node);
      },
    });
    return flame;
  }

  update(changed) {
    const { report } = this;
    if (report.state.get("tab") !== "callers") return;
    const selected = report.selected();
    this.hint.hidden = selected >= 0;
    this.content.hidden = selected < 0;
    if (selected < 0) return;
    const weight = report.weight();
    const key = `${selected} ${weight}`;
    if (this.shown !== key) {
      this.shown = key;
      this.whole = report.sums().total[selected];
      const { callers, callees } = report.tree.neighbours(selected, weight, report.calls);
      this.callers.setRows(callers);
      this.callees.setRows(callees);
      const count = report.functions.length;
      this.above.setTree(report.tree.callersOf(selected, weight, count), 0);
      this.below.setTree(report.tree.calleesOf(selected, weight, count), 0);
      // Scroll to the selected function, which is at the bottom.
      this.above.host.scrollTop = this.above.host.scrollHeight;
    }
    if (changed.has("search") || changed.has("tab")) for (const flame of [this.above, this.below]) flame.setMatch(report.matches());
  }

  escape() {
    for (const flame of [this.above, this.below]) if (flame.tree) flame.zoomTo(0);
  }
}
