import { badDrops } from "../model/totals.js";
import { bitRate, count, counted, packetRate, percent } from "../model/format.js";
import { h, keyed, part, text } from "./dom.js";

/** The five numbers at the top. */
export function figures(page) {
  const list = document.getElementById("figures");

  return () => {
    const { state, timeline } = page;
    const sum = (name) =>
      (state.ports ?? []).reduce((all, port) => all + (timeline.rate(`port.${port.name}.${name}`) ?? 0), 0);
    const dropped = badDrops(state.totals.dropped);
    const dropRate = timeline.rate("totals.dropped");
    const loads = (state.workers ?? []).map((worker) => page.load(worker.id)).filter((load) => load !== null);
    const load = loads.length > 0 ? loads.reduce((a, b) => a + b) / loads.length : null;
    const received = timeline.rate("totals.received");
    const sent = timeline.rate("totals.sent");
    keyed(
      list,
      [
        ["received", "Received", packetRate(received), `${bitRate(sum("rxBytes"))} · ${count(state.totals.received)}`],
        ["sent", "Sent", packetRate(sent), `${bitRate(sum("txBytes"))} · ${count(state.totals.sent)}`],
        ["dropped", "Dropped", packetRate(dropRate), `${count(dropped)} in all`, dropRate > 0],
        ["in-flight", "In flight", count(state.totals.inFlight), "inside the program"],
        ["load", "Load", percent(load), counted(loads.length, "worker")],
      ],
      ([key]) => key,
      ([key, name]) =>
        h("li", { "data-figure": key },
          h("span", { class: "name" }, name),
          h("span", { class: "value", "data-part": "value" }),
          h("span", { class: "more", "data-part": "more" })),
      (node, [, , value, more, hurts]) => {
        text(part(node, "value"), value);
        text(part(node, "more"), more);
        node.classList.toggle("hurts", Boolean(hurts));
      },
    );
  };
}
