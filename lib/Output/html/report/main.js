// SPDX-License-Identifier: Apache-2.0
// The report: its data, and what its tabs share. A tab has update(changed), called with the keys of the state that have
// changed, and may have escape().
import { CallersTab } from "./callers-tab.js";
import { ChangesTab } from "./changes-tab.js";
import { readData } from "./data.js";
import { FlameTab } from "./flame-tab.js";
import { predicateFor } from "./labels.js";
import { Palette } from "./palette.js";
import { countOf, exactWeight, formatChange, formatShare, formatWeight, groupDigits } from "./quantities.js";
import { SpeedscopeTab } from "./speedscope-tab.js";
import { State } from "./state.js";
import { SummaryTab } from "./summary-tab.js";
import { makeElement } from "./table.js";
import { TimelineTab } from "./timeline-tab.js";
import { treeOf } from "./tree.js";

const element = (id) => document.getElementById(id);

class Report {
  constructor(data) {
    this.texts = data.texts;
    this.tree = treeOf(data);
    this.columns = data.columns;
    // For a difference: the tree of each side.
    this.sides = data.texts.isDiff ? ["before", "after"].map((name) => treeOf(data, name)) : null;
    this.functions = data.texts.functions.map((entry, index) => ({
      ...entry,
      remark: this.sides ? data.texts.presence[index] || (data.texts.former[index] && `was ${data.texts.former[index]}`) : "",
      where: entry.file ? `${entry.file}${entry.line ? `:${entry.line}` : ""}` : (entry.module ?? ""),
    }));
    this.weights = data.texts.weights;
    this.calls = this.weights.findIndex(({ name }) => name === "calls");
    this.state = new State({
      tab: this.sides ? "changes" : "summary", weight: this.weights[0].name, function: "-1", zoom: "0", search: "", stream: "0", call: "0",
      sort: this.sides ? "-change" : "-self",
    });
    this.palette = new Palette();
    this.knownSums = [];
  }

  // The shown weight, as an index.
  weight() {
    return Math.max(0, this.weights.findIndex(({ name }) => name === this.state.get("weight")));
  }

  unit() {
    return this.weights[this.weight()].unit;
  }

  total() {
    return this.tree.inclusive(this.weight())[0];
  }

  sums(weight = this.weight()) {
    return (this.knownSums[weight] ??= this.tree.functionSums(weight, this.functions.length));
  }

  // The selected function; -1: none.
  selected() {
    const called = Number(this.state.get("function"));
    return Number.isInteger(called) && called >= 0 && called < this.functions.length ? called : -1;
  }

  select(called) {
    this.state.set({ function: called });
  }

  // Returns whether a function matches the search; null without a search.
  matches() {
    const text = this.state.get("search").trim();
    if (!text) return null;
    const isMatch = predicateFor(text);
    const known = this.functions.map(({ name }) => isMatch(name));
    return (called) => known[called];
  }

  // The share of the matching functions in the whole. A match within another one counts with it.
  matchedShare() {
    const matches = this.matches();
    if (!matches) return "";
    const { tree } = this;
    const inclusive = tree.inclusive(this.weight());
    let sum = 0;
    for (let node = 1; node < tree.count; ) {
      if (matches(tree.functions[node])) {
        sum += inclusive[node];
        node = tree.ends[node];
      } else ++node;
    }
    return `${formatShare(sum, this.total())} matched`;
  }

  // A column of the shown weight.
  column(name) {
    return this.columns.get(`${name}${this.weight()}`);
  }

  // The name and classes of a node of the whole tree.
  lookOf(node) {
    const look = this.look(this.tree.functions[node]);
    return this.sides && node > 0 ? { name: look.name, classes: this.texts.classes[this.column("class")[node - 1]] } : look;
  }

  // A change of a weight, as in `30.00 us to 50.00 us, +20.00 us (+66.7 %)`.
  describeChange(before, after, isReal) {
    if (before === after) return `${formatWeight(after, this.unit())}, unchanged`;
    return `${formatWeight(before, this.unit())} to ${formatWeight(after, this.unit())}, ${formatChange(before, after, this.unit(), isReal)}`;
  }

