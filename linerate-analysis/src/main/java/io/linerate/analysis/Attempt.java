package io.linerate.analysis;

import io.linerate.stream.WindowResult;
import io.linerate.wire.IpProtocol;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection that somebody has begun in a window, or queries of ICMP.
 *
 * @param port of the destination, 0 of ICMP
 * @param syns of TCP
 * @param isCompleted whether the source has answered to what came back
 */
record Attempt(
    HostAddress source,
    HostAddress destination,
    int protocol,
    int port,
    long syns,
    boolean isCompleted) {
  /** Those of a source together, with those to a host, and to a port of it. */
  static int compareBySource(Attempt one, Attempt other) {
    int order = one.source.compareTo(other.source);
    order = order != 0 ? order : one.destination.compareTo(other.destination);
    order = order != 0 ? order : Integer.compare(one.protocol, other.protocol);
    return order != 0 ? order : Integer.compare(one.port, other.port);
  }

  /** Those to a port of a host together, with those of a source. */
  static int compareByPort(Attempt one, Attempt other) {
    int order = one.destination.compareTo(other.destination);
    order = order != 0 ? order : Integer.compare(one.port, other.port);
    return order != 0 ? order : one.source.compareTo(other.source);
  }

  /** Those of a window. */
  static List<Attempt> of(List<WindowResult<Object, Tally>> window) {
    List<Attempt> attempts = new ArrayList<>();
    for (WindowResult<Object, Tally> one : window) {
      if (one.key() instanceof FlowId flow) {
        addOf(flow, one.value(), attempts);
      }
    }
    return attempts;
  }

  /** Either end may begin: a port may be used again from the other one. */
  private static void addOf(FlowId flow, Tally tally, List<Attempt> attempts) {
    for (int end = 0; end <= 1; end++) {
      boolean isBegun =
          flow.protocol() == IpProtocol.TCP
              ? tally.syns(end) > 0
              : tally.beginnings(end) > 0 && (isUdp(flow) || isIcmp(flow));
      if (isBegun) {
        attempts.add(
            new Attempt(
                flow.address(end),
                flow.address(1 - end),
                flow.protocol(),
                flow.port(1 - end),
                tally.syns(end),
                tally.isCompleted(end)));
      }
    }
  }

  /** Not fragments, which have no ports. */
  static boolean isUdp(FlowId flow) {
    return flow.protocol() == IpProtocol.UDP && (flow.port(0) | flow.port(1)) != 0;
  }

  private static boolean isIcmp(FlowId flow) {
    return flow.protocol() == IpProtocol.ICMP || flow.protocol() == IpProtocol.ICMPV6;
  }

  boolean isIcmp() {
    return protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6;
  }

  /** Whether it is to the same port as another one to the same host. */
  boolean isSamePort(Attempt other) {
    return protocol == other.protocol && port == other.port;
  }
}
