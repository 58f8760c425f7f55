// SPDX-License-Identifier: Apache-2.0
// A flame graph on a canvas. The cost of drawing depends on the pixels, not on the size of the tree: a frame that is
// too narrow is skipped together with its callees, and adjacent narrow frames become one block.
import { fitName } from "./labels.js";
import { groupDigits } from "./quantities.js";
import { stepFor, timeText } from "./times.js";

const row = 19;
const padding = 5;
const font = '12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
// In pixels; narrower frames become blocks.
const narrowest = 0.5;
const zoomMilliseconds = 160;
const leastBetweenTimes = 90;

export class Flame {
  // `host`: an element that the flame graph fills. `look(node)` returns { name, classes } of a node; `show(hit)` is
  // called with what the pointer or the keys are on, or null; `choose(node)` with what was clicked; `moved()` after
  // each drawing; `callsOf(node)` returns how many calls a node stands for. With `isTimeline`, left to right is time:
  // the row of the whole has times, and zooming changes no caller.
  constructor(host, palette, { look, show, choose, label, growsUp = false, isTimeline = false, moved = () => {}, callsOf = () => 1 }) {
    Object.assign(this, { host, palette, look, show, choose, growsUp, isTimeline, moved, callsOf });
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", label);
    this.space = document.createElement("div");
    host.classList.add("flame");
    host.append(this.canvas, this.space);
    this.tree = null;
    this.zoom = 0;
    this.view = { start: 0, end: 1 };
    this.pointed = null;
    this.current = 0;
    this.isMatch = null;
    this.selected = -1;
    this.pending = 0;
    new ResizeObserver(() => this.draw()).observe(host);
    palette.observe(() => this.requestDraw());
    host.addEventListener("scroll", () => this.requestDraw());
    this.canvas.addEventListener("pointermove", (event) => this.onMove(event));
    this.canvas.addEventListener("pointerleave", () => this.point(null));
    this.canvas.addEventListener("pointerdown", (event) => this.onDown(event));
    this.canvas.addEventListener("click", (event) => this.onClick(event));
    this.canvas.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
  }

  // Shows one weight of a whole tree, with callees from the left edge of their caller on.
  setTree(tree, weight) {
    this.tree = tree;
    this.weights = tree.inclusive(weight);
    this.starts = new Float64Array(tree.count);
    const next = new Float64Array(tree.count);
    for (let node = 1; node < tree.count; ++node) {
      const parent = tree.parents[node];
      this.starts[node] = next[parent];
      next[parent] += this.weights[node];
      next[node] = this.starts[node];
    }
    this.showWhole();
  }

  // Shows nodes at given places, which are within their callers.
  setPlaces(tree, starts, weights) {
    Object.assign(this, { tree, starts, weights });
    this.showWhole();
  }

  showWhole() {
    this.zoom = 0;
    this.current = 0;
    this.pointed = null;
    this.view = this.rangeOf(0);
    this.draw();
  }

  rangeOf(node) {
    // A whole without weight is drawn with weight 1.
    return { start: this.starts[node], end: this.starts[node] + (this.weights[node] || 1) };
  }

  // Highlights functions that match a search; null: no search.
  setMatch(isMatch) {
    this.isMatch = isMatch;
    this.requestDraw();
  }

  // Outlines the frames of the selected function.
  setSelected(called) {
    this.selected = called;
    this.requestDraw();
  }

  // Animates the zoom, so that eyes can follow.
  zoomTo(node) {
    this.zoom = node;
    this.current = node;
    this.moveTo(this.rangeOf(node));
    const y = this.tree.depths[node] * row;
    if (!this.growsUp && (y < this.host.scrollTop || y > this.host.scrollTop + this.host.clientHeight - row))
      this.host.scrollTop = Math.max(0, y - 3 * row);
  }