  // The same for a node's inclusive weight.
  describeNode(node) {
    const weight = this.weight();
    const [before, after] = this.sides.map((side) => side.inclusive(weight)[node]);
    const isReal = node === 0 ? this.weights[weight].isReal : !/ same /.test(`${this.lookOf(node).classes} `);
    const { remark } = node === 0 ? {} : this.functions[this.tree.functions[node]];
    return (remark ? `(${remark}) ` : "") + this.describeChange(before, after, isReal);
  }

  // As in `app.c:12, contains insert`; empty if nothing is known about the source.
  sourceOf(called) {
    const { file, where, contains } = this.functions[called];
    return [file ? where : "", contains].filter(Boolean).join(", ");
  }

  // The name and classes of a function.
  look(called) {
    return called < 0 ? { name: "all", classes: "" } : this.functions[called];
  }

  // A line about what the pointer is on in one of the trees.
  describe(tree, { node, narrow, weight }, { weight: shown, zoom }) {
    const value = (number) => formatWeight(number, this.unit());
    const share = formatShare(weight, this.total());
    if (narrow > 0) return `${countOf(narrow, "context")} too narrow to draw: ${value(weight)} (${share})`;
    if (this.sides) return `${this.look(tree.functions[node]).name.slice(0, 200)}   ${this.describeNode(node)}`;
    const parts = [`${value(weight)} (${share}${zoom > 0 ? `, ${formatShare(weight, tree.inclusive(shown)[zoom])} of what is zoomed to` : ""})`];
    if (node > 0) {
      parts.push(`self ${value(tree.selfs[shown][node])}`);
      if (tree === this.tree && this.calls >= 0 && this.calls !== shown)
        parts.push(formatWeight(tree.selfs[this.calls][node], "calls"));
    }
    const { name, where, contains } = this.look(tree.functions[node]);
    const source = [where, contains].filter(Boolean).join(", ");
    return `${name.length > 200 ? `${name.slice(0, 200)}…` : name}   ${parts.join(", ")}${source ? `   ${source}` : ""}`;
  }
}

// Shows the selection of all tabs.
function showSelection(report) {
  const selected = report.selected();
  const strip = element("selection");
  strip.hidden = selected < 0;
  element("show-callers").hidden = report.sides !== null || report.state.get("tab") === "callers";
  if (selected < 0) return;
  const { name, where, module, remark, url, contains } = report.functions[selected];
  element("selected-name").textContent = remark ? `${name} (${remark})` : name;
  const place = url ? makeElement("a", { href: url, target: "_blank", rel: "noopener" }, where) : where;
  const around = module && module !== where ? `${where ? " in " : ""}${module}` : "";
  element("selected-where").replaceChildren(place, around, contains ? `, ${contains}` : "");
  if (report.sides) {
    const at = (name) => report.column(name)[selected];
    element("selected-numbers").textContent = `total ${report.describeChange(at("totalBefore"), at("totalAfter"), (at("real") & 1) > 0)}; `
      + `self ${report.describeChange(at("selfBefore"), at("selfAfter"), (at("real") & 2) > 0)}`;
    return;
  }
  const { self, total } = report.sums();
  const value = (number) => `${formatWeight(number, report.unit())} (${formatShare(number, report.total())})`;
  const words = [`self ${value(self[selected])}`, `total ${value(total[selected])}`];
  if (report.calls >= 0 && report.calls !== report.weight())
    words.push(formatWeight(report.sums(report.calls).self[selected], "calls"));
  element("selected-numbers").textContent = words.join(", ");
  element("selected-numbers").title = `self ${exactWeight(self[selected], report.unit())}, total ${exactWeight(total[selected], report.unit())}`;
}

