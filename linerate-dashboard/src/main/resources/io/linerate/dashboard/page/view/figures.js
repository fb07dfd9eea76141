import { badDrops, sum } from "../model/totals.js";
import { age, bitRate, count, counted, packetRate, percent } from "../model/format.js";
import { h, keyed, part, text } from "./dom.js";

/** The numbers at the top: of a program that passes packets on, or of one that makes them and looks for what comes back. */
export function figures(page) {
  const list = document.getElementById("figures");

  return () => {
    const { generator } = page.state;
    const shown = generator
      ? [sent(page), ...returns(page, generator), ...asked(page, generator), gone(page), load(page)]
      : [received(page), sent(page), gone(page), inFlight(page), load(page)];
    keyed(
      list,
      shown,
      ({ key }) => key,
      ({ key }) =>
        h("li", { "data-figure": key },
          h("span", { class: "name", "data-part": "name" }),
          h("span", { class: "value", "data-part": "value" }),
          h("span", { class: "more", "data-part": "more" })),
      (node, { name, value, more, hurts, hurt, title }) => {
        text(part(node, "name"), name);
        text(part(node, "value"), value);
        text(part(node, "more"), more);
        node.title = title ?? "";
        node.classList.toggle("hurts", Boolean(hurts));
        node.classList.toggle("hurt", Boolean(hurt));
      },
    );
  };
}

const bits = (page, name) =>
  bitRate(sum(...(page.state.ports ?? []).map((port) => page.timeline.rate(`port.${port.name}.${name}`))));

const received = (page) => ({
  key: "received",
  name: "Received",
  value: packetRate(page.timeline.rate("totals.received")),
  more: `${bits(page, "rxBytes")} · ${count(page.state.totals.received)}`,
});

const sent = (page) => ({
  key: "sent",
  name: "Sent",
  value: packetRate(page.timeline.rate("totals.sent")),
  more: `${bits(page, "txBytes")} · ${count(page.state.totals.sent)}`,
});

/** What did not get through: dropped here, or lost at a device. */
function gone(page) {
  const { totals } = page.state;
  const dropped = badDrops(totals.dropped);
  const rate = sum(page.timeline.rate("totals.dropped"), page.timeline.rate("totals.lost"));
  return {
    key: "dropped",
    name: "Dropped + lost",
    value: packetRate(rate),
    more: `${count(dropped)} dropped · ${count(totals.lost)} lost`,
    hurts: rate > 0,
    hurt: dropped + totals.lost > 0,
    title: "Packets that the program dropped for a reason that is no good end, and that devices lost: missed, or with errors",
  };
}

const inFlight = (page) => ({
  key: "in-flight",
  name: "In flight",
  value: count(page.state.totals.inFlight),
  more: "inside the program",
});

/** The busiest worker: a mean hides the one that is full. */
function load(page) {
  const loads = (page.state.workers ?? [])
    .map(({ id }) => ({ id, load: page.load(id) }))
    .filter(({ load }) => load !== null);
  const busiest = loads.reduce((most, one) => (one.load > (most?.load ?? -1) ? one : most), null);
  const mean = loads.reduce((all, one) => all + one.load, 0) / loads.length;
  return {
    key: "load",
    name: loads.length > 1 ? "Load of the busiest" : "Load",
    value: percent(busiest?.load),
    more: loads.length > 1
      ? `worker ${busiest.id} · mean of ${loads.length}: ${percent(mean)}`
      : busiest === null ? counted(0, "worker") : `worker ${busiest.id}`,
  };
}

/** What came back of the program's own packets, if it looks for them. */
function returns(page, { cameBack, lost, duplicates, reordered, foreign }) {
  if (cameBack == null) {
    return [];
  }
  const sent = page.state.totals.sent;
  const underWay = Math.max(0, sent - cameBack - lost);
  return [
    {
      key: "came-back",
      name: "Came back",
      value: packetRate(page.timeline.rate("generator.cameBack")),
      more: `${count(cameBack)} · ${count(underWay)} under way`,
    },
    {
      key: "lost",
      name: "Did not come back",
      value: percent(sent > 0 ? lost / sent : null),
      more: `${counted(lost, "packet")} lost`,
      hurts: lost > 0,
    },
    {
      key: "reordered",
      name: "Reordered",
      value: count(reordered),
      more: `${count(duplicates)} came twice · ${count(foreign)} foreign`,
      hurts: reordered > 0,
    },
  ];
}

/** The rate that is asked for and the one that is reached, and how long it goes on. */
function asked(page, generator) {
  const { streams, askedPps, trial } = generator;
  const rate = page.timeline.rate("totals.sent");
  const reached = askedPps > 0 && rate !== null ? `reached ${percent(rate / askedPps)}` : `${packetRate(rate)} reached`;
  const left = remaining(page, generator, rate);
  return [
    {
      key: "asked",
      name: "Asked rate",
      value: streams === 0 ? "none" : askedPps == null ? "max" : packetRate(askedPps),
      more: streams === 0 ? "nothing is to be sent now" : reached,
    },
    ...(trial?.number > 0 ? [{
      key: "trial",
      name: `Trial ${trial.number}, ${left === null ? "" : `${age(left)} left`}`,
      value: `${trial.frameBytes} B`,
      more: `${PURPOSES[trial.purpose] ?? trial.purpose} · ${packetRate(trial.passedPps)} passed`,
    }] : left !== null ? [{
      key: "left",
      name: "Time left",
      value: age(left),
      more: generator.plannedPackets > 0
        ? `${count(page.state.totals.sent)} of ${counted(generator.plannedPackets, "packet")}`
        : "of what was asked for",
    }] : []),
  ];
}

const PURPOSES = {
  learning: "the device learns",
  maximum: "what the sender reaches",
  search: "search",
  latency: "latency",
};

/** In ms, by whole seconds; null where there is no end. */
function remaining({ state }, { remainingNs, plannedPackets }, rate) {
  const byTime = remainingNs ?? Infinity;
  const left = Math.max(0, (plannedPackets ?? Infinity) - state.totals.sent);
  const byPackets = left === 0 ? 0 : rate > 0 ? (1e9 * left) / rate : Infinity;
  const ns = Math.min(byTime, byPackets);
  return Number.isFinite(ns) ? 1e3 * Math.ceil(ns / 1e9) : null;
}
