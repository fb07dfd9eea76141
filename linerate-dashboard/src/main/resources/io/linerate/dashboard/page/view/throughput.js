import { isGoodEnd } from "../model/totals.js";
import { count, packetRate } from "../model/format.js";
import { Chart } from "./chart.js";
import { bar, h, keyed, part, setBar, text } from "./dom.js";

/** The program's packets over time. */
export function throughput(page) {
  const rates = (name) => (timeline, first) => timeline.rates(`totals.${name}`, first);
  const chart = new Chart(document.getElementById("throughput"), page, "Packets of the program", [
    { name: "Received", colour: "--receive", values: rates("received") },
    { name: "Sent", colour: "--send", values: rates("sent") },
    { name: "Dropped", colour: "--drop", values: rates("dropped") },
  ], packetRate, { height: 170 });
  return () => chart.update();
}

/** Why packets were dropped; the reasons that are good ends stand last, and are not red. */
export function drops(page) {
  const list = h("ul", { class: "bars" });
  const none = h("p", { class: "quiet" }, "Nothing was dropped.");
  document.getElementById("drops").append(list, none);

  return () => {
    const reasons = Object.entries(page.state.totals.dropped ?? {})
      .filter(([, packets]) => packets > 0)
      .sort(([a, n], [b, m]) => isGoodEnd(a) - isGoodEnd(b) || m - n);
    const most = Math.max(1, ...reasons.map(([, packets]) => packets));
    none.hidden = reasons.length > 0;
    keyed(
      list,
      reasons,
      ([reason]) => reason,
      ([reason]) =>
        h("li", { "data-reason": reason },
          h("span", {}, reason, isGoodEnd(reason) ? h("span", { class: "quiet" }, " (a good end)") : null),
          h("span", { class: "number", "data-part": "rate" }),
          bar(isGoodEnd(reason) ? "calm" : "drop"),
          h("span", { class: "number quiet", "data-part": "total" })),
      (node, [reason, packets]) => {
        text(part(node, "rate"), packetRate(page.timeline.rate(`drop.${reason}`)));
        text(part(node, "total"), count(packets));
        setBar(node.querySelector(".bar"), packets / most);
      },
    );
  };
}
