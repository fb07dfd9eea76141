import { edgeId } from "../model/totals.js";
import { bitRate, bytes, count, counted, packetRate } from "../model/format.js";
import { Chart } from "./chart.js";
import { counters } from "./counters.js";
import { bar, h, save, setBar, text } from "./dom.js";

const PACKETS = 1_000;
const MOST_PACKETS = 100_000;

/** An edge: its rates, and a capture of some packets that pass it. */
export function edgePanel(page, host, edge) {
  const key = (name) => `edge.${edgeId(edge)}.${name}`;
  const chart = new Chart(host, page, `Edge from ${edge.from} to ${edge.to}`, [
    { name: "Packets", kind: "accent", values: (timeline, first) => timeline.rates(key("packets"), first) },
  ], packetRate, { height: 120, isStop: true });
  const section = h("section", {}, h("h3", {}, "Counters"));
  host.append(section);
  const table = counters(section);
  const capture = page.state.readOnly ? () => {} : captureForm(page, host, edge);
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

/** Starts a tap, shows how far it is, and fetches its file. Taps live on when the panel is closed. */
function captureForm(page, host, edge) {
  const number = h("input", { type: "number", min: 1, max: MOST_PACKETS, value: PACKETS, "aria-label": "Packets to capture" });
  const start = h("button", { type: "submit", class: "main" }, "Start");
  const stop = h("button", { type: "button", hidden: true }, "Stop");
  const fetch = h("button", { type: "button", class: "main", hidden: true }, "Download pcapng");
  const bound = h("p", { class: "quiet", role: "status" });
  const progress = bar("calm");
  progress.hidden = true;
  const id = edgeId(edge);
  const form = h("form", {
    class: "line",
    onsubmit: async (event) => {
      event.preventDefault();
      const packets = Number(number.value);
      let answer = null;
      await page.act("Capturing.", async () => {
        answer = await page.api.change("POST", "api/taps", { edge: plain(edge), packets });
        return answer;
      });
      if (answer?.id != null) {
        page.taps.set(id, { id: answer.id, packets, isStopped: false });
        page.redraw();
      }
    },
  }, number, start, stop, fetch);
  stop.addEventListener("click", () => {
    page.taps.get(id).isStopped = true;
    download();
  });
  const download = async () => {
    const tap = page.taps.get(id);
    await page.act("The capture was saved.", async () => {
      const blob = await page.api.download(`api/taps/${tap.id}`);
      if (blob) {
        save(`${edge.from}-${edge.to}.pcapng`.replace(/[^\w.-]+/g, "_"), blob);
        await page.api.change("DELETE", `api/taps/${tap.id}`);
        page.taps.delete(id);
      }
      return blob;
    });
    page.redraw();
  };
  fetch.addEventListener("click", download);
  host.append(h("section", {}, h("h3", {}, "Capture"),
    h("p", { class: "quiet" }, "Writes the next packets that pass here to a pcapng file; the graph goes on."),
    form, progress, bound));

  return () => {
    const tap = page.taps.get(id);
    const now = tap && (page.state.taps ?? []).find((candidate) => candidate.id === tap.id);
    const packets = now?.packets ?? 0;
    const isFull = tap && (now ? !now.running || packets >= tap.packets : false);
    start.hidden = number.hidden = Boolean(tap);
    stop.hidden = !tap || isFull;
    fetch.hidden = !isFull;
    progress.hidden = !tap;
    setBar(progress, tap ? packets / tap.packets : 0);
    stop.textContent = "Stop and download";
    text(bound, tap ? `${count(packets)} of ${counted(tap.packets, "packet")}` : "");
  };
}

const plain = ({ from, output, to, input }) => ({ from, output, to, input });
