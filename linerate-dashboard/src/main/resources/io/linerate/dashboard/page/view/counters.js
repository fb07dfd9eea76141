import { h, keyed, text } from "./dom.js";

/** A table of names and numbers: [[name, total, rate, key]]. */
export function counters(host) {
  const body = h("tbody");
  host.append(h("table", {},
    h("thead", {}, h("tr", {},
      h("th", {}, h("span", { class: "hidden" }, "Counter")),
      h("th", { class: "number" }, "In all"), h("th", { class: "number" }, "Now"))),
    body));
  return (rows) =>
    keyed(body, rows, ([name]) => name,
      ([name, , , isBad]) =>
        h("tr", { class: isBad ? "hurts" : "" }, h("td", {}, name), h("td", { class: "number" }), h("td", { class: "number" })),
      (row, [, total, rate]) => {
        text(row.cells[1], total);
        text(row.cells[2], rate);
      });
}
