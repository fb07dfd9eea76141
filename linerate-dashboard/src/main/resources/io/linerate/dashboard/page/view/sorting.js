import { h } from "./dom.js";

/**
 * Heads of a table's columns that sort its rows: by a press, and the other way round by another. The page's address
 * keeps the order.
 */
export class Sorting {
  #address;
  #part;
  #columns;
  #heads;
  #first;

  /**
   * @param part of the address
   * @param columns [[key, label, class, valueOf]]: by text where the value is one; without `valueOf` there is no sorting
   * @param first the column by which rows are sorted where nobody has chosen: -KEY for the greatest first; null: as they come
   */
  constructor(address, part, columns, first, changed) {
    this.#address = address;
    this.#part = part;
    this.#columns = columns;
    this.#first = first;
    this.#heads = new Map(columns.map(([key, label, kind, valueOf]) => [key, h("th", { class: kind, scope: "col" },
      valueOf
        ? h("button", { type: "button", class: "sort", "data-sort": key, onclick: () => (this.#press(key, kind), changed()) }, label)
        : label)]));
  }

  get heads() {
    return [...this.#heads.values()];
  }

  get #order() {
    return this.#address.get(this.#part) ?? this.#first;
  }

  /** Numbers begin with the greatest, texts with A; the third press is the order in which they come. */
  #press(key, kind) {
    const ways = kind.includes("number") ? [`-${key}`, key] : [key, `-${key}`];
    this.#address.set(this.#part, ways[ways.indexOf(this.#order) + 1] ?? (this.#first === null ? null : "none"));
  }

  /** The rows in the order that was chosen. */
  sort(rows) {
    const order = this.#order ?? "";
    const key = order.replace(/^-/, "");
    const sign = order.startsWith("-") ? -1 : 1;
    this.#heads.forEach((head, column) =>
      head.setAttribute("aria-sort", column !== key ? "none" : sign < 0 ? "descending" : "ascending"));
    const valueOf = this.#columns.find(([column]) => column === key)?.[3];
    if (!valueOf) {
      return rows;
    }
    const values = new Map(rows.map((row) => [row, valueOf(row)]));
    const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : (a ?? -1) - (b ?? -1));
    return rows.toSorted((a, b) => sign * compare(values.get(a), values.get(b)));
  }
}
