/**
 * The monotonic totals of a state by key, such as "port.in.rxPackets": what the timeline keeps.
 * Whatever the page shows as a rate is the difference of two of them.
 */
export function totals(state) {
  const all = new Map();
  const put = (prefix, names, values) =>
    names.forEach((name) => values[name] != null && all.set(`${prefix}.${name}`, values[name]));

  put("totals", ["received", "sent"], state.totals ?? {});
  all.set("totals.dropped", badDrops(state.totals?.dropped));
  for (const [reason, packets] of Object.entries(state.totals?.dropped ?? {})) {
    all.set(`drop.${reason}`, packets);
  }
  for (const port of state.ports ?? []) {
    put(`port.${port.name}`, PORT, port);
    all.set(`port.${port.name}.lost`, lost(port));
  }
  for (const worker of state.workers ?? []) {
    put(`worker.${worker.id}`, ["busyNs", "idleNs", "emptyPolls", "received", "sent"], worker);
  }
  for (const element of state.elements ?? []) {
    const prefix = `element.${element.name}`;
    put(prefix, ["packetsIn", "bytesIn", "packetsOut", "bytesOut", "made"], element);
    all.set(`${prefix}.dropped`, badDrops(element.dropped));
    for (const [reason, packets] of Object.entries(element.dropped ?? {})) {
      all.set(`${prefix}.drop.${reason}`, packets);
    }
  }
  for (const edge of state.edges ?? []) {
    put(`edge.${edgeId(edge)}`, ["packets", "bytes"], edge);
  }
  for (const rule of state.rules ?? []) {
    all.set(`rule.${ruleId(rule)}`, rule.hits);
  }
  put("http", ["requests", "refused"], state.http ?? {});
  put("jvm", JVM, state.jvm ?? {});
  return all;
}

const PORT = ["rxPackets", "rxBytes", "txPackets", "txBytes", "missed", "errors", "noBuffers"];
const JVM = ["gcCount", "gcPauseMs", "safepoints", "workerAllocatedBytes", "deoptimisations"];

/** What a device lost of what came; packets for which no buffer was free are among the missed ones. */
export const lost = (port) => (port?.missed ?? 0) + (port?.errors ?? 0);

/** Reasons that are good ends: the packet had done what it was there for, or lives on in another. */
const GOOD_ENDS = new Set(["consumed", "joined", "copied", "reported"]);

export const isGoodEnd = (reason) => GOOD_ENDS.has(reason);

/** Packets that were dropped for a reason that hurts. */
export function badDrops(dropped) {
  return Object.entries(dropped ?? {})
    .filter(([reason]) => !isGoodEnd(reason))
    .reduce((sum, [, packets]) => sum + packets, 0);
}

export const edgeId = (edge) => `${edge.from}[${edge.output}]-[${edge.input}]${edge.to}`;

export const ruleId = (rule) => `${rule.line}:${rule.rule}`;
