import { edgeId } from "../model/totals.js";
import { bitRate, bytes, count, packetRate, tokenRate } from "../model/format.js";
import { captureForm } from "./capture.js";
import { Chart } from "./chart.js";
import { counters } from "./counters.js";
import { h } from "./dom.js";

/** An edge: its rates, and a capture of some packets that pass it. */
export function edgePanel(page, host, edge) {
  const key = (name) => `edge.${edgeId(edge)}.${name}`;
  const [name, series, rate] = edge.tokens > 0 ? ["Tokens", "tokens", tokenRate] : ["Packets", "packets", packetRate];
  const chart = new Chart(host, page, `Edge from ${edge.from} to ${edge.to}`, [
    { name, kind: "accent", values: (timeline, first) => timeline.rates(key(series), first) },
  ], rate, { height: 120, isStop: true });
  const section = h("section", {}, h("h3", {}, "Counters"));
  host.append(section);
  const table = counters(section);
  const capture = page.state.readOnly || edge.tokens > 0 ? () => {} : captureSection(page, host, edge);
  return {
    update(now) {
      chart.update();
      table(now.tokens > 0 ? [["Tokens", count(now.tokens), tokenRate(page.timeline.rate(key("tokens")))]] : [
        ["Packets", count(now.packets), packetRate(page.timeline.rate(key("packets")))],
        ["Bytes", bytes(now.bytes), bitRate(page.timeline.rate(key("bytes")))],
        ["Bytes a packet", now.packets > 0 ? (now.bytes / now.packets).toFixed(1) : "–", ""],
      ]);
      capture();
    },
    close: () => chart.close(),
  };
}

function captureSection(page, host, edge) {
  const place = h("section", {}, h("h3", {}, "Capture"),
    h("p", { class: "quiet" }, "Writes the next packets that pass here to a pcapng file; the graph goes on."));
  host.append(place);
  return captureForm(page, place, { id: edgeId(edge), file: `${edge.from}-${edge.to}`, what: () => ({ edge: plain(edge) }) });
}

const plain = ({ from, output, to, input }) => ({ from, output, to, input });
