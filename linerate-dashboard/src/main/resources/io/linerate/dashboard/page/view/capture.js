import { count, counted } from "../model/format.js";
import { bar, h, save, setBar, text } from "./dom.js";

const PACKETS = 1_000;
const MOST_PACKETS = 100_000;
const MOST_FILTER = 1_000;

/**
 * Starts a tap, shows how far it is, and fetches its file. Taps live on when the form is gone. Returns what brings it
 * up to date.
 *
 * @param id of what is captured: one tap of it at a time
 * @param file name of the file that is saved, without its ending
 * @param what members of the request: an edge, or what is dropped
 * @param more fields that stand before the number
 */
export function captureForm(page, host, { id, file, what, more = [] }) {
  const number = h("input", { type: "number", min: 1, max: MOST_PACKETS, value: PACKETS, "aria-label": "Packets to capture" });
  const filter = h("input", {
    type: "text",
    maxlength: MOST_FILTER,
    placeholder: "all, or tcp port 80",
    "aria-label": "Filter of the capture",
  });
  const start = h("button", { type: "submit", class: "main" }, "Start");
  const stop = h("button", { type: "button", hidden: true }, "Stop and download");
  const fetch = h("button", { type: "button", class: "main", hidden: true }, "Download pcapng");
  const bound = h("p", { class: "quiet", role: "status" });
  const progress = bar("calm");
  progress.hidden = true;
  const form = h("form", {
    class: "line",
    onsubmit: async (event) => {
      event.preventDefault();
      const packets = Number(number.value);
      const expression = filter.value.trim();
      const only = expression ? { filter: expression } : {};
      let answer = null;
      await page.act("Capturing.", async () => {
        answer = await page.api.change("POST", "api/taps", { ...what(), packets, ...only });
        return answer;
      });
      if (answer?.id != null) {
        page.taps.set(id, { id: answer.id, packets });
        page.redraw();
      }
    },
  }, ...more, filter, number, start, stop, fetch);
  const download = async () => {
    const tap = page.taps.get(id);
    await page.act("The capture was saved.", async () => {
      const blob = await page.api.download(`api/taps/${tap.id}`);
      if (blob) {
        save(`${file}.pcapng`.replace(/[^\w.-]+/g, "_"), blob);
        await page.api.change("DELETE", `api/taps/${tap.id}`);
        page.taps.delete(id);
      }
      return blob;
    });
    page.redraw();
  };
  stop.addEventListener("click", download);
  fetch.addEventListener("click", download);
  host.append(form, progress, bound);

  return () => {
    const tap = page.taps.get(id);
    const now = tap && (page.state.taps ?? []).find((candidate) => candidate.id === tap.id);
    const packets = now?.packets ?? 0;
    const isFull = tap && (now ? !now.running || packets >= tap.packets : false);
    for (const field of [...more, filter, number, start]) {
      field.hidden = Boolean(tap);
    }
    stop.hidden = !tap || isFull;
    fetch.hidden = !isFull;
    progress.hidden = !tap;
    setBar(progress, tap ? packets / tap.packets : 0);
    const missed = now?.missed > 0 ? `, ${count(now.missed)} more for which there was no room` : "";
    text(bound, tap ? `${count(packets)} of ${counted(tap.packets, "packet")}${missed}` : "");
  };
}
