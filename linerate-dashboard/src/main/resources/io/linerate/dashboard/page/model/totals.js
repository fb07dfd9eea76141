/**
 * The monotonic totals of a state by key, such as "port.in.rxPackets": what the timeline keeps.
 * Whatever the page shows as a rate is the difference of two of them.
 */
export function totals(state) {
  const all = new Map();
  const put = (prefix, names, values) =>
    names.forEach((name) => values[name] != null && all.set(`${prefix}.${name}`, values[name]));
  const drops = (prefix, dropped) =>
    Object.entries(dropped ?? {}).forEach(([reason, packets]) => all.set(`${prefix}.${reason}`, packets));

  put("totals", ["received", "sent", "lost"], state.totals ?? {});
  all.set("totals.dropped", badDrops(state.totals?.dropped));
  drops("drop", state.totals?.dropped);
  for (const port of state.ports ?? []) {
    put(`port.${port.name}`, PORT, port);
    all.set(`port.${port.name}.lost`, lost(port));
  }
  for (const worker of state.workers ?? []) {
    put(`worker.${worker.id}`, ["busyNs", "idleNs", "emptyPolls", "received", "sent"], worker);
  }
  for (const element of state.elements ?? []) {
    const prefix = `element.${element.name}`;
    put(prefix, ["packetsIn", "bytesIn", "packetsOut", "bytesOut", "made", "tokensIn", "tokensOut"], element);
    all.set(`${prefix}.dropped`, badDrops(element.dropped));
    drops(`${prefix}.drop`, element.dropped);
    for (const name of element.timed?.length > 0 ? ["ns", "packets", "bursts"] : []) {
      all.set(`${prefix}.timed.${name}`, element.timed.reduce((sum, one) => sum + one[name], 0));
    }
  }
  for (const edge of state.edges ?? []) {
    put(`edge.${edgeId(edge)}`, ["packets", "bytes", "tokens"], edge);
  }
  put("generator", ["cameBack"], state.generator ?? {});
  put("jvm", JVM, state.jvm ?? {});
  return all;
}

const PORT = ["rxPackets", "rxBytes", "txPackets", "txBytes", "missed", "errors", "noBuffers"];
const JVM = ["gcCount", "gcPauseMs", "safepoints", "workerAllocatedBytes", "deoptimisations"];

/** What a device lost of what came; packets for which no buffer was free are among the missed ones. */
export const lost = (port) => (port?.missed ?? 0) + (port?.errors ?? 0);

/** Reasons that are good ends: the packet had done what it was there for, or lives on in another. */
const GOOD_ENDS = new Set(["consumed", "joined", "copied", "reported", "filtered"]);

export const isGoodEnd = (reason) => GOOD_ENDS.has(reason);

/** Packets that were dropped for a reason that hurts. */
export function badDrops(dropped) {
  return Object.entries(dropped ?? {})
    .filter(([reason]) => !isGoodEnd(reason))
    .reduce((sum, [, packets]) => sum + packets, 0);
}

export const edgeId = (edge) => `${edge.from}[${edge.output}]-[${edge.input}]${edge.to}`;

/** One number that may not be there, and others. */
export const sum = (...numbers) => {
  const known = numbers.filter((number) => number != null);
  return known.length > 0 ? known.reduce((a, b) => a + b) : null;
};
