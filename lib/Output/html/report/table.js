// SPDX-License-Identifier: Apache-2.0
// A table of any number of rows; only the visible ones are in the page. A click on a column's head sorts by it; the
// arrow keys move the selection.
const rowHeight = 24;
// Longer texts are cut; select the row to see all of it.
const longestCell = 300;

// `text` is never parsed as markup.
export function makeElement(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export class Table {
  // `columns`: [{ key, title, kind, value(row), text(row), part(row), hint(row) }]; `kind` is `number`, `text` or `path`
  // (cut at its beginning), `part` from 0 to 1 is drawn as a bar; `look(row)` returns a class. `keyOf(row)` identifies
  // rows; `choose(row)` is called when a row is selected, `open(row)` at a double click or Enter.
  constructor(host, { columns, label, keyOf, choose, open, sort }) {
    Object.assign(this, { host, columns, keyOf, choose, open });
    this.rows = [];
    this.selected = null;
    this.onSort = sort ?? ((key, descending) => this.sortBy(key, descending));
    host.classList.add("rows");
    this.table = makeElement("table", { role: "grid", tabindex: "0", "aria-label": label });
    const head = makeElement("tr");
    this.heads = columns.map((column) => {
      const button = makeElement("button", { type: "button", tabindex: "-1" }, column.title);
      const cell = makeElement("th", { scope: "col", class: `${column.kind} of-${column.key}` }, button);
      button.addEventListener("click", () => this.onSort(column.key, this.sorted?.key === column.key
        ? !this.sorted.descending : column.kind === "number"));
      head.append(cell);
      return cell;
    });
    this.body = makeElement("tbody");
    this.table.append(makeElement("thead", {}, head), this.body);
    host.append(this.table);
    host.addEventListener("scroll", () => this.render());
    new ResizeObserver(() => this.render()).observe(host);
    this.body.addEventListener("click", (event) => this.act(event, this.choose));
    this.body.addEventListener("dblclick", (event) => this.act(event, this.open));
    this.table.addEventListener("keydown", (event) => this.onKey(event));
  }

  act(event, action) {
    const element = event.target.closest("tr[data-index]");
    if (element) action(this.rows[Number(element.dataset.index)]);
  }

  setRows(rows) {
    this.rows = rows;
    if (this.sorted) this.sort();
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    this.host.scrollTop = 0;
    this.render();
  }

  sortBy(key, descending) {
    this.sorted = { key, descending };
    this.sort();
    this.render();
  }

  sort() {
    const { key, descending } = this.sorted;
    const column = this.columns.find((other) => other.key === key);
    if (!column) return;
    const sign = descending ? -1 : 1;
    const compare = column.kind === "number" ? (a, b) => a - b : (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    const values = new Map(this.rows.map((row) => [row, column.value(row)]));
    this.rows = [...this.rows].sort((a, b) => sign * compare(values.get(a), values.get(b)));
    for (const [index, other] of this.columns.entries())
      this.heads[index].setAttribute("aria-sort", other !== column ? "none" : descending ? "descending" : "ascending");
  }

  // Marks the row with this key and scrolls it into view.
  select(key) {
    this.selected = key;
    const index = this.rows.findIndex((row) => this.keyOf(row) === key);
    if (index >= 0) {
      const top = index * rowHeight;
      const room = this.host.clientHeight - 2 * rowHeight;
      if (top < this.host.scrollTop || top > this.host.scrollTop + room) this.host.scrollTop = Math.max(0, top - room / 2);
    }
    this.render();
  }

  render() {
    const height = this.host.clientHeight;
    if (height === 0) return;
    const first = Math.max(0, Math.floor(this.host.scrollTop / rowHeight) - 5);
    const last = Math.min(this.rows.length, first + Math.ceil(height / rowHeight) + 10);
    const filler = (count) => {
      const element = makeElement("tr", { "aria-hidden": "true", class: "filler" }, makeElement("td"));
      element.style.height = `${count * rowHeight}px`;
      return element;
    };
    const elements = [filler(first)];
    for (let index = first; index < last; ++index) elements.push(this.makeRow(index));
    elements.push(filler(this.rows.length - last));
    this.body.replaceChildren(...elements);
  }

  makeRow(index) {
    const row = this.rows[index];
    const isSelected = this.keyOf(row) === this.selected;
    const element = makeElement("tr", { "data-index": index, "aria-rowindex": index + 2, "aria-selected": isSelected });
    for (const column of this.columns) {
      const text = column.text(row);
      const shown = column.kind === "path" ? makeElement("bdi", { dir: "ltr" }, text.slice(-longestCell)) : text.slice(0, longestCell);
      const cell = makeElement("td", { class: `${column.kind} of-${column.key}` }, shown);
      const hint = column.hint?.(row);
      if (hint) cell.title = hint.slice(0, 2000);
      if (column.look) cell.classList.add(column.look(row));
      if (column.part) cell.style.setProperty("--part", `${(100 * column.part(row)).toFixed(2)}%`);
      element.append(cell);
    }
    return element;
  }

  onKey(event) {
    const index = this.rows.findIndex((row) => this.keyOf(row) === this.selected);
    const page = Math.max(1, Math.floor(this.host.clientHeight / rowHeight) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps && this.rows.length > 0) {
      const next = index < 0 ? 0 : Math.min(Math.max(index + steps[event.key], 0), this.rows.length - 1);
      this.choose(this.rows[next]);
    } else if (event.key === "Enter" && index >= 0) {
      this.open(this.rows[index]);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
