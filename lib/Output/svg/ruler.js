// SPDX-License-Identifier: Apache-2.0
// Times above a timeline's frames, and lines down through them. The frames' script sends an event with their positions
// whenever it has placed them.
import { stepFor, timeText } from "./times.js";

(() => {
  "use strict";
  const svg = document.currentScript.closest("svg");
  const frameGroup = svg.querySelector(".frames");
  const row = Number(svg.dataset.row);
  const namespace = "http://www.w3.org/2000/svg";
  const ruler = document.createElementNS(namespace, "g");
  ruler.setAttribute("class", "ruler");
  frameGroup.before(ruler);
  const labels = document.createElementNS(namespace, "g");
  labels.setAttribute("class", "ruler");
  frameGroup.after(labels);
  // In pixels.
  const least = 90;
  const { unit } = svg.dataset;

  function add(group, name, attributes) {
    const element = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    group.append(element);
    return element;
  }

  svg.addEventListener("warpo-placed", ({ detail: { start, end, left, pixels, top, height } }) => {
    ruler.replaceChildren();
    labels.replaceChildren();
    if (end <= start) return;
    const step = stepFor(least / pixels);
    for (let time = Math.ceil(start / step) * step; time <= end; time += step) {
      const x = (left + (time - start) * pixels).toFixed(2);
      add(ruler, "path", { d: `M${x} ${top}V${height}` });
      add(labels, "path", { d: `M${x} ${top}v${row - 1}` });
      if (left + (end - start) * pixels - x > least / 2)
        add(labels, "text", { x: Number(x) + 3, y: top + 13 }).textContent = timeText(time, step, unit);
    }
  });
})();
