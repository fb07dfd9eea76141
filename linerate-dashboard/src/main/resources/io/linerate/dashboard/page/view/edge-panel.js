import { edgeId } from "../model/totals.js";
import { bitRate, bytes, count, packetRate } from "../model/format.js";
import { captureForm } from "./capture.js";
import { Chart } from "./chart.js";
import { counters } from "./counters.js";
import { h } from "./dom.js";

/** An edge: its rates, and a capture of some packets that pass it. */
export function edgePanel(page, host, edge) {
  const key = (name) => `edge.${edgeId(edge)}.${name}`;
  const chart = new Chart(host, page, `Edge from ${edge.from} to ${edge.to}`, [
    { name: "Packets", kind: "accent", values: (timeline, first) => timeline.rates(key("packets"), first) },
  ], packetRate, { height: 120, isStop: true });
  const section = h("section", {}, h("h3", {}, "Counters"));
  host.append(section);
  const table = counters(section);
  const capture = page.state.readOnly ? () => {} : captureSection(page, host, edge);
  return {
    update(now) {
      chart.update();
      table([
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
