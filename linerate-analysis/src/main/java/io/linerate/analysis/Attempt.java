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
    int syns,
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
        Tally tally = one.value();
        if (flow.protocol() == IpProtocol.TCP) {
          addTcp(flow, tally, attempts);
        } else if (tally.beginnings() > 0 && (isUdp(flow) || isIcmp(flow))) {
          attempts.add(
              new Attempt(
                  flow.source(),
                  flow.destination(),
                  flow.protocol(),
                  flow.destinationPort(),
                  0,
                  false));
        }
      }
    }
    return attempts;
  }

  /** A port may be used again from the other end. */
  private static void addTcp(FlowId flow, Tally tally, List<Attempt> attempts) {
    if (tally.syns(0) > 0) {
      attempts.add(
          new Attempt(
              flow.source(),
              flow.destination(),
              IpProtocol.TCP,
              flow.destinationPort(),
              tally.syns(0),
              tally.isCompleted(0)));
    }
    if (tally.syns(1) > 0) {
      attempts.add(
          new Attempt(
              flow.destination(),
              flow.source(),
              IpProtocol.TCP,
              flow.sourcePort(),
              tally.syns(1),
              tally.isCompleted(1)));
    }
  }

  /** Not fragments, which have no ports. */
  static boolean isUdp(FlowId flow) {
    return flow.protocol() == IpProtocol.UDP && (flow.sourcePort() | flow.destinationPort()) != 0;
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
