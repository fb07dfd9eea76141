import { isGoodEnd } from "../model/totals.js";
import { count, percent } from "../model/format.js";
import { h, keyed, part, text } from "./dom.js";

const LEAST_PERCENT = 0.4;

/**
 * Where every packet went, as one bar: received + made + taken over = sent + dropped by reason + handed over +
 * in flight. What the law does not account for would stand at its end.
 */
export function balance(page) {
  const bar = h("div", { class: "balance", role: "img" });
  const list = h("ul", { class: "balance-parts" });
  const came = h("p", { class: "quiet", "data-part": "came" });
  document.getElementById("balance").append(came, bar, list);

  return () => {
    const { received, made, takenOver, sent, handedOver, inFlight, dropped } = page.state.totals;
    const all = received + made + takenOver;
    const reasons = Object.entries(dropped ?? {}).filter(([, packets]) => packets > 0);
    const ends = ([reason, packets]) => ({ name: reason, packets, kind: isGoodEnd(reason) ? "good" : "bad" });
    const parts = [
      { name: "sent", packets: sent, kind: "sent" },
      ...reasons.filter(([reason]) => isGoodEnd(reason)).map(ends),
      { name: "handed over", packets: handedOver, kind: "handed" },
      ...reasons.filter(([reason]) => !isGoodEnd(reason)).sort(([, n], [, m]) => m - n).map(ends),
      { name: "in flight", packets: inFlight, kind: "flight" },
    ];
    const known = parts.reduce((sum, { packets }) => sum + packets, 0);
    parts.push({ name: "not accounted for", packets: all - known, kind: "bad" });
    const shown = parts.filter(({ packets }) => packets !== 0);
    const ways = [[page.state.generator ? "received, or made to be sent" : "received", received], ["made", made], ["taken over", takenOver]].filter(([, n], i) => n > 0 || i === 0);
    text(came, `${ways.map(([name, n]) => `${count(n)} ${name}`).join(" + ")}${ways.length > 1 ? ` = ${count(all)}` : ""}`);
    bar.setAttribute("aria-label", shown.map(({ name, packets }) => `${name} ${share(packets, all)}`).join(", "));
    keyed(bar, shown, ({ name }) => name, ({ name, kind }) => h("span", { class: `piece ${kind}`, "data-piece": name }),
      (node, { name, packets }) => {
        node.style.flexGrow = String(Math.max(LEAST_PERCENT, (100 * Math.abs(packets)) / Math.max(1, all)));
        node.title = `${name}: ${count(packets)}, ${share(packets, all)}`;
      });
    keyed(list, shown, ({ name }) => name,
      ({ name, kind }) =>
        h("li", { "data-piece": name },
          h("i", { class: `piece ${kind}` }), h("span", {}, name), h("b", { "data-part": "packets" }), h("span", { class: "quiet", "data-part": "share" })),
      (node, { packets }) => {
        text(part(node, "packets"), count(packets));
        text(part(node, "share"), share(packets, all));
      });
  };
}

const share = (packets, all) => percent(all > 0 ? packets / all : null);
