import { bytes, count, counted, packetRate, percent, si } from "../model/format.js";
import { Chart } from "./chart.js";
import { moveDialog } from "./dialogs.js";
import { attribute, bar, h, keyed, part, setBar, text } from "./dom.js";
import { facts } from "./ports.js";
import { roving } from "./roving.js";
import { sureButton } from "./sure.js";

/** A card for each worker: load, bursts, queues; and adding, retiring, and moving a queue. */
export function workers(page) {
  const cards = document.getElementById("worker-cards");
  const charts = new WeakMap();
  const askMove = moveDialog();
  document.getElementById("add-worker").addEventListener("click", () =>
    page.act("A worker was added.", () => page.api.change("POST", "api/workers", {})));

  const make = (worker) => {
    const plot = h("div");
    const card = h("article", { class: "card", "data-worker": worker.id },
      h("header", {},
        h("div", {}, h("h3", {}, `Worker ${worker.id}`), h("p", { class: "quiet", "data-part": "cpu" })),
        sureButton("Retire", () =>
          page.act(`Worker ${worker.id} was retired.`, () => page.api.change("DELETE", `api/workers/${worker.id}`)))),
      plot,
      h("dl", { class: "facts", "data-part": "facts" }),
      h("h4", {}, "Bursts by packets"),
      h("ul", { class: "columns", "data-part": "bursts" }),
      h("h4", {}, "Queues"),
      h("ul", { class: "queues", "data-part": "queues" }));
    charts.set(card, new Chart(plot, page, `Load of worker ${worker.id}`, [{
      name: "Load",
      kind: "load",
      values: (t, first) => t.share(`worker.${worker.id}.busyNs`, `worker.${worker.id}.idleNs`, first),
    }], percent, { height: 96, most: 1 }));
    return card;
  };

  const update = (card, worker) => {
    const rate = (name) => page.timeline.rate(`worker.${worker.id}.${name}`);
    charts.get(card).update();
    text(part(card, "cpu"), worker.cpu >= 0 && worker.cpu != null ? `CPU ${worker.cpu}` : "any CPU");
    facts(part(card, "facts"), [
      ["Received", packetRate(rate("received"))],
      ["Sent", packetRate(rate("sent"))],
      ["Empty polls", si(rate("emptyPolls"), "/s")],
      ["In flight", count(worker.inFlight)],
    ]);
    bursts(part(card, "bursts"), worker.burstSizes ?? []);
    queues(part(card, "queues"), worker);
  };

  const queues = (list, worker) =>
    keyed(
      list,
      (page.state.queues ?? []).filter((queue) => queue.worker === worker.id),
      (queue) => `${queue.port}.${queue.queue}`,
      (queue) =>
        h("li", {}, h("span", {}, `${queue.port}, queue ${queue.queue}`),
          h("button", {
            type: "button", class: "changes",
            "aria-label": `Move queue ${queue.queue} of ${queue.port} to another worker`,
            onclick: () => move(queue),
          }, "Move…")),
      (node) => (node.lastChild.hidden = page.state.workers.length < 2),
    );

  const move = async ({ port, queue }) => {
    const { worker } = page.state.queues.find((one) => one.port === port && one.queue === queue);
    const others = page.state.workers.filter(({ id }) => id !== worker);
    const chosen = await askMove(`Queue ${queue} of ${port}, now at worker ${worker}`, others.map(({ id }) => id));
    if (chosen !== null) {
      page.act(`Queue ${queue} of ${port} was moved to worker ${chosen}.`, () =>
        page.api.change("POST", "api/queues/move", { port, queue, worker: chosen }));
    }
  };

  const keepStop = roving(cards, "button");
  return () => {
    keyed(cards, page.state.workers ?? [], (worker) => worker.id, make, update);
    keepStop();
  };
}

/** Columns for bursts of 1, 2 to 3, 4 to 7, … packets. */
function bursts(list, sizes) {
  const last = sizes.findLastIndex((n) => n > 0);
  const shown = sizes.slice(0, Math.max(last + 1, 6));
  const all = shown.reduce((sum, n) => sum + n, 0);
  const most = Math.max(1, ...shown);
  keyed(
    list,
    shown,
    (_, i) => i,
    (_, i) => h("li", {}, h("span", { class: "column" }, h("span")), h("span", { class: "quiet" }, String(2 ** i))),
    (node, n, i) => {
      node.firstChild.firstChild.style.height = `${(100 * n) / most}%`;
      const to = 2 ** (i + 1) - 1;
      node.title = `${i === 0 ? "1 packet" : `${2 ** i} to ${to} packets`}: ${counted(n, "burst")}, ${percent(all ? n / all : null)}`;
      node.setAttribute("aria-label", node.title);
    },
  );
}

/** Buffers that are free. */
export function pools(page) {
  const list = h("ul", { class: "bars" });
  const host = document.getElementById("pools");
  host.append(list);
  return () => {
    host.closest(".card").hidden = (page.state.pools ?? []).length === 0;
    keyed(
      list,
      page.state.pools ?? [],
      (pool) => pool.name,
      (pool) =>
        h("li", {}, h("span", { class: "cut" }, pool.name), h("span", { class: "number", "data-part": "part" }),
          bar("calm"), h("span", { class: "number quiet", "data-part": "free" })),
      (node, pool) => {
        const free = pool.capacity > 0 ? pool.available / pool.capacity : 0;
        text(part(node, "part"), `${percent(free)} free`);
        text(part(node, "free"), `${count(pool.available)} of ${count(pool.capacity)}`);
        setBar(node.querySelector(".bar"), free);
        node.classList.toggle("hurts", free < 0.05);
      },
    );
  };
}

/** The virtual machine, and who asks this page's interface. */
export function machine(page) {
  const heap = bar("calm");
  const jvm = h("dl", { class: "facts one" });
  const http = h("dl", { class: "facts one" });
  const links = [["api/openapi.json", "API"], ["metrics", "Metrics"], ["api/state", "State"]].map(([path, name]) =>
    ({ path, node: h("a", { onclick: (event) => page.follow(event) }, name) }));
  document.getElementById("jvm").append(heap, jvm);
  document.getElementById("http").append(http, h("p", { class: "quiet links" },
    ...links.flatMap(({ node }, i) => (i > 0 ? [" · ", node] : [node]))));
  return () => {
    jvm.closest(".card").hidden = !page.state.jvm;
    const { jvm: now = {}, http: asked = {}, program } = page.state;
    const rate = (name) => page.timeline.rate(name);
    links.forEach(({ path, node }) => attribute(node, "href", page.path(path)));
    setBar(heap, now.heapMaxBytes > 0 ? now.heapUsedBytes / now.heapMaxBytes : 0);
    facts(jvm, [
      ["Heap", `${bytes(now.heapUsedBytes)} of ${bytes(now.heapMaxBytes)}`],
      ["Collections", `${count(now.gcCount)}, ${count(now.gcPauseMs)} ms in all`],
      ["Safepoints", count(now.safepoints)],
      ["Workers allocated", `${bytes(now.workerAllocatedBytes)}, ${bytes(rate("jvm.workerAllocatedBytes"))}/s`],
      ["Deoptimisations", now.deoptimisations == null ? "counted while JFR records" : count(now.deoptimisations)],
    ]);
    facts(http, [
      ["Requests", count(asked.requests)],
      ["Refused", count(asked.refused)],
      ["Command", program?.command ?? "–"],
    ]);
  };
}
