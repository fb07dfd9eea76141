import { lossesAt } from "../model/drawable.js";
import { badDrops, lost, sum } from "../model/totals.js";
import { count, packetRate, time } from "../model/format.js";
import { h, keyed, text } from "./dom.js";
import { roving } from "./roving.js";
import { Sorting } from "./sorting.js";

const NARROW_PX = 700;

/** The graph as a table, for those who would rather read; on a narrow screen it comes first, what loses most above. */
export function elementTable(page) {
  const host = document.getElementById("graph-table");
  const isNarrow = innerWidth < NARROW_PX;
  const body = h("tbody");
  const sorting = new Sorting(page.address, "sort", [
    ["name", "Element", "", ({ element }) => element.name],
    ["type", "Type", "narrow-not", ({ element }) => element.type],
    ["next", "Goes to", "narrow-not", null],
    ["in", "In", "number", ({ in: rate }) => rate],
    ["out", "Out", "number narrow-not", ({ out }) => out],
    ["cost", "A packet", "number narrow-not", ({ cost }) => cost],
    ["gone", "Dropping", "number", ({ gone }) => gone],
    ["total", "In all", "number", ({ total }) => total],
  ], isNarrow ? "-total" : null, () => page.redraw());
  host.append(h("div", { class: "scroll tall" }, h("table", {}, h("thead", {}, h("tr", {}, ...sorting.heads)), body)));
  const keepStop = roving(host, "button");

  return () => {
    if (host.hidden) {
      return;
    }
    const { elements = [], edges = [] } = page.state;
    const rows = elements.map((element) => {
      const rate = (name) => page.timeline.rate(`element.${element.name}.${name}`);
      const ports = lossesAt(element, page.state);
      return {
        element,
        in: rate("packetsIn"),
        out: rate("packetsOut"),
        cost: page.takes(element.name).nsAPacket,
        gone: sum(rate("dropped"), page.rate(ports.map((port) => `port.${port.name}.lost`))),
        total: badDrops(element.dropped) + ports.reduce((all, port) => all + lost(port), 0),
        next: edges.filter(({ from }) => from === element.name).map(({ to }) => to).join(", "),
      };
    });
    keyed(
      body,
      sorting.sort(rows),
      ({ element }) => element.name,
      ({ element: { name, type } }) =>
        h("tr", { "data-element": name },
          h("td", {}, h("button", { type: "button", class: "link", onclick: () => page.select("element", name) }, name)),
          h("td", { class: "narrow-not" }, type), h("td", { class: "narrow-not" }),
          ...["", " narrow-not", " narrow-not", "", ""].map((kind) => h("td", { class: `number${kind}` }))),
      (row, { next, in: came, out, cost, gone, total }) => {
        [next, packetRate(came), packetRate(out), time(cost), packetRate(gone), count(total)]
          .forEach((value, i) => text(row.cells[i + 2], value));
        row.cells[6].title = row.cells[7].title = "Dropped here, or lost at the port";
        row.cells[6].classList.toggle("hurts", gone > 0);
        row.cells[7].classList.toggle("hurts", total > 0);
      },
    );
    keepStop();
  };
}
