import uPlot from "../uplot-1.6.32/uPlot.esm.js";
import { clock, trim } from "../model/format.js";
import { h, text } from "./dom.js";

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
/** Colours may depend on the scheme: the browser resolves them. */
const probe = h("span", { hidden: true });
const resolved = new Map();

function ink(name) {
  if (!resolved.has(name)) {
    probe.style.color = colour(name);
    resolved.set(name, getComputedStyle(probe).color);
  }
  return resolved.get(name);
}

/** How far from the ends of the axis labels are written: half of one, and where values stand to the left. */
const RIGHT_PX = 28;
const LEFT_PX = 16;
const VALUES_PX = 66;

const charts = new Set();
const font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

/** Draws all charts with the colours of the scheme that now is. */
export function recolour() {
  document.body.append(probe);
  resolved.clear();
  charts.forEach((chart) => chart.redraw());
}

/**
 * Lines over time. Dragging over it zooms all charts; so do the keys + - 0 and the arrows.
 *
 * @param lines [{name, colour: a variable's name, values: (timeline, firstIndex) => rates}]
 * @param format of a value
 * @param most the greatest value of the axis, when it is fixed
 */
export class Chart {
  #page;
  #lines;
  #format;
  #plot;
  #legend;
  #data = [[], []];

  constructor(host, page, label, lines, format, { height = 150, most = null } = {}) {
    this.#page = page;
    this.#lines = lines;
    this.#format = format;
    this.#legend = lines.map(() => h("b"));
    const frame = h("div", { class: "chart", role: "img", tabindex: "0", "aria-label": `${label}, over time` });
    frame.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && page.span.key(event.key, page.nowMs)) {
        event.preventDefault();
      }
    });
    host.append(
      h("p", { class: "chart-legend" },
        ...lines.map((line, i) =>
          h("span", {}, h("i", { class: `swatch ${line.colour.slice(2)}` }), `${line.name} `, this.#legend[i]))),
      frame);
    if (!probe.isConnected) {
      document.body.append(probe);
    }
    this.#plot = new uPlot(this.#options(height, most), [[], ...lines.map(() => [])], frame);
    this.sizes = new ResizeObserver(() => this.#resize(frame, height));
    this.sizes.observe(frame);
    charts.add(this);
  }

  #options(height, most) {
    const page = this.#page;
    const axis = {
      stroke: () => ink("--muted"),
      grid: { stroke: () => ink("--line"), width: 1 },
      ticks: { show: false },
      font,
    };
    return {
      width: 300,
      height,
      legend: { show: false },
      padding: [8, 4, 0, 0],
      cursor: {
        sync: { key: "linerate" },
        drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
        y: false,
        bind: { dblclick: () => () => page.span.reset() },
      },
      scales: {
        x: { time: false, range: () => page.span.range(page.nowMs) },
        y: { range: (_, least, greatest) => [0, most ?? (greatest > 0 ? greatest * 1.12 : 1)] },
      },
      axes: [
        { ...axis, grid: { show: false }, size: 24, space: 64, incrs: TICKS, values: (plot, ticks) => labels(plot, ticks) },
        { ...axis, size: VALUES_PX, space: 34, gap: 4, values: (_, ticks) => ticks.map((tick) => trim(this.#format(tick))) },
      ],
      series: [
        {},
        ...this.#lines.map((line) => ({
          label: line.name,
          stroke: () => ink(line.colour),
          width: 1.7,
          points: { show: false },
        })),
      ],
      hooks: {
        setSelect: [
          (plot) => {
            if (plot.select.width > 4) {
              const { left, width } = plot.select;
              plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
              page.span.zoom(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
            }
          },
        ],
        setCursor: [() => this.#label()],
      },
    };
  }

  #resize(frame, height) {
    const width = frame.clientWidth;
    if (width > 0 && width !== this.#plot.width) {
      this.#plot.setSize({ width, height });
    }
  }

  update() {
    const { timeline, span, nowMs } = this.#page;
    const [from, to] = span.range(nowMs);
    const first = Math.max(0, timeline.indexAt(from) - 1);
    const times = timeline.times.slice(first);
    this.#data = [times, ...this.#lines.map((line) => line.values(timeline, first))];
    this.#plot.setData(this.#data, false);
    this.#plot.setScale("x", { min: from, max: to });
    this.#label();
  }

  redraw() {
    this.#plot.redraw(false, true);
  }

  /** The values at the cursor, or the last ones. */
  #label() {
    const at = this.#plot?.cursor.idx ?? null;
    this.#legend.forEach((node, i) => {
      const values = this.#data[i + 1] ?? [];
      text(node, this.#format((at === null ? values.at(-1) : values[at]) ?? null));
    });
  }

  close() {
    charts.delete(this);
    this.sizes.disconnect();
    this.#plot.destroy();
  }
}

/** Steps between times of day, in ms. */
const TICKS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800].map((s) => 1000 * s);

/** Seconds are written when they differ only; what the edges would cut is not written. */
function labels({ width, scales: { x } }, ticks) {
  const msPerPx = (x.max - x.min) / Math.max(1, width - VALUES_PX);
  const isWhole = ticks.every((tick) => tick % 60_000 === 0);
  return ticks.map((tick) => {
    const isCut = x.max - tick < RIGHT_PX * msPerPx || tick - x.min < LEFT_PX * msPerPx;
    return isCut ? "" : clock(tick).slice(0, isWhole ? 5 : 8);
  });
}
