import { badDrops } from "../model/totals.js";
import { count, packetRate } from "../model/format.js";
import { h, keyed, text } from "./dom.js";

/** The graph as a table, for those who would rather read. */
export function elementTable(page) {
  const host = document.getElementById("graph-table");
  const drawing = document.getElementById("graph-drawing");
  const button = document.getElementById("graph-as-table");
  const body = h("tbody");
  host.append(h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {},
      ...["Element", "Type", "Goes to"].map((name) => h("th", {}, name)),
      ...["In", "Out", "Dropping", "Dropped"].map((name) => h("th", { class: "number" }, name)))),
    body)));
  button.addEventListener("click", () => {
    host.hidden = !host.hidden;
    drawing.hidden = !host.hidden;
    button.setAttribute("aria-pressed", String(!host.hidden));
    page.redraw();
  });

  return () => {
    if (host.hidden) {
      return;
    }
    keyed(
      body,
      page.state.elements ?? [],
      ({ name }) => name,
      ({ name, type }) =>
        h("tr", {},
          h("td", {}, h("button", { type: "button", class: "link", onclick: () => page.select("element", name) }, name)),
          h("td", {}, type), h("td", {}),
          ...[0, 1, 2, 3].map(() => h("td", { class: "number" }))),
      (row, element) => {
        const rate = (name) => packetRate(page.timeline.rate(`element.${element.name}.${name}`));
        const dropped = badDrops(element.dropped);
        const next = (page.state.edges ?? []).filter(({ from }) => from === element.name).map(({ to }) => to);
        [next.join(", "), rate("packetsIn"), rate("packetsOut"), rate("dropped"), count(dropped)]
          .forEach((value, i) => text(row.cells[i + 2], value));
        row.cells[5].classList.toggle("hurts", dropped > 0);
        row.cells[6].classList.toggle("hurts", dropped > 0);
      },
    );
  };
}
