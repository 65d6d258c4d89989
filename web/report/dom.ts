// SPDX-License-Identifier: Apache-2.0
// Elements, and tables that sort. Text always goes in as text, never as markup. Next: charts.ts.
import { none } from "./format";
import { t } from "./text";

type Child = Node | string | null | undefined;
type Props = Record<string, string | number | boolean | ((event: Event) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child != null) element.append(child);
  return element;
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return el("section", { id, "aria-labelledby": id + "-title" },
    el("h2", { id: id + "-title" }, title), ...children);
}

export interface Column<Row> {
  title: string;
  text: (row: Row) => string | Node;
  sort?: (row: Row) => number | string | null;  // without one, by its text
  number?: boolean;                              // to the right
  wide?: boolean;                                // may break
  hint?: (row: Row) => string;                   // why there is no value
}

export function table<Row>(id: string, columns: Column<Row>[], rows: Row[], first = -1): HTMLElement {
  let order = rows.slice(), by = first, down = true;
  const body = el("tbody");
  const heads = columns.map((column, i) => {
    const button = el("button", { type: "button", click: () => sortBy(i) }, column.title);
    return el("th", { scope: "col", class: column.number ? "number" : "" }, button);
  });
  const key = (row: Row, i: number) => {
    const c = columns[i];
    if (c.sort) return c.sort(row);
    const text = c.text(row);
    return typeof text === "string" ? text : text.textContent;
  };
  function fill() {
    body.replaceChildren(...order.map((row) => el("tr", {}, ...columns.map((column) => {
      const text = column.text(row);
      const hint = text === none && column.hint ? column.hint(row) : "";
      const name = [column.number ? "number" : "", column.wide ? "wide" : ""].join(" ").trim();
      return el("td", hint ? { class: name + " absent", title: hint } : { class: name }, text);
    }))));
  }
  function sortBy(i: number) {
    down = by === i ? !down : columns[i].number === true;
    by = i;
    order = rows.slice().sort((a, b) => {
      const x = key(a, i), y = key(b, i);
      // What is not known stands last either way.
      if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
      const less = typeof x === "number" && typeof y === "number"
        ? x - y : String(x).localeCompare(String(y));
      return down ? -less : less;
    });
    heads.forEach((head, n) => {
      if (n === i) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    fill();
  }
  fill();
  if (rows.length === 0) return el("p", { class: "quiet" }, t("none"));
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": id },
    el("table", { id }, el("thead", {}, el("tr", {}, ...heads)), body));
}

// Label and value below each other.
export function facts(pairs: [string, string | Node | null | undefined][]): HTMLElement {
  return el("dl", {}, ...pairs.filter(([, value]) => value).map(([name, value]) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, value!))));
}
