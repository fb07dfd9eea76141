import { clock } from "../model/format.js";
import { h, keyed } from "./dom.js";

const SHOWN = 6;

/** What was changed while the program runs, the newest first: the marks in the charts in words. */
export function changes(page) {
  const list = h("ol", { class: "changes-list" });
  const section = document.getElementById("changes");
  document.getElementById("change-list").append(list);
  return () => {
    const all = page.state.changes ?? [];
    section.hidden = all.length === 0;
    keyed(list, all.slice(-SHOWN).reverse(), ({ timeMs, text }) => `${timeMs} ${text}`, ({ timeMs, what, text }) =>
      h("li", {}, h("time", { class: "quiet" }, clock(timeMs)), h("span", { class: "what" }, what), h("span", {}, text)));
  };
}
