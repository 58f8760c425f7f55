// SPDX-License-Identifier: Apache-2.0
// The flame graph of the whole profile.
import { Flame } from "./flame.js";
import { makeElement } from "./table.js";

export class FlameTab {
  constructor(panel, report) {
    this.report = report;
    const { state } = report;
    this.details = makeElement("p", { class: "details", "aria-live": "polite" });
    this.reset = makeElement("button", { type: "button", title: "Show the whole (Escape)" }, "Reset zoom");
    this.reset.addEventListener("click", () => state.set({ zoom: 0 }));
    const host = makeElement("div");
    panel.append(makeElement("div", { class: "bar" }, this.details, this.reset), host);
    this.flame = new Flame(host, report.palette, {
      label: "Flame graph: arrows move, Enter zooms, + and - zoom in and out",
      look: (node) => report.lookOf(node),
      show: (hit) => this.show(hit),
      choose: (node) => state.set({ zoom: node, function: report.tree.functions[node] }),
    });
  }

  zoom() {
    const zoom = Number(this.report.state.get("zoom"));
    return Number.isInteger(zoom) && zoom > 0 && zoom < this.report.tree.count ? zoom : 0;
  }

  show(hit) {
    const { report } = this;
    this.details.textContent = hit
      ? report.describe(report.tree, hit, { weight: report.weight(), zoom: this.zoom() })
      : "Click a frame to zoom. Hold Control and turn the wheel to zoom in and out, drag to move.";
  }

  update(changed) {
    const { state } = this.report;
    if (changed.has("weight")) this.flame.setTree(this.report.tree, this.report.weight());
    if (changed.has("search")) this.flame.setMatch(this.report.matches());
    this.flame.setSelected(this.report.selected());
    if (changed.has("zoom") || changed.has("weight")) {
      this.flame.zoomTo(this.zoom());
      this.reset.disabled = this.zoom() === 0;
      this.show(null);
    }
    if (changed.has("tab") && state.get("tab") === "flame") this.flame.draw();
  }

  escape() {
    this.report.state.set({ zoom: 0 });
    this.flame.zoomTo(0);
  }
}
