import { bytes, count, counted, percent, time } from "../model/format.js";
import { bar, h, keyed, part, setBar, text } from "./dom.js";

/** Bars of named numbers; a card without any is not shown. */
function bars(host, label) {
  const list = h("ul", { class: "bars", "aria-label": label });
  host.append(list);
  return (rows) => {
    host.closest(".card").hidden = rows.length === 0;
    const most = Math.max(1, ...rows.map(({ value }) => value));
    keyed(
      list,
      rows,
      ({ name }) => name,
      ({ name, isCode }) =>
        h("li", {},
          h("span", { class: isCode ? "mono cut" : "" }, name),
          h("span", { class: "number", "data-part": "main" }),
          bar(),
          h("span", { class: "number quiet", "data-part": "side" })),
      (node, { value, main, side }) => {
        text(part(node, "main"), main);
        text(part(node, "side"), side);
        setBar(node.querySelector(".bar"), value / most);
      },
    );
  };
}

const share = (value, all) => percent(all > 0 ? value / all : null);

/** What the packets are: sizes, protocols, senders, and how long they took. */
export function traffic(page) {
  const section = document.getElementById("traffic");
  const drawSizes = bars(document.getElementById("sizes"), "Packets by size");
  const drawProtocols = bars(document.getElementById("protocols"), "Packets by protocol");
  const drawTalkers = bars(document.getElementById("talkers"), "Addresses that sent most");
  const drawLatency = bars(document.getElementById("latency"), "Latency by part of the packets");

  return () => {
    const { sizes = [], protocols = {}, talkers = [], latency } = page.state;
    const inSizes = sizes.reduce((sum, { packets }) => sum + packets, 0);
    drawSizes(sizes.map(({ from, to, packets }) => ({
      name: range(from, to),
      value: packets,
      main: share(packets, inSizes),
      side: count(packets),
    })));
    const named = Object.entries(protocols ?? {}).filter(([, n]) => n > 0).sort(([, n], [, m]) => m - n);
    const inProtocols = named.reduce((sum, [, n]) => sum + n, 0);
    drawProtocols(named.slice(0, 10).map(([name, n]) => ({
      name, value: n, main: share(n, inProtocols), side: count(n),
    })));
    drawTalkers(talkers.toSorted((a, b) => b.bytes - a.bytes).slice(0, 10).map((talker) => ({
      name: talker.address,
      isCode: true,
      value: talker.bytes,
      main: bytes(talker.bytes),
      side: counted(talker.packets, "packet"),
    })));
    drawLatency(
      latency
        ? [["p50Ns", "Half"], ["p99Ns", "99 %"], ["p999Ns", "99.9 %"], ["maxNs", "All"]].map(([key, name]) => ({
            name: `${name} within`,
            value: Math.log10(1 + (latency[key] ?? 0)),
            main: time(latency[key]),
            side: "",
          }))
        : [],
    );
    section.hidden = section.querySelector(".card:not([hidden])") === null;
    document.querySelector('nav a[href="#traffic"]').hidden = section.hidden;
  };
}

function range(from, to) {
  if (to == null || to >= 1_000_000) {
    return `${from} B and more`;
  }
  return from === to ? `${from} B` : `${from}–${to} B`;
}
