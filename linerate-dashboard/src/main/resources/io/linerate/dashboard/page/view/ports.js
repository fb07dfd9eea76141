import { lost } from "../model/totals.js";
import { bitRate, bytes, count, counted, packetRate } from "../model/format.js";
import { Chart } from "./chart.js";
import { h, keyed, part, text } from "./dom.js";
import { choice } from "./choice.js";
import { roving } from "./roving.js";

/** A card for each port: rates, totals, and what the device itself says. */
export function ports(page) {
  const cards = document.getElementById("port-cards");
  const charts = new WeakMap();
  let unit = page.address.get("unit") ?? "packets";
  choice(document.getElementById("unit"), [["packets", "Packets"], ["bits", "Bits"]], unit, (chosen) => {
    unit = chosen;
    page.address.set("unit", unit === "packets" ? null : unit);
    page.redraw();
  });

  const make = (port) => {
    const plot = h("div");
    const key = (name) => `port.${port.name}.${name}`;
    const rate = (timeline, first, packets, octets) =>
      unit === "packets" ? timeline.rates(key(packets), first) : timeline.rates(key(octets), first);
    const card = h("article", { class: "card", "data-port": port.name },
      h("header", {},
        h("div", {}, h("h3", {}, port.name), h("p", { class: "quiet mono cut", title: port.address }, port.address),
          h("p", { class: "problem", "data-part": "link", hidden: "" }, "Link is down"))),
      plot,
      h("dl", { class: "ways" }, ...way("Received", "rx"), ...way("Sent", "tx")),
      h("details", { "data-part": "device" },
        h("summary", {}, "Device statistics"), h("dl", { class: "facts one", "data-part": "extended" })));
    charts.set(card, new Chart(plot, page, `Port ${port.name}`, [
      { name: "Received", kind: "receive", values: (t, first) => rate(t, first, "rxPackets", "rxBytes") },
      { name: "Sent", kind: "send", values: (t, first) => rate(t, first, "txPackets", "txBytes") },
      {
        name: "Lost",
        kind: "lost",
        values: (t, first) =>
          unit === "packets" ? t.rates(key("lost"), first) : new Array(t.times.length - first).fill(null),
      },
    ], (value) => (unit === "packets" ? packetRate(value) : bitRate(value))));
    return card;
  };

  const update = (card, port) => {
    charts.get(card).update();
    const rate = (name) => page.timeline.rate(`port.${port.name}.${name}`);
    for (const way of ["rx", "tx"]) {
      [packetRate(rate(`${way}Packets`)), bitRate(rate(`${way}Bytes`)), counted(port[`${way}Packets`], "packet"),
        bytes(port[`${way}Bytes`])].forEach((value, i) => text(part(card, way).children[i], value));
    }
    part(card, "link").hidden = port.linkUp !== false;
    const device = [
      ...(port.linkDowns === undefined ? [] : [["Link went down", port.linkDowns]]),
      ["Missed: not taken in time", port.missed],
      ["of these, no buffer was free", port.noBuffers],
      ["Errors", port.errors],
      ...Object.entries(port.extended ?? {}),
    ];
    facts(part(card, "extended"), device.map(([name, value]) => [name, count(value)]));
    const gone = lost(port);
    text(part(card, "device").firstChild, gone > 0 ? `Device statistics: ${count(gone)} lost` : "Device statistics");
    part(card, "device").classList.toggle("hurts", gone > 0);
  };

  const keepStop = roving(cards, "summary");
  return () => {
    keyed(cards, page.state.ports ?? [], (port) => port.name, make, update);
    keepStop();
  };
}

/** Packets and bits a second, packets and bytes in all. */
const way = (name, key) => [
  h("dt", {}, name),
  h("dd", { "data-part": key },
    h("b", { "data-field": `${key}-pps` }), h("b", { "data-field": `${key}-bps` }), h("span"), h("span")),
];

/** Name and value in turn. */
export function facts(list, rows) {
  keyed(
    list,
    rows,
    ([name], i) => `${i}.${name}`,
    ([name]) => h("div", {}, h("dt", {}, name), h("dd")),
    (node, [, value]) => text(node.lastChild, value),
  );
}
