package io.linerate.analysis;

/**
 * What a flow had in a window, both directions together. The source is who has begun it, as far as
 * the flow table knew when its first packet of the window came.
 *
 * @param protocol see {@link io.linerate.wire.IpProtocol}
 * @param sourcePort 0 where the protocol has none, and for fragments
 * @param packets of the source
 * @param bytes of IP of the source, headers included, as packets claim
 */
public record FlowTraffic(
    int protocol,
    HostAddress source,
    int sourcePort,
    HostAddress destination,
    int destinationPort,
    long packets,
    long bytes,
    long packetsBack,
    long bytesBack) {
  static FlowTraffic of(FlowId flow, Tally tally) {
    int source = tally.sourceEnd();
    int destination = 1 - source;
    return new FlowTraffic(
        flow.protocol(),
        flow.address(source),
        flow.port(source),
        flow.address(destination),
        flow.port(destination),
        tally.packets(source),
        tally.bytes(source),
        tally.packets(destination),
        tally.bytes(destination));
  }
}
