import { packetRate } from "../model/format.js";
import { h, keyed, text } from "./dom.js";

/** What a measurement has found until now. */
export function trials(page) {
  const section = document.getElementById("trials");
  const body = h("tbody");
  const none = h("p", { class: "quiet" }, "No frame size is done yet.");
  document.getElementById("trial-list").append(none, h("table", {},
    h("thead", {}, h("tr", {},
      h("th", { class: "number" }, "Frame size"), h("th", { class: "number" }, "Throughput"),
      h("th", { class: "number" }, "Frames a second"), h("th", {}, "Limited by"))),
    body));
  return () => {
    const { trial } = page.state.generator ?? {};
    section.hidden = !trial;
    const found = trial?.found ?? [];
    none.hidden = found.length > 0;
    body.parentNode.hidden = found.length === 0;
    keyed(body, found, ({ frameBytes }) => frameBytes,
      () => h("tr", {}, h("td", { class: "number" }), h("td", { class: "number" }), h("td", { class: "number" }), h("td")),
      (row, { frameBytes, pps, limitedBy }) =>
        [`${frameBytes} B`, packetRate(pps), pps.toLocaleString("en"), limitedBy].forEach((value, i) => text(row.cells[i], value)));
  };
}
