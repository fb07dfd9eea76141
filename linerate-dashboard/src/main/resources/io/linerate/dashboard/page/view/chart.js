import { clock, trim } from "../model/format.js";
import { h, svg, text } from "./dom.js";

/** Of a script of its own, before this one. */
const { uPlot } = globalThis;

/** How each kind of line is drawn: its dashes tell it from others where colours do not. */
const DASHES = { send: [7, 4], drop: [2, 3], lost: [9, 3, 2, 3] };

const colour = (name) => getComputedStyle(document.querySelector("main")).getPropertyValue(name).trim();
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

/** So near to the cursor the words of a change are shown. */
const NEAR_PX = 8;

const charts = new Set();
const font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

/** Draws all charts with the colours of the scheme that now is. */
export function recolour() {
  document.querySelector("main").append(probe);
  resolved.clear();
  charts.forEach((chart) => chart.redraw());
}

/**
 * Lines over time. Dragging over it zooms all charts; so do the keys + - 0 and the arrows.
 *
 * @param lines [{name, kind: a colour's name, values: (timeline, firstIndex) => rates}]
 * @param format of a value
 * @param most the greatest value of the axis, when it is fixed
 * @param isStop whether the tabulator stops there: keys on one chart are for all
 */
export class Chart {
  #page;
  #lines;
  #format;
  #plot;
  #legend;
  #data = [[], []];
  #words = h("span", { class: "change-words" });

  constructor(host, page, label, lines, format, { height = 150, most = null, isStop = false } = {}) {
    this.#page = page;
    this.#lines = lines;
    this.#format = format;
    this.#legend = lines.map(() => h("b"));
    const frame = h("div", { class: "chart", role: "img", tabindex: isStop ? 0 : -1, "aria-label": `${label}, over time` });
    frame.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && page.span.key(event.key, page.nowMs)) {
        event.preventDefault();
      }
    });
    host.append(
      h("p", { class: "chart-legend" },
        ...lines.map((line, i) =>
          h("span", {}, sample(line.kind), `${line.name} `, this.#legend[i])), this.#words),
      frame);
    if (!probe.isConnected) {
      document.querySelector("main").append(probe);
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
          stroke: () => ink(`--${line.kind}`),
          width: 1.7,
          dash: DASHES[line.kind],
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
        draw: [(plot) => this.#drawChanges(plot)],
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

  /** A mark at the time of each change of the program. */
  #drawChanges(plot) {
    const { ctx, bbox } = plot;
    const px = devicePixelRatio;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = ink("--muted");
    ctx.lineWidth = px;
    for (const { timeMs } of this.#changes()) {
      const x = Math.round(plot.valToPos(timeMs, "x", true));
      ctx.setLineDash([2 * px, 3 * px]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.beginPath();
      ctx.moveTo(x - 4 * px, bbox.top);
      ctx.lineTo(x + 4 * px, bbox.top);
      ctx.lineTo(x, bbox.top + 6 * px);
      ctx.fill();
    }
    ctx.restore();
  }

  #changes() {
    const [from, to] = this.#page.span.range(this.#page.nowMs);
    return (this.#page.state?.changes ?? []).filter(({ timeMs }) => timeMs >= from && timeMs <= to);
  }

  /** The values at the cursor, or the last ones, and the change that the cursor is at. */
  #label() {
    const at = this.#plot?.cursor.idx ?? null;
    const left = at === null ? -Infinity : this.#plot.cursor.left;
    const near = this.#changes().find(({ timeMs }) => Math.abs(this.#plot.valToPos(timeMs, "x") - left) < NEAR_PX);
    text(this.#words, near ? `${clock(near.timeMs)} ${near.text}` : "");
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

/** A line as the chart draws it. */
const sample = (kind) =>
  svg("svg", { class: `sample ${kind}`, width: 22, height: 8, "aria-hidden": "true" },
    svg("path", { d: "M0 4h22", "stroke-dasharray": DASHES[kind]?.join(" ") }));

/** Steps between times of day, in ms. */
const TICKS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 14_400].map((s) => 1000 * s);

/** Seconds are written when they differ only; what the edges would cut is not written. */
function labels({ width, scales: { x } }, ticks) {
  const msPerPx = (x.max - x.min) / Math.max(1, width - VALUES_PX);
  const isWhole = ticks.every((tick) => tick % 60_000 === 0);
  return ticks.map((tick) => {
    const isCut = x.max - tick < RIGHT_PX * msPerPx || tick - x.min < LEFT_PX * msPerPx;
    return isCut ? "" : clock(tick).slice(0, isWhole ? 5 : 8);
  });
}
