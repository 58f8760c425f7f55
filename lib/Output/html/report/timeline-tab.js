// SPDX-License-Identifier: Apache-2.0
// The calls over time, for one stream at a time. Short calls of one caller are drawn as blocks; if there are too many
// calls, the data has only blocks. The line above the frames then says how to get all calls of the visible range.
import { readData } from "./data.js";
import { Flame } from "./flame.js";
import { countOf, formatShare, formatWeight, groupDigits } from "./quantities.js";
import { makeElement } from "./table.js";
import { Tree } from "./tree.js";

// One stream as a tree: node 0 is the whole time.
function streamOf({ texts, columns }, index) {
  const column = (name) => columns.get(`${name}${index}`);
  const [called, rise, start, duration, between, calls] = ["function", "rise", "start", "duration", "between", "calls"].map(column);
  const count = called.length + 1;
  const functions = new Int32Array(count).fill(-1);
  const depths = new Int32Array(count);
  const starts = new Float64Array(count);
  const weights = new Float64Array(count);
  weights[0] = Number(texts.length);
  for (let node = 1; node < count; ++node) {
    functions[node] = called[node - 1] - 1;
    depths[node] = depths[node - 1] + 1 - rise[node - 1];
    starts[node] = starts[node - 1] + start[node - 1];
    weights[node] = duration[node - 1];
  }
  return { tree: new Tree(functions, depths, []), starts, weights, between, calls };
}

export class TimelineTab {
  constructor(panel, report) {
    Object.assign(this, { report, isOpen: false });
    const { state } = report;
    this.details = makeElement("p", { class: "details", "aria-live": "polite" });
    this.streams = makeElement("select", { "aria-label": "Stream" });
    this.streams.addEventListener("change", () => state.set({ stream: this.streams.value, call: 0 }));
    this.reset = makeElement("button", { type: "button", title: "Show the whole (Escape)" }, "Reset zoom");
    this.reset.addEventListener("click", () => this.escape());
    this.note = makeElement("p", { class: "note detail" });
    const host = makeElement("div");
    panel.append(makeElement("div", { class: "bar tools" }, this.details, this.streams, this.reset), this.note, host);
    this.flame = new Flame(host, report.palette, {
      label: "Timeline: arrows move, Enter zooms, + and - zoom in and out",
      isTimeline: true,
      look: (node) => this.look(node),
      show: (hit) => this.show(hit),
      choose: (node) => state.set({ call: node, function: this.shown.tree.functions[node] }),
      moved: () => this.moved(),
      callsOf: (node) => this.callsOf(node),
    });
  }

  callsOf(node) {
    return node === 0 ? 1 : Math.floor(this.shown.calls[node - 1] / 4);
  }

  // Whether calls within a node were dropped, and whether something was lost in it.
  hides(node) {
    return node > 0 && this.shown.calls[node - 1] % 2 === 1;
  }
  hasLost(node) {
    return node > 0 && this.shown.calls[node - 1] % 4 >= 2;
  }

  // { name, plain, classes } of a node; `plain` is the name without the count.
  look(node) {
    if (node === 0) return { name: "all", plain: "all", classes: "" };
    const called = this.shown.tree.functions[node];
    const calls = this.callsOf(node);
    const lost = this.hasLost(node) ? "frame lost" : null;
    if (called < 0) return { name: `${groupDigits(calls)} calls`, plain: "calls", classes: lost ?? "frame several" };
    const { name } = this.report.functions[called];
    const classes = lost ?? this.report.functions[called].classes;
    return { name: calls > 1 ? `${name} ×${groupDigits(calls)}` : name, plain: name, classes };
  }

  time(number) {
    return formatWeight(number, this.data.texts.unit);
  }

  show(hit) {
    if (!hit) {
      this.details.textContent = "Click a call to zoom. Hold Control and turn the wheel to zoom in and out, drag to move.";
      return;
    }
    const { node, narrow, called, weight } = hit;
    const between = narrow > 0 || node === 0 ? 0 : this.shown.between[node - 1];
    const spent = weight - between;
    const share = `${this.time(spent)} (${formatShare(spent, this.shown.weights[0])})`;
    if (narrow > 0) {
      const what = called < 0 ? countOf(narrow, "call") : `${this.report.functions[called].name.slice(0, 200)} ×${groupDigits(narrow)},`;
      this.details.textContent = `${what} too narrow to draw: ${share}`;
      return;
    }
    const around = between > 0 ? ` within ${this.time(weight)}` : "";
    const parts = [`${share}${around} from ${this.time(this.shown.starts[node])} on`];
    const { start, end } = this.flame.view;
    if (end - start < this.shown.weights[0]) {
      const inSight = Math.min(this.shown.starts[node] + weight, end) - Math.max(this.shown.starts[node], start);
      parts.push(`${formatShare(Math.max(inSight, 0), end - start)} of what is in sight`);
    }
    if (this.hides(node)) parts.push("with calls inside that are not kept");
    if (this.hasLost(node)) parts.push("with losses");
    const { name, where, contains } = { ...this.report.functions[this.shown.tree.functions[node]], ...this.look(node) };
    const source = [where, contains].filter(Boolean).join(", ");
    this.details.textContent = `${name.slice(0, 200)}   ${parts.join(", ")}${source ? `   ${source}` : ""}`;
  }

  // Reports what is left out in the visible range, and how to get it.
  moved() {
    const whole = this.shown.weights[0];
    this.reset.disabled = this.flame.view.end - this.flame.view.start >= whole;
    const { shortest, isPiece, unit } = this.data.texts;
    this.note.hidden = shortest === "0";
    if (this.note.hidden) return;
    const { start, end } = this.flame.view;
    const suffix = unit === "ns" ? "ns" : "";
    const command = isPiece ? "" : ` All of what is in sight: --from=${Math.floor(start)}${suffix} --to=${Math.ceil(end)}${suffix}`;
    this.note.textContent = `Calls shorter than ${this.time(Number(shortest))} are in blocks.${command}`;
  }

  async open() {
    this.isOpen = true;
    this.data = await readData("warpo-timeline");
    const { streams } = this.data.texts;
    for (const [index, name] of streams.entries()) this.streams.append(makeElement("option", { value: index }, name.slice(0, 100)));
    this.streams.hidden = streams.length < 2;
    this.flame.unit = this.data.texts.unit;
    this.update(new Set(Object.keys(this.report.state.defaults)));
  }

  update(changed) {
    const { report } = this;
    const { state } = report;
    if (!this.isOpen && state.get("tab") === "timeline") return this.open();
    if (!this.data) return undefined;
    const { streams } = this.data.texts;
    if (streams.length === 0) {
      this.details.textContent = "There are no calls.";
      return undefined;
    }
    const stream = state.get("stream") in streams ? state.get("stream") : "0";
    if (!this.shown || this.index !== stream) {
      this.index = stream;
      this.streams.value = stream;
      this.shown = streamOf(this.data, stream);
      this.flame.setPlaces(this.shown.tree, this.shown.starts, this.shown.weights);
      changed.add("call");
    }
    if (changed.has("search")) this.flame.setMatch(report.matches());
    this.flame.setSelected(report.selected());
    if (changed.has("call")) {
      const call = Number(state.get("call"));
      const isKnown = Number.isInteger(call) && call > 0 && call < this.shown.tree.count;
      this.flame.zoomTo(isKnown ? call : 0);
      this.show(null);
    }
    if (changed.has("tab") && state.get("tab") === "timeline") this.flame.draw();
    return undefined;
  }

  escape() {
    this.report.state.set({ call: 0 });
    this.flame.zoomTo(0);
  }
}
