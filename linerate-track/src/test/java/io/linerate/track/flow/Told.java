package io.linerate.track.flow;

import java.util.ArrayList;
import java.util.List;

/** Keeps what a meter tells. */
final class Told implements FlowSink {
  /** A flow, kept. */
  record Flow(
      FlowEnd end,
      long sourceLow,
      int sourcePort,
      int destinationPort,
      List<Long> packets,
      List<Long> octets,
      List<Long> frameOctets,
      List<Integer> tcpFlags,
      List<Integer> icmp,
      long startNs,
      long endNs,
      boolean isSourceInitiator,
      int vlan) {}

  private final List<Flow> flows = new ArrayList<>();
  private final List<String> json = new ArrayList<>();

  @Override
  public void onFlow(FlowRecord flow) {
    flows.add(
        new Flow(
            flow.end(),
            flow.sourceLow(),
            flow.sourcePort(),
            flow.destinationPort(),
            List.of(flow.packets(0), flow.packets(1)),
            List.of(flow.octets(0), flow.octets(1)),
            List.of(flow.frameOctets(0), flow.frameOctets(1)),
            List.of(flow.tcpFlags(0), flow.tcpFlags(1)),
            List.of(flow.icmpTypeCode(0), flow.icmpTypeCode(1)),
            flow.startNs(),
            flow.endNs(),
            flow.isSourceInitiator(),
            flow.vlan()));
    StringBuilder line = new StringBuilder();
    FlowJson.append(flow, line);
    json.add(line.toString());
  }

  List<Flow> flows() {
    return flows;
  }

  List<String> json() {
    return json;
  }

  Flow only() {
    if (flows.size() != 1) {
      throw new AssertionError("not one flow: " + flows);
    }
    return flows.get(0);
  }
}
