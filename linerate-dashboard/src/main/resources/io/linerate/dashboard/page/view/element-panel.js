import { isGoodEnd, lost } from "../model/totals.js";
import { bitRate, bytes, count, packetRate, percent, time, tokenRate } from "../model/format.js";
import { captureForm } from "./capture.js";
import { Chart } from "./chart.js";
import { counters } from "./counters.js";
import { h } from "./dom.js";
import { handlers } from "./handlers.js";
import { manual } from "./manual.js";

/** An element: its rates, counters, values to read and write, and manual page. */
export function elementPanel(page, host, element) {
  const key = (name) => `element.${element.name}.${name}`;
  const rates = (name) => (timeline, first) => timeline.rates(key(name), first);
  const chart = new Chart(host, page, `Element ${element.name}`, [
    { name: "In", kind: "receive", values: rates("packetsIn") },
    { name: "Out", kind: "send", values: rates("packetsOut") },
    { name: "Dropped", kind: "drop", values: rates("dropped") },
  ], packetRate, { height: 120, isStop: true });
  const section = h("section", {}, h("h3", {}, "Counters"));
  host.append(section);
  const table = counters(section);
  const capture = page.state.readOnly ? () => {} : captureSection(page, host, element);
  if (element.handlers?.length > 0 && !page.state.readOnly) {
    host.append(h("section", {}, h("h3", {}, "Values"), handlers(page, element)));
  }
  if (element.doc) {
    host.append(h("section", {}, h("h3", {}, "Manual"), manual(element.doc)));
  }

  return {
    update(now) {
      chart.update();
      capture();
      const rate = (name) => page.timeline.rate(key(name));
      table([
        ["Packets in", count(now.packetsIn), packetRate(rate("packetsIn"))],
        ["Packets out", count(now.packetsOut), packetRate(rate("packetsOut"))],
        ["Bytes in", bytes(now.bytesIn), bitRate(rate("bytesIn"))],
        ["Bytes out", bytes(now.bytesOut), bitRate(rate("bytesOut"))],
        ...(now.made > 0 ? [["Made", count(now.made), packetRate(rate("made"))]] : []),
        ["Held", count(now.held), ""],
        ...tokens(now, rate),
        ...takes(page, now),
        ...Object.entries(now.dropped ?? {}).map(([reason, packets]) => [
          `Dropped: ${reason}`, count(packets), packetRate(rate(`drop.${reason}`)), packets > 0 && !isGoodEnd(reason),
        ]),
        ...page.lossesAt(now).map((port) => [
          `Lost at ${port.name}`, count(lost(port)), packetRate(page.timeline.rate(`port.${port.name}.lost`)), lost(port) > 0,
        ]),
      ]);
    },
    close: () => chart.close(),
  };
}

/** What the element has done with tokens, if it has had any. */
function tokens(element, rate) {
  return element.tokensIn == null ? [] : [
    ["Tokens in", count(element.tokensIn), tokenRate(rate("tokensIn"))],
    ["Tokens out", count(element.tokensOut), tokenRate(rate("tokensOut"))],
    ...(element.tokensHeld > 0 ? [["Tokens held", count(element.tokensHeld), ""]] : []),
    ...Object.entries(element.tokensDropped ?? {}).map(([reason, dropped]) => [`Tokens dropped: ${reason}`, count(dropped), "", dropped > 0]),
  ];
}

/** What the element takes of its workers' time, as far as it is timed. */
function takes(page, element) {
  const { nsAPacket, packetsABurst, share } = page.takes(element.name);
  return nsAPacket === null ? [] : [
    ["Takes for a packet", "", time(nsAPacket)],
    ["Packets a burst", "", packetsABurst.toFixed(1)],
    ["Takes of a worker", "", percent(share)],
  ];
}

function captureSection(page, host, { name }) {
  const place = h("section", {}, h("h3", {}, "Capture what is dropped here"));
  host.append(place);
  return captureForm(page, place, { id: `drops ${name}`, file: `drops-${name}`, what: () => ({ drops: { element: name } }) });
}
