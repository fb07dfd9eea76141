import { badDrops, edgeId, lost } from "./totals.js";

/**
 * What is to be drawn of a state: its graph or, for a program without one, its ports and workers.
 * `rates`, `made`, `drops` and `losses` are keys of the timeline, whose rates are to be added.
 *
 * nodes: [{id, name, kind: element | port | worker, type, rates, made, drops, losses, dropped, lost, workers, store}],
 * edges: [{id, from, to, label, rates, isEdge}]
 */
export function drawable(state) {
  return (state.elements ?? []).length > 0 ? graph(state) : wiring(state);
}

/** The ports at which what a device loses is lost on its way to or from an element. */
export function lossesAt(element, state) {
  const received = new Set((state.elements ?? []).flatMap(({ receives = [] }) => receives));
  const own = new Set([
    ...(element.receives ?? []),
    ...(element.transmits ?? []).filter((port) => !received.has(port)), // Where nobody receives, all it loses is sent.
  ]);
  return (state.ports ?? []).filter(({ name }) => own.has(name));
}

function graph(state) {
  const { elements, edges = [] } = state;
  const outputs = Map.groupBy(edges, ({ from }) => from);
  const hasSeveral = (name) => new Set(outputs.get(name).map(({ output }) => output)).size > 1;
  return {
    nodes: elements.map((element) => {
      const { name, type, dropped, workers, held, capacity, peak } = element;
      const losing = lossesAt(element, state);
      return {
        id: name,
        name,
        kind: "element",
        type,
        rates: [`element.${name}.packetsIn`, `element.${name}.tokensIn`],
        made: [`element.${name}.packetsOut`, `element.${name}.tokensOut`],
        drops: [`element.${name}.dropped`],
        losses: losing.map((port) => `port.${port.name}.lost`),
        dropped: badDrops(dropped),
        lost: losing.reduce((sum, port) => sum + lost(port), 0),
        workers,
        store: capacity > 0 ? { held, capacity, peak } : null,
      };
    }),
    edges: edges.map((edge) => ({
      id: edgeId(edge),
      from: edge.from,
      to: edge.to,
      label: hasSeveral(edge.from) ? edge.output : "",
      rates: [`edge.${edgeId(edge)}.packets`, `edge.${edgeId(edge)}.tokens`],
      isOfTokens: edge.tokens > 0,
      isEdge: true,
    })),
  };
}

/** A port is on the left where it receives, and on the right where it sends. */
function wiring({ ports = [], workers = [], queues = [] }) {
  const receiving = ports.filter(({ name, rxPackets }) => rxPackets > 0 || queues.some(({ port }) => port === name));
  const sending = ports.filter(({ txPackets }) => txPackets > 0);
  const none = { drops: [], losses: [], made: [], dropped: 0, lost: 0, store: null };
  const end = (port, side, what) => {
    const isLosing = side === "rx" || !receiving.includes(port);
    return {
      ...none,
      id: `${side} ${port.name}`,
      name: port.name,
      kind: "port",
      type: what,
      rates: [`port.${port.name}.${side}Packets`],
      losses: isLosing ? [`port.${port.name}.lost`] : [],
      lost: isLosing ? lost(port) : 0,
    };
  };
  return {
    nodes: [
      ...receiving.map((port) => end(port, "rx", "receives")),
      ...workers.map(({ id }) => ({
        ...none, id: `worker ${id}`, name: `Worker ${id}`, kind: "worker", type: "moves packets", worker: id,
        rates: [`worker.${id}.received`], made: [`worker.${id}.sent`],
      })),
      ...sending.map((port) => end(port, "tx", "sends")),
    ],
    edges: [
      ...receiving.flatMap((port) => {
        const own = queues.filter((queue) => queue.port === port.name);
        const fed = [...new Set(own.map(({ worker }) => worker))];
        return fed.map((worker) =>
          link(`rx ${port.name}`, `worker ${worker}`, fed.length === 1 ? [`port.${port.name}.rxPackets`] : []));
      }),
      ...workers.flatMap(({ id }) =>
        sending.map((port) =>
          link(`worker ${id}`, `tx ${port.name}`, workers.length === 1 ? [`port.${port.name}.txPackets`] : []))),
    ],
  };
}

const link = (from, to, rates) => ({ id: `${from} to ${to}`, from, to, label: "", rates, isEdge: false });