  moveTo(range) {
    cancelAnimationFrame(this.moving);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.view = range;
      this.draw();
      return;
    }
    const from = this.view;
    const begin = performance.now();
    const step = (now) => {
      const part = Math.min(1, Math.max(0, (now - begin) / zoomMilliseconds));
      const eased = part * (2 - part);
      this.view = part < 1
        ? { start: from.start + (range.start - from.start) * eased, end: from.end + (range.end - from.end) * eased }
        : range;
      this.draw();
      if (part < 1) this.moving = requestAnimationFrame(step);
    };
    this.moving = requestAnimationFrame(step);
  }

  // Shows another range within the whole at once.
  setView(start, end) {
    cancelAnimationFrame(this.moving);
    const whole = this.rangeOf(0);
    const size = Math.min(end - start, whole.end - whole.start);
    const first = Math.min(Math.max(start, whole.start), whole.end - size);
    this.view = { start: first, end: first + size };
    this.requestDraw();
  }

  requestDraw() {
    this.pending ||= requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    const { host, canvas, tree } = this;
    if (!tree || host.clientWidth === 0) return;
    this.space.style.height = `${Math.max(0, tree.levels * row + 2 - host.clientHeight)}px`;
    const width = host.clientWidth;
    const height = host.clientHeight;
    const density = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * density) || canvas.height !== Math.round(height * density)) {
      canvas.width = Math.round(width * density);
      canvas.height = Math.round(height * density);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    this.pen = canvas.getContext("2d", { alpha: false });
    this.pen.setTransform(density, 0, 0, density, 0, 0);
    this.pen.fillStyle = this.palette.variable("--paper");
    this.pen.fillRect(0, 0, width, height);
    this.pen.font = font;
    this.pen.textBaseline = "middle";
    this.character ??= this.pen.measureText("0".repeat(100)).width / 100;
    if (this.isTimeline) this.drawRuler(width, (x) => this.drawLine(x, 0, height));
    this.drawFrames(width, height);
    if (this.isTimeline) this.drawTimes(width);
    this.moved();
  }

  // Calls `draw` with the place of each line of the ruler, its time, and the time between lines.
  drawRuler(width, draw) {
    const { view } = this;
    const pixels = width / (view.end - view.start);
    const step = stepFor(leastBetweenTimes / pixels);
    for (let time = Math.ceil(view.start / step) * step; time <= view.end; time += step)
      draw(Math.round((time - view.start) * pixels) + 0.5, time, step);
  }

  drawLine(x, from, to) {
    const { pen, palette } = this;
    pen.strokeStyle = palette.variable("--faint");
    pen.lineWidth = 1;
    pen.setLineDash([]);
    pen.globalAlpha = 0.35;
    pen.beginPath();
    pen.moveTo(x, from);
    pen.lineTo(x, to);
    pen.stroke();
    pen.globalAlpha = 1;
  }

  // Draws times in the row of the whole.
  drawTimes(width) {
    const { pen, palette } = this;
    const y = this.yOf(0);
    this.drawRuler(width, (x, time, step) => {
      this.drawLine(x, y, y + row - 1);
      pen.fillStyle = palette.variable("--ink");
      if (width - x > leastBetweenTimes / 2) pen.fillText(timeText(time, step, this.unit), x + 3, y + row / 2);
    });
  }

  // The distance of a level from the upper edge of the canvas.
  yOf(level) {
    const whole = Math.max(this.tree.levels * row, this.growsUp ? this.host.clientHeight : 0);
    return (this.growsUp ? whole - (level + 1) * row : level * row) - this.host.scrollTop;
  }

  drawFrames(width, height) {
    const { tree, starts, weights, view } = this;
    const pixels = width / (view.end - view.start);
    const callers = new Set();
    for (let node = this.isTimeline ? -1 : tree.parents[this.zoom]; node >= 0; node = tree.parents[node]) callers.add(node);
    // Computed before the loop: reading these from the page takes longer than drawing a frame.
    const first = this.yOf(0);
    const below = this.growsUp ? -row : row;
    const current = document.activeElement === this.canvas ? this.current : -1;
    // The current block of neighbours too narrow to draw.
    let block = null;
    const flush = () => {
      if (block && block.end - block.start >= narrowest) this.drawBlock(block, width);
      block = null;
    };
    for (let node = 0; node < tree.count; ) {
      const x = (starts[node] - view.start) * pixels;
      const size = node === 0 && weights[0] === 0 ? width : weights[node] * pixels;
      const y = first + tree.depths[node] * below;
      // All of its callees are out of sight, too.
      const isBeyond = this.growsUp ? y + row < 0 : y > height;
      if (x + size <= 0 || x >= width || weights[node] === 0 && node > 0 || isBeyond) {
        node = tree.ends[node];
        continue;
      }
      if (size < narrowest) {
        if (block && (block.y !== y || x - block.end > narrowest)) flush();
        block ??= { start: x, end: x, y, node, isOne: true, calls: 0 };
        block.end = x + size;
        block.isOne &&= tree.functions[node] === tree.functions[block.node];
        block.calls += this.callsOf(node);
        node = tree.ends[node];
        continue;
      }
      if (block && block.y !== y) flush();
      if (y + row > 0 && y < height)
        this.drawFrame(node, Math.max(x, 0), Math.min(x + size, width), y, { isCaller: callers.has(node), isCurrent: node === current });
      ++node;
    }
    flush();
  }

  // In a timeline, neighbours of one function are drawn as one frame.
  drawBlock({ start, end, y, node, isOne, calls }, width) {
    const { pen, palette } = this;
    const look = this.look(node);
    const isNamed = this.isTimeline && isOne;
    pen.globalAlpha = this.isMatch && !this.isMatch(this.tree.functions[node]) ? 0.4 : 1;
    pen.fillStyle = isNamed ? palette.frame(look.classes) : palette.variable("--line");
    pen.fillRect(start, y, Math.max(end - start, narrowest), row - 1);
    const from = Math.max(start, 0);
    const room = Math.min(end, width) - from - 2 * padding;
    const count = calls > 1 ? ` ×${groupDigits(calls)}` : "";
    const label = room > 2 * this.character && this.isTimeline
      ? fitName(isNamed ? `${look.plain}${count}` : `${groupDigits(calls)} calls`, room, this.character) : "";
    if (label) {
      pen.fillStyle = palette.variable("--ink");
      pen.fillText(label, from + padding, y + row / 2);
    }
    pen.globalAlpha = 1;
  }

  drawFrame(node, from, to, y, { isCaller, isCurrent }) {
    const { pen, palette } = this;
    const { name, classes } = this.look(node);
    const called = this.tree.functions[node];
    const matches = this.isMatch !== null && called >= 0 && this.isMatch(called);
    const width = Math.max(to - from - (to - from > 2 ? 0.5 : 0), 0.4);
    pen.globalAlpha = isCaller ? 0.6 : this.isMatch && !matches ? 0.4 : 1;
    pen.fillStyle = matches ? palette.variable("--match") : node === 0 ? palette.variable("--line") : palette.frame(classes);
    pen.fillRect(from, y, width, row - 1);
    const { isProbed, isLost, isSpecial } = palette.traits(classes);
    if (isProbed && !matches) this.hatch(from, y, width);
    const isPointed = this.pointed === node || isCurrent;
    if (isPointed || isSpecial || (called >= 0 && called === this.selected)) {
      pen.strokeStyle = palette.variable(isPointed || !isSpecial ? "--ink" : isLost ? "--lost" : "--faint");
      pen.lineWidth = isPointed ? 2 : 1;
      pen.setLineDash(isSpecial && !isPointed ? [3, 2] : []);
      if (width > 3) pen.strokeRect(from + 0.75, y + 0.75, width - 1.5, row - 2.5);
    }
    const room = to - from - 2 * padding;
    const label = room > 2 * this.character && !(this.isTimeline && node === 0) ? fitName(name, room, this.character) : "";
    if (label) {
      pen.fillStyle = palette.variable(matches ? "--match-ink" : "--ink");
      pen.fillText(label, from + padding, y + row / 2);
    }
    pen.globalAlpha = 1;
  }

  // Like the pattern in SVG pictures: the time of the frame is mostly recording.
  hatch(from, y, width) {
    const { pen } = this;
    pen.save();
    pen.beginPath();
    pen.rect(from, y, width, row - 1);
    pen.clip();
    pen.strokeStyle = this.palette.variable("--faint");
    pen.globalAlpha *= 0.45;
    pen.lineWidth = 2;
    pen.setLineDash([]);
    pen.beginPath();
    for (let x = Math.floor(from / 8) * 8 - row; x < from + width; x += 8) {
      pen.moveTo(x, y + row);
      pen.lineTo(x + row, y);
    }
    pen.stroke();
    pen.restore();
  }

  // The node below a point of the canvas: { node, narrow, called, weight }. If narrow is not 0, it is the number of
  // contexts (in a timeline, calls) of a block; node is then their caller, and called their function, or -1 if they
  // have several.
  hitAt(x, y) {
    const { tree, starts, weights, view } = this;
    if (!tree) return null;
    const pixels = this.host.clientWidth / (view.end - view.start);
    const value = view.start + x / pixels;
    const level = this.growsUp ? Math.floor((this.yOf(0) + row - y) / row) : Math.floor((y - this.yOf(0)) / row);
    if (level < 0 || level >= tree.levels) return null;
    let node = 0;
    while (tree.depths[node] < level) {
      let child = node + 1;
      while (child < tree.ends[node] && !(value >= starts[child] && value < starts[child] + weights[child]))
        child = tree.ends[child];
      if (child >= tree.ends[node]) return null;
      if (weights[child] * pixels < narrowest)
        return tree.depths[child] === level ? this.narrowAround(child, node, pixels) : null;
      node = child;
    }
    return { node, narrow: 0, weight: weights[node] };
  }

  // The narrow neighbours of `child`, including itself.
  narrowAround(child, parent, pixels) {
    const { tree, weights } = this;
    const none = { narrow: 0, weight: 0, called: null };
    const hit = { node: parent, ...none };
    for (let other = parent + 1; other < tree.ends[parent]; other = tree.ends[other]) {
      if (weights[other] > 0 && weights[other] * pixels < narrowest) {
        hit.narrow += this.isTimeline ? this.callsOf(other) : tree.ends[other] - other;
        hit.weight += weights[other];
        hit.called ??= tree.functions[other];
        if (hit.called !== tree.functions[other]) hit.called = -1;
      } else if (other > child) break;
      else Object.assign(hit, none);
    }
    return hit;
  }

  point(hit) {
    const node = hit && hit.narrow === 0 ? hit.node : null;
    if (node !== this.pointed) {
      this.pointed = node;
      this.canvas.style.cursor = node === null ? "default" : "pointer";
      this.requestDraw();
    }
    this.show(hit);
  }

  onMove(event) {
    if (!this.drag) return this.point(this.hitAt(event.offsetX, event.offsetY));
    const moved = event.clientX - this.drag.x;
    if (Math.abs(moved) > 3) this.drag.moved = true;
    if (!this.drag.moved) return undefined;
    const size = this.drag.view.end - this.drag.view.start;
    const shift = (-moved / this.host.clientWidth) * size;
    return this.setView(this.drag.view.start + shift, this.drag.view.end + shift);
  }

  onDown(event) {
    if (event.button !== 0) return;
    this.drag = { x: event.clientX, view: this.view, moved: false };
    this.dragged = false;
    const end = () => {
      this.dragged = this.drag?.moved ?? false;
      this.drag = null;
      removeEventListener("pointerup", end);
    };
    addEventListener("pointerup", end);
  }

  onClick(event) {
    if (this.dragged) return;
    const hit = this.hitAt(event.offsetX, event.offsetY);
    if (hit) this.choose(hit.node);
  }

  // Zooms with Control or by pinching; otherwise the page scrolls.
  onWheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoomBy(Math.exp(event.deltaY / 200), event.offsetX / this.host.clientWidth);
  }

  zoomBy(factor, part = 0.5) {
    const { start, end } = this.view;
    const fixed = start + (end - start) * part;
    // Doubles cannot distinguish closer positions.
    if ((end - start) * factor < (this.weights[0] || 1) * 1e-13) return;
    this.setView(fixed - (fixed - start) * factor, fixed + (end - fixed) * factor);
  }

  neighbour(node, step) {
    const { tree, weights } = this;
    const parent = tree.parents[node];
    if (parent < 0) return null;
    let last = null;
    for (let other = parent + 1; other < tree.ends[parent]; other = tree.ends[other]) {
      if (weights[other] === 0) continue;
      if (step < 0 && other === node) return last;
      if (step > 0 && last === node) return other;
      last = other;
    }
    return null;
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.tree) return;
    const { tree, current } = this;
    const firstBelow = () => {
      for (let node = current + 1; node < tree.ends[current]; node = tree.ends[node])
        if (this.weights[node] > 0) return node;
      return null;
    };
    const moves = {
      [this.growsUp ? "ArrowDown" : "ArrowUp"]: () => (current > 0 ? tree.parents[current] : null),
      [this.growsUp ? "ArrowUp" : "ArrowDown"]: firstBelow,
      ArrowLeft: () => this.neighbour(current, -1),
      ArrowRight: () => this.neighbour(current, 1),
      Home: () => 0,
    };
    if (event.key === "Enter" || event.key === " ") this.choose(current);
    else if (event.key === "+" || event.key === "=") this.zoomBy(0.5);
    else if (event.key === "-") this.zoomBy(2);
    else if (moves[event.key]) this.focusNode(moves[event.key]());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focusNode(node) {
    if (node === null) return;
    this.current = node;
    const y = this.yOf(this.tree.depths[node]);
    if (y < 0) this.host.scrollTop += y;
    else if (y + row > this.host.clientHeight) this.host.scrollTop += y + row - this.host.clientHeight;
    this.show({ node, narrow: 0, weight: this.weights[node] });
    this.requestDraw();
  }
}
