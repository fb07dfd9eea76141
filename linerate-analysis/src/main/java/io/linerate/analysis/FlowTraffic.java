package io.linerate.analysis;

/**
 * What a flow had in a window, both directions together. The source is who has begun it, as far as
 * the flow table knows.
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
    return new FlowTraffic(
        flow.protocol(),
        flow.source(),
        flow.sourcePort(),
        flow.destination(),
        flow.destinationPort(),
        tally.packets(0),
        tally.bytes(0),
        tally.packets(1),
        tally.bytes(1));
  }
}
