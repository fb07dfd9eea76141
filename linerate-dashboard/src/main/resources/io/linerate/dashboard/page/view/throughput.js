import { isGoodEnd, lost } from "../model/totals.js";
import { count, packetRate } from "../model/format.js";
import { captureForm } from "./capture.js";
import { Chart } from "./chart.js";
import { bar, h, keyed, part, setBar, text } from "./dom.js";

const RECEIVED = ["Received", "receive", "totals.received"];
const CAME_BACK = ["Came back", "receive", "generator.cameBack"];
const OTHERS = [["Sent", "send", "totals.sent"], ["Dropped", "drop", "totals.dropped"], ["Lost at devices", "lost", "totals.lost"]];

/** The program's packets over time; of one that makes its packets, those that came back in place of the received. */
export function throughput(page) {
  const host = document.getElementById("throughput");
  let drawn;
  let chart;
  return () => {
    const { generator } = page.state;
    const first = !generator ? [RECEIVED] : generator.cameBack == null ? [] : [CAME_BACK];
    if (!chart || drawn !== first[0]) {
      drawn = first[0];
      chart?.close();
      host.replaceChildren();
      chart = new Chart(host, page, "Packets of the program", [...first, ...OTHERS].map(([name, kind, key]) => (
        { name, kind, values: (timeline, from) => timeline.rates(key, from) })), packetRate, { height: 170, isStop: true });
    }
    chart.update();
  };
}

/** Why packets were dropped, and where devices lost some; the reasons that are good ends stand last, and are not red. */
export function drops(page) {
  const list = h("ul", { class: "bars" });
  const none = h("p", { class: "quiet" }, "Nothing was dropped or lost.");
  const reasons = h("select", { "aria-label": "Reason of the packets to capture" });
  const place = h("details", { class: "changes" }, h("summary", {}, "Capture what is dropped"),
    h("p", { class: "quiet" }, "Writes the next packets that are dropped to a pcapng file, each with why and where."));
  document.getElementById("drops").append(list, none, place);
  const capture = captureForm(page, place, {
    id: "drops",
    file: "drops",
    what: () => ({ drops: reasons.value === "" ? {} : { reason: reasons.value } }),
    more: [reasons],
  });

  return () => {
    const { totals, ports = [] } = page.state;
    const losses = ports.map((port) => ({
      key: `lost ${port.name}`, name: `lost at ${port.name}`, series: `port.${port.name}.lost`, packets: lost(port),
    }));
    const drops = Object.entries(totals.dropped ?? {}).map(([reason, packets]) => ({
      key: reason, name: reason, series: `drop.${reason}`, packets, isGood: isGoodEnd(reason),
    }));
    const rows = [...losses, ...drops]
      .filter(({ packets }) => packets > 0)
      .sort((a, b) => Boolean(a.isGood) - Boolean(b.isGood) || b.packets - a.packets);
    const most = Math.max(1, ...rows.map(({ packets }) => packets));
    none.hidden = rows.length > 0;
    if (document.activeElement !== reasons) {
      keyed(reasons, ["", ...drops.filter(({ packets }) => packets > 0).map(({ name }) => name)], (reason) => reason, (reason) =>
        h("option", { value: reason }, reason || "all that hurt"));
    }
    capture();
    keyed(
      list,
      rows,
      ({ key }) => key,
      ({ key, name, isGood }) =>
        h("li", { "data-reason": key },
          h("span", {}, name, isGood ? h("span", { class: "quiet" }, " (a good end)") : null),
          h("span", { class: "number", "data-part": "rate" }),
          bar(isGood ? "calm" : "drop"),
          h("span", { class: "number quiet", "data-part": "total" })),
      (node, { series, packets }) => {
        text(part(node, "rate"), packetRate(page.timeline.rate(series)));
        text(part(node, "total"), count(packets));
        setBar(node.querySelector(".bar"), packets / most);
      },
    );
  };
}
