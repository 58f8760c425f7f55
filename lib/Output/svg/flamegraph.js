// SPDX-License-Identifier: Apache-2.0
// Zoom, search, details and keys of a flame graph, inside its own SVG file. All positions are computed from the weights
// in the frames' data attributes, so that zooming and resizing are the same operation.
import { fit, fitName, predicateFor } from "./labels.js";

(() => {
  "use strict";
  const svg = document.currentScript.closest("svg");
  const standsAlone = svg === document.documentElement;
  const header = svg.querySelector(".header");
  const frameGroup = svg.querySelector(".frames");
  const title = header.querySelector(".name");
  const details = header.querySelector(".details");
  const summary = details.textContent;
  const [row, margin, padding, levels] = ["row", "margin", "padding", "levels"].map((key) => Number(svg.dataset[key]));
  // Callees are above their callers, and level 0 is at the bottom.
  const growsUp = "growsUp" in svg.dataset;
  const rowOf = (level) => (growsUp ? levels - 1 - level : level);
  // In pixels; thousands of such frames together are still visible as a tint.
  const narrowestDrawn = 0.1;
  // Narrower frames have no stroke.
  const narrowFrame = 4;
  // In narrower windows the controls get their own line.
  const narrowWindow = 720;

  const frames = Array.from(frameGroup.children, (element, index) => {
    // Not all functions have a known source place.
    const tip = element.querySelector("title");
    const [name, ...details] = tip.textContent.split("\n");
    const start = Number(element.dataset.start);
    return {
      element, index, name, numbers: details.join("   "), start, tip, tipText: tip.textContent,
      link: element.querySelector("a"),
      end: start + Number(element.dataset.weight),
      // For a block of calls, without the gaps between them.
      weight: Number(element.dataset.spent ?? element.dataset.weight),
      text: name + (element.dataset.count ?? ""),
      level: Number(element.dataset.level),
      rect: element.querySelector("rect"),
      label: element.querySelector("text"),
      visible: true,
    };
  });
  const frameOf = new Map(frames.map((frame) => [frame.element, frame]));
  // Frames come in preorder: the caller is the last frame of the level above. The head of a stream is in the whole,
  // below the rows of previous streams.
  const lastOfLevel = [];
  const streams = frames.filter((frame) => frame.element.classList.contains("stream"));
  for (const frame of frames) {
    frame.caller = streams.includes(frame) ? frames[0] : frame.level > 0 ? lastOfLevel[frame.level - 1] : null;
    lastOfLevel[frame.level] = frame;
  }
  const whole = frames[0];
  let zoom = whole;
  let current = whole;
  // The callers of the zoomed frame.
  let callers = new Set();
  let characterWidth = 7.3;

  function makeElement(namespace, name, attributes = {}) {
    const element = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  // --- The search field and the button, which a static picture does not have.
  const svgNamespace = "http://www.w3.org/2000/svg";
  const htmlNamespace = "http://www.w3.org/1999/xhtml";
  const toolsFrame = makeElement(svgNamespace, "foreignObject", { height: 34 });
  const tools = makeElement(htmlNamespace, "div", { class: "tools" });
  const matchShare = makeElement(htmlNamespace, "output", { class: "share", "aria-live": "polite" });
  const search = makeElement(htmlNamespace, "input", {
    type: "search", placeholder: "Search  ( / )", "aria-label": "Search for functions", spellcheck: "false",
    title: "A part of the name, or /a regular expression/. Enter goes to the next match.",
  });
  const reset = makeElement(htmlNamespace, "button", { type: "button", title: "Show the whole (Escape)" });
  reset.textContent = "Reset zoom";
  tools.append(matchShare, search, reset);
  toolsFrame.append(tools);
  header.append(toolsFrame);

  // --- Positions.
  function placeFrame(frame, pixels) {
    const start = Math.max(frame.start, zoom.start);
    const end = Math.min(frame.end, zoom.end);
    const width = whole.end > 0 ? (end - start) * pixels : pixels;
    frame.visible = width >= narrowestDrawn;
    frame.element.classList.toggle("outside", !frame.visible);
    if (!frame.visible) return;
    const x = margin + (start - zoom.start) * pixels;
    frame.rect.setAttribute("x", x.toFixed(2));
    frame.rect.setAttribute("width", (width > 2 ? width - 0.5 : width * 0.75).toFixed(2));
    frame.element.classList.toggle("caller", callers.has(frame));
    frame.element.classList.toggle("narrow", width < narrowFrame);
    const label = fitName(frame.text, width - 2 * padding, characterWidth);
    if (!frame.label) {
      if (!label) return;
      frame.label = makeElement(svgNamespace, "text", { y: rowOf(frame.level) * row + 13 });
      frame.element.append(frame.label);
    }
    frame.label.setAttribute("x", (x + padding).toFixed(2));
    if (frame.label.textContent !== label) frame.label.textContent = label;
  }

  function layOut() {
    const width = svg.getBoundingClientRect().width;
    const inner = Math.max(width - 2 * margin, 50);
    const narrow = width < narrowWindow;
    const top = narrow ? 112 : 76;
    const pixels = whole.end > 0 ? inner / (zoom.end - zoom.start) : inner;
    callers = new Set();
    for (let frame = zoom.caller; frame; frame = frame.caller) callers.add(frame);
    for (const frame of frames) placeFrame(frame, pixels);
    const visibleLevel = frames.reduce((level, frame) => (frame.visible ? Math.max(level, frame.level) : level), 0);
    const deepest = Math.max(visibleLevel, zoom.level);
    const height = top + (deepest + 1) * row + margin;
    // Hidden levels above the frames leave no gap.
    const raised = growsUp && standsAlone ? levels - 1 - deepest : 0;
    frameGroup.setAttribute("transform", `translate(0 ${top - raised * row})`);
    svg.setAttribute("height", standsAlone ? Math.max(height, window.innerHeight) : top + levels * row + margin);
    header.querySelector(".paper").setAttribute("height", top - 4);
    toolsFrame.setAttribute("x", narrow ? margin : width / 2);
    toolsFrame.setAttribute("y", narrow ? 36 : 8);
    toolsFrame.setAttribute("width", narrow ? inner : width / 2 - margin);
    tools.style.justifyContent = narrow ? "flex-start" : "flex-end";
    details.setAttribute("y", narrow ? 92 : 56);
    title.textContent = fit(svg.querySelector("title").textContent, narrow ? inner : width / 2 - 2 * margin, 10);
    reset.disabled = zoom === whole;
    showDetails(shown);
    followScroll();
    svg.dispatchEvent(new CustomEvent("warpo-placed", {
      detail: { start: zoom.start, end: zoom.end, left: margin, pixels, top, height },
    }));
  }

  // Keeps the header visible while a deep stack is scrolled.
  function followScroll() {
    header.setAttribute("transform", `translate(0 ${standsAlone ? window.scrollY : 0})`);
  }

  // Empty if everything is shown, and for frames around the zoomed one.
  function shareOfZoom(frame) {
    if (zoom === whole || frame === zoom || callers.has(frame) || zoom.end === zoom.start) return "";
    const part = Math.min(frame.end, zoom.end) - Math.max(frame.start, zoom.start);
    return `${((100 * part) / (zoom.end - zoom.start)).toFixed(1)} % of what is zoomed to`;
  }

  // --- Details of the frame under the pointer or with focus.
  let shown = null;
  function showDetails(frame) {
    shown = frame;
    const share = frame ? shareOfZoom(frame) : "";
    if (frame) frame.tip.textContent = share ? `${frame.tipText}\n${share}` : frame.tipText;
    const room = svg.getBoundingClientRect().width - 2 * margin;
    if (!frame) {
      details.textContent = fit(summary, room, characterWidth);
    } else {
      // The numbers matter more than the end of a long name.
      const numbers = share ? `${frame.numbers}, ${share}` : frame.numbers;
      const name = fit(frame.name, room - (numbers.length + 3) * characterWidth, characterWidth);
      details.textContent = fit(`${name}   ${numbers}`, room, characterWidth);
    }
    details.classList.toggle("current", frame !== null);
  }

  function zoomTo(frame) {
    zoom = frame;
    layOut();
    focusFrame(frame);
  }

  function focusFrame(frame) {
    current.element.setAttribute("tabindex", "-1");
    current = frame;
    frame.element.setAttribute("tabindex", "0");
    frame.element.focus({ preventScroll: true });
    // Not scrollIntoView, which would put the frame behind the header.
    const box = frame.rect.getBoundingClientRect();
    const covered = header.querySelector(".paper").getBoundingClientRect().height + row;
    if (standsAlone && (box.top < covered || box.bottom > window.innerHeight))
      window.scrollBy(0, box.top - Math.max(covered, window.innerHeight / 2));
    showDetails(frame);
  }

  // --- Search.
  let matches = [];

  function runSearch() {
    const text = search.value.trim();
    const isMatch = text ? predicateFor(text) : () => false;
    matches = frames.filter((frame) => frame !== whole && isMatch(frame.name));
    const matched = new Set(matches);
    for (const frame of frames) frame.element.classList.toggle("match", matched.has(frame));
    svg.classList.toggle("searching", text !== "");
    // A match within another one counts with it.
    let weight = 0;
    const counted = new Set();
    for (const frame of frames) {
      if (counted.has(frame.caller)) counted.add(frame);
      else if (matched.has(frame)) {
        counted.add(frame);
        weight += frame.weight;
      }
    }
    const share = whole.end > 0 ? (100 * weight) / (whole.end * Math.max(streams.length, 1)) : 0;
    matchShare.textContent = text ? `${share.toFixed(1)} % matched` : "";
    matchShare.title = `${matches.length} frames`;
  }

  function goToNextMatch(step) {
    const seen = matches.filter((frame) => frame.visible);
    if (seen.length === 0) return;
    const after = seen.findIndex((frame) => frame.index > current.index);
    const next = after < 0 ? seen.length : after;
    const here = seen.includes(current) ? seen.indexOf(current) : step > 0 ? next - 1 : next;
    focusFrame(seen[(here + step + seen.length) % seen.length]);
    search.focus({ preventScroll: true });
  }

  // --- Keys.
  function neighbour(frame, step) {
    for (let i = frame.index + step; i >= 0 && i < frames.length; i += step)
      if (frames[i].visible && frames[i].level === frame.level) return frames[i];
    return null;
  }

  const moves = {
    [growsUp ? "ArrowDown" : "ArrowUp"]: (frame) => frame.caller,
    [growsUp ? "ArrowUp" : "ArrowDown"]: (frame) => frames.find((other) => other.caller === frame && other.visible),
    ArrowLeft: (frame) => neighbour(frame, -1),
    ArrowRight: (frame) => neighbour(frame, 1),
    Home: () => whole,
  };

  function onKey(event) {
    const inSearch = event.target === search;
    const find = (event.key === "f" || event.key === "F") && (event.ctrlKey || event.metaKey);
    if (find ? !inSearch : event.key === "/" && !inSearch) {
      search.focus();
      search.select();
    } else if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (event.key === "Escape") {
      if (search.value) {
        search.value = "";
        runSearch();
        if (inSearch) focusFrame(current);
      } else {
        zoomTo(whole);
      }
    } else if (inSearch) {
      if (event.key !== "Enter") return;
      goToNextMatch(event.shiftKey ? -1 : 1);
    } else if (event.target === reset) {
      return;
    } else if (event.key === "Enter" || event.key === " ") {
      zoomTo(current);
    } else if (event.key === "s" && current.link) {
      window.open(current.link.getAttribute("href"), "_blank", "noopener");
    } else if (moves[event.key]) {
      const target = moves[event.key](current);
      if (target) focusFrame(target);
    } else {
      return;
    }
    event.preventDefault();
  }

  // --- Start.
  svg.removeAttribute("viewBox");
  svg.setAttribute("width", "100%");
  frameGroup.setAttribute("role", "tree");
  frameGroup.setAttribute("aria-label", "Calls, the outermost first");
  for (const frame of frames) {
    frame.element.setAttribute("role", "treeitem");
    frame.element.setAttribute("aria-level", frame.level + 1);
    frame.element.setAttribute("aria-label", `${frame.name}: ${frame.numbers}`);
    frame.element.setAttribute("tabindex", frame === whole ? "0" : "-1");
    frame.link?.setAttribute("tabindex", "-1");
  }
  if (details.getComputedTextLength) {
    const measured = details.getComputedTextLength() / Math.max(Array.from(summary).length, 1);
    if (measured > 0) characterWidth = measured;
  }

  const frameAt = (event) => frameOf.get(event.target.closest?.(".frame")) ?? null;
  frameGroup.addEventListener("click", (event) => {
    const frame = frameAt(event);
    // With Control, the browser follows the frame's link.
    if (!frame || (frame.link && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    zoomTo(frame);
  });
  frameGroup.addEventListener("mouseover", (event) => showDetails(frameAt(event)));
  frameGroup.addEventListener("mouseleave", () => showDetails(null));
  frameGroup.addEventListener("focusin", (event) => {
    const frame = frameAt(event);
    if (frame) showDetails(frame);
  });
  reset.addEventListener("click", () => zoomTo(whole));
  search.addEventListener("input", runSearch);
  // Inside a page, handle keys only while the flame graph has the focus.
  (standsAlone ? document : svg).addEventListener("keydown", onKey);
  window.addEventListener("resize", layOut);
  window.addEventListener("scroll", followScroll);
  layOut();
  // Begin with the outermost calls in view.
  if (growsUp && standsAlone) window.scrollTo(0, document.documentElement.scrollHeight);
})();
