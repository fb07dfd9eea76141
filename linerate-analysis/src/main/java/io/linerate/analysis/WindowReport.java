package io.linerate.analysis;

import java.util.List;

/**
 * What traffic was in a window. Lists begin with the largest; of those that are equal the one comes
 * first whose addresses, the lesser one before the other, protocol and ports, or whose name, are
 * less.
 *
 * @param startNs when the window began, in ns since 1970
 * @param endNs when the next one began
 * @param packets of IP, whose addresses and protocol can be read
 * @param bytes of IP, headers included, as packets claim
 * @param flows that these packets are of
 * @param tcpConnections that were begun by a SYN without ACK, each once
 * @param udpConnections flows of UDP that have begun, as the flow table knows
 * @param questions for names, by DNS over UDP
 * @param evictedFlows that a full flow table forgot, so that what goes on of them is new to it: who
 *     has begun is unknown then, and connections of UDP and queries of ICMP count again
 * @param dropped packets and questions that are in no other number but {@code evictedFlows}: there
 *     was no room for their flows and names
 * @param flowsByBytes those with the most bytes, both directions together
 * @param flowsByPackets those with the most packets
 * @param hostsByBytes those that have sent and received the most bytes
 * @param hostsByPackets those that have sent and received the most packets
 * @param names those that were asked for most
 * @param portScans all from the threshold on, as {@code hostScans} and {@code synFloods}
 */
public record WindowReport(
    long startNs,
    long endNs,
    long packets,
    long bytes,
    long flows,
    long tcpConnections,
    long udpConnections,
    long questions,
    long evictedFlows,
    long dropped,
    List<FlowTraffic> flowsByBytes,
    List<FlowTraffic> flowsByPackets,
    List<HostTraffic> hostsByBytes,
    List<HostTraffic> hostsByPackets,
    List<NameCount> names,
    List<PortScan> portScans,
    List<HostScan> hostScans,
    List<SynFlood> synFloods) {
  private static final double NS_PER_S = 1e9;

  /** Connections of TCP and UDP that were begun in each second, on average. */
  public double connectionsPerSecond() {
    return (tcpConnections + udpConnections) * NS_PER_S / (endNs - startNs);
  }
}
