// SPDX-License-Identifier: Apache-2.0
// The colours of flamegraph.css for a canvas, read from elements with its classes in the current light or dark theme.
const namespace = "http://www.w3.org/2000/svg";

export class Palette {
  constructor() {
    this.swatches = document.createElementNS(namespace, "svg");
    this.swatches.setAttribute("class", "swatches");
    this.swatches.setAttribute("aria-hidden", "true");
    document.body.append(this.swatches);
    this.known = new Map();
    this.knownTraits = new Map();
    this.observers = [];
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.known.clear();
      for (const observe of this.observers) observe();
    });
  }

  // `observe` is called when the colours change.
  observe(observe) {
    this.observers.push(observe);
  }

  // The colour of a frame with these classes.
  frame(classes) {
    return this.remember(classes, () => {
      const group = document.createElementNS(namespace, "g");
      group.setAttribute("class", classes);
      const rect = document.createElementNS(namespace, "rect");
      group.append(rect);
      this.swatches.append(group);
      const { fill } = getComputedStyle(rect);
      group.remove();
      // A pattern: the frame is not a function.
      return this.plain(fill.startsWith("url") ? this.variable("--paper") : fill);
    });
  }

  // As in `#ffe0c0`, the form that a canvas parses fastest.
  plain(colour) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const pen = canvas.getContext("2d");
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const digits = [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => part.toString(16).padStart(2, "0"));
    return `#${digits.join("")}`;
  }

  // Further properties of a frame, from its classes.
  traits(classes) {
    let traits = this.knownTraits.get(classes);
    if (!traits) {
      const words = classes.split(" ");
      traits = { isProbed: words.includes("probed"), isLost: words.includes("lost") };
      traits.isSpecial = traits.isProbed || traits.isLost || words.includes("rest") || words.includes("gone");
      this.knownTraits.set(classes, traits);
    }
    return traits;
  }

  // The colour of a variable such as `--ink`.
  variable(name) {
    return this.remember(name, () => getComputedStyle(document.body).getPropertyValue(name).trim());
  }

  remember(key, make) {
    if (!this.known.has(key)) this.known.set(key, make());
    return this.known.get(key);
  }
}
