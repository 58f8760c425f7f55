// SPDX-License-Identifier: Apache-2.0
// The page's state: tab, weight, selected function, search and so on. It is encoded in the address after the #, so that
// links show the same to others, and the browser's Back works.
export class State {
  // `defaults`: the value of each key if the address has none. Values are texts.
  constructor(defaults) {
    this.defaults = defaults;
    this.values = this.read();
    this.observers = [];
    addEventListener("hashchange", () => this.update(this.read()));
  }

  get(key) {
    return this.values[key];
  }

  read() {
    const given = new URLSearchParams(location.hash.slice(1));
    return Object.fromEntries(Object.entries(this.defaults).map(([key, value]) => [key, given.get(key) ?? value]));
  }

  // Typing changes the address without adding a step for Back.
  set(changes, isStep = true) {
    const values = { ...this.values };
    for (const [key, value] of Object.entries(changes)) values[key] = String(value);
    const words = new URLSearchParams();
    for (const [key, value] of Object.entries(values)) if (value !== this.defaults[key]) words.set(key, value);
    const address = `#${words}`;
    if (address !== (location.hash || "#")) history[isStep ? "pushState" : "replaceState"](null, "", address);
    this.update(values);
  }

  update(values) {
    const changed = new Set(Object.keys(values).filter((key) => values[key] !== this.values[key]));
    this.values = values;
    if (changed.size > 0) for (const observe of this.observers) observe(changed);
  }

  // `observe` is called with the keys that have changed.
  observe(observe) {
    this.observers.push(observe);
  }
}
