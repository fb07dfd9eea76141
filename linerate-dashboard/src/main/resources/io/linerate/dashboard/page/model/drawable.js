import { edgeId } from "./totals.js";

/**
 * What is to be drawn of a state: its graph or, for a program without one, its ports and workers.
 * `rate` and `drops` are keys of the timeline.
 *
 * nodes: [{id, name, kind: element | port | worker, type, rate, drops}], edges: [{id, from, to, label, rate}]
 */
export function drawable(state) {
  return (state.elements ?? []).length > 0 ? graph(state) : wiring(state);
}

function graph({ elements, edges = [] }) {
  const outputs = (name) => new Set(edges.filter(({ from }) => from === name).map(({ output }) => output)).size;
  return {
    nodes: elements.map(({ name, type }) => ({
      id: name,
      name,
      kind: "element",
      type,
      rate: `element.${name}.packetsIn`,
      made: `element.${name}.packetsOut`,
      drops: `element.${name}.dropped`,
    })),
    edges: edges.map((edge) => ({
      id: edgeId(edge),
      from: edge.from,
      to: edge.to,
      label: outputs(edge.from) > 1 ? edge.output : "",
      rate: `edge.${edgeId(edge)}.packets`,
      isEdge: true,
    })),
  };
}

/** A port is on the left where it receives, and on the right where it sends. */
function wiring({ ports = [], workers = [], queues = [] }) {
  const receiving = ports.filter(({ name, rxPackets }) => rxPackets > 0 || queues.some(({ port }) => port === name));
  const sending = ports.filter(({ txPackets }) => txPackets > 0);
  const end = (port, side, what) => ({
    id: `${side} ${port.name}`,
    name: port.name,
    kind: "port",
    type: what,
    rate: `port.${port.name}.${side}Packets`,
    drops: side === "rx" ? `port.${port.name}.lost` : null,
  });
  return {
    nodes: [
      ...receiving.map((port) => end(port, "rx", "receives")),
      ...workers.map(({ id }) => ({
        id: `worker ${id}`, name: `Worker ${id}`, kind: "worker", type: "moves packets", worker: id,
        rate: `worker.${id}.received`, made: `worker.${id}.sent`, drops: null,
      })),
      ...sending.map((port) => end(port, "tx", "sends")),
    ],
    edges: [
      ...receiving.flatMap((port) => {
        const own = queues.filter((queue) => queue.port === port.name);
        const fed = [...new Set(own.map(({ worker }) => worker))];
        return fed.map((worker) =>
          link(`rx ${port.name}`, `worker ${worker}`, fed.length === 1 ? `port.${port.name}.rxPackets` : null));
      }),
      ...workers.flatMap(({ id }) =>
        sending.map((port) =>
          link(`worker ${id}`, `tx ${port.name}`, workers.length === 1 ? `port.${port.name}.txPackets` : null))),
    ],
  };
}

const link = (from, to, rate) => ({ id: `${from} to ${to}`, from, to, label: "", rate, isEdge: false });
