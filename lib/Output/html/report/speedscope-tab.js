// SPDX-License-Identifier: Apache-2.0
// speedscope with the same profile, in a frame; created when the tab is first opened.
import { unpack } from "./data.js";
import { makeElement } from "./table.js";
import { add } from "./tree.js";

// speedscope silently treats an unknown unit as none.
const nameOf = ({ name, unit }) => (unit === "ns" || unit === name ? name : `${name} (${unit})`);

// In speedscope's format, like lib/Output/profile/SpeedscopeText.cpp.
function speedscopeText({ tree, functions, texts }) {
  const profiles = texts.weights.map((weight, index) => {
    const own = new Float64Array(tree.count);
    const places = new Int32Array(tree.count);
    for (let node = 1; node < tree.count; ++node) {
      // Deeper contexts count for the last caller shown.
      places[node] = tree.depths[node] > texts.speedscopeDepth ? places[tree.parents[node]] : node;
      own[places[node]] = add(own[places[node]], tree.selfs[index][node]);
    }
    const samples = [];
    const weights = [];
    const stack = [];
    for (let node = 1; node < tree.count; ++node) {
      if (places[node] !== node) continue;
      stack.length = tree.depths[node] - 1;
      stack.push(tree.functions[node]);
      if (own[node] === 0) continue;
      samples.push(stack.slice());
      weights.push(own[node]);
    }
    const endValue = tree.inclusive(index)[0];
    return { type: "sampled", name: nameOf(weight), unit: weight.unit === "ns" ? "nanoseconds" : "none", startValue: 0, endValue, samples, weights };
  });
  const frames = functions.map(({ name, file, module, line }) => ({ name, file: file ?? module, line }));
  return JSON.stringify({
    $schema: "https://www.speedscope.app/file-format-schema.json",
    name: texts.title, exporter: "warpo", activeProfileIndex: 0, shared: { frames }, profiles,
  });
}

export class SpeedscopeTab {
  constructor(panel, report) {
    Object.assign(this, { panel, report, isOpen: false });
  }

  async update() {
    const { state, tree } = this.report;
    if (state.get("tab") !== "speedscope" || this.isOpen) return;
    this.isOpen = true;
    if (tree.count === 1) {
      this.panel.append(makeElement("p", { class: "note" }, "The profile is empty: speedscope has nothing to show."));
      return;
    }
    const frame = makeElement("iframe", { title: "speedscope", class: "speedscope" });
    frame.profileText = speedscopeText(this.report);
    frame.srcdoc = new TextDecoder().decode(await unpack("warpo-speedscope"));
    this.panel.append(frame);
  }
}