function showHead(report) {
  const { texts, tree } = report;
  const weight = report.weights[report.weight()];
  // The total with all its digits, as the tool wrote it.
  const whole = weight.unit === "ns" && Number(weight.total) <= Number.MAX_SAFE_INTEGER
    ? formatWeight(Number(weight.total), "ns") : `${weight.total.replace(/\B(?=(\d{3})+$)/g, ",")} ${weight.unit}`;
  element("title").textContent = texts.title.slice(0, 300);
  element("title").title = texts.title;
  const words = [report.sides ? report.describeNode(0) : whole, `${groupDigits(tree.count - 1)} calling context${tree.count === 2 ? "" : "s"}`];
  if (Number(weight.total) > Number.MAX_SAFE_INTEGER) words.push("numbers with ≈ are rounded to 16 digits");
  if (report.sides) words.push("red more, blue less, violet new, green gone, grey same");
  element("about").textContent = words.join(", ");
}

function start(report) {
  const { state } = report;
  const tabs = new Map(report.sides ? [["changes", ChangesTab], ["flame", FlameTab]]
    : [["summary", SummaryTab], ["flame", FlameTab], ["callers", CallersTab]]);
  if (element("warpo-timeline")) tabs.set("timeline", TimelineTab);
  if (element("warpo-speedscope")) tabs.set("speedscope", SpeedscopeTab);
  for (const button of document.querySelectorAll("[role=tab]")) if (!tabs.has(button.id.slice("tab-".length))) button.remove();
  const views = new Map([...tabs].map(([name, View]) => [name, new View(element(`panel-${name}`), report)]));
  const tabOf = () => (views.has(state.get("tab")) ? state.get("tab") : state.defaults.tab);

  const chooser = element("weight");
  for (const { name, unit } of report.weights) chooser.append(makeElement("option", { value: name }, unit === name || unit === "ns" ? name : `${name} (${unit})`));
  chooser.addEventListener("change", () => state.set({ weight: chooser.value }));
  const search = element("search");
  search.addEventListener("input", () => state.set({ search: search.value }, false));

  const names = [...views.keys()];
  const goTo = (name) => state.set({ tab: name });
  for (const name of names) element(`tab-${name}`).addEventListener("click", () => goTo(name));
  element("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = names[(names.indexOf(tabOf()) + step + names.length) % names.length];
    goTo(next);
    element(`tab-${next}`).focus();
    event.preventDefault();
  });
  element("show-callers").addEventListener("click", () => goTo("callers"));
  element("deselect").addEventListener("click", () => report.select(-1));

  const update = (changed) => {
    if (changed.has("tab"))
      for (const name of names) {
        const isOn = name === tabOf();
        element(`tab-${name}`).setAttribute("aria-selected", isOn);
        element(`tab-${name}`).tabIndex = isOn ? 0 : -1;
        element(`panel-${name}`).hidden = !isOn;
      }
    if (search.value !== state.get("search")) search.value = state.get("search");
    chooser.value = report.weights[report.weight()].name;
    if (changed.has("weight")) showHead(report);
    if (changed.has("weight") || changed.has("search")) element("matched").textContent = report.matchedShare();
    showSelection(report);
    for (const view of views.values()) view.update(changed);
  };
  state.observe(update);

  addEventListener("keydown", (event) => {
    const inField = event.target.matches?.("input, select");
    if (event.key === "Escape") {
      if (state.get("search")) state.set({ search: "" }, false);
      else views.get(tabOf()).escape?.();
      if (inField) event.target.blur();
    } else if (event.ctrlKey || event.metaKey || event.altKey || inField) {
      return;
    } else if (event.key === "/") {
      search.focus();
      search.select();
    } else if (names[Number(event.key) - 1]) {
      goTo(names[Number(event.key) - 1]);
    } else return;
    event.preventDefault();
  });

  update(new Set(Object.keys(state.defaults)));
  document.body.dataset.state = "ready";
}

try {
  start(new Report(await readData()));
} catch (error) {
  document.body.dataset.state = "failed";
  element("about").textContent = `This page cannot be shown: ${error.message}`;
  throw error;
}
