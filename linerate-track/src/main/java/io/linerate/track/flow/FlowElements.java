package io.linerate.track.flow;

import io.linerate.track.flow.FlowElement.Kind;
import io.linerate.wire.IpProtocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** The information elements that flows have, in the order in which they are written. */
public final class FlowElements {
  private static final long NS_PER_MS = 1_000_000;

  /** Of flows of IPv4 with one direction. */
  static final List<FlowElement> IPV4 = all(true, false);

  static final List<FlowElement> IPV4_BIFLOW = all(true, true);

  static final List<FlowElement> IPV6 = all(false, false);

  static final List<FlowElement> IPV6_BIFLOW = all(false, true);

  private FlowElements() {}

  /** Value of a direction. */
  @FunctionalInterface
  private interface OfDirection {
    long value(FlowRecord flow, int direction);
  }

  /**
   * Those of flows.
   *
   * @param isIpv4 of IPv4, or of IPv6
   * @param isBiflow with those of the reverse direction
   */
  public static List<FlowElement> of(boolean isIpv4, boolean isBiflow) {
    if (isIpv4) {
      return isBiflow ? IPV4_BIFLOW : IPV4;
    }
    return isBiflow ? IPV6_BIFLOW : IPV6;
  }

  /**
   * Those of messages: times in milliseconds as well, since many collectors know no others. They
   * are of the forward direction, or of the reverse one if it has no packets.
   */
  static List<FlowElement> ofMessages(boolean isIpv4, boolean isBiflow) {
    List<FlowElement> all = new ArrayList<>(of(isIpv4, isBiflow));
    all.add(ms(152, "flowStartMilliseconds", FlowRecord::firstNs));
    all.add(ms(153, "flowEndMilliseconds", FlowRecord::lastNs));
    return List.copyOf(all);
  }

  private static FlowElement ms(int number, String name, OfDirection timeNs) {
    return FlowElement.of(
        number,
        name,
        Kind.TIME_MS,
        flow -> Math.floorDiv(timeNs.value(flow, flow.packets(0) > 0 ? 0 : 1), NS_PER_MS));
  }

  private static List<FlowElement> all(boolean isIpv4, boolean isBiflow) {
    List<FlowElement> all = new ArrayList<>(addresses(isIpv4));
    Predicate<FlowRecord> hasPorts = FlowElements::hasPorts;
    all.add(number(7, "sourceTransportPort", FlowRecord::sourcePort).where(hasPorts));
    all.add(number(11, "destinationTransportPort", FlowRecord::destinationPort).where(hasPorts));
    all.add(FlowElement.of(4, "protocolIdentifier", Kind.UNSIGNED_8, FlowRecord::protocol));
    all.add(FlowElement.of(136, "flowEndReason", Kind.UNSIGNED_8, flow -> flow.end().number()));
    all.add(
        FlowElement.of(
            239, "biflowDirection", Kind.UNSIGNED_8, flow -> flow.isSourceInitiator() ? 1 : 0));
    all.add(number(58, "vlanId", flow -> Math.max(0, flow.vlan())).where(f -> f.vlan() >= 0));
    all.addAll(ofDirection(isIpv4, 0));
    if (isBiflow) {
      all.addAll(ofDirection(isIpv4, 1));
    }
    return List.copyOf(all);
  }

  private static List<FlowElement> addresses(boolean isIpv4) {
    return isIpv4
        ? List.of(
            FlowElement.of(8, "sourceIPv4Address", Kind.IPV4_ADDRESS, FlowRecord::sourceLow),
            FlowElement.of(
                12, "destinationIPv4Address", Kind.IPV4_ADDRESS, FlowRecord::destinationLow))
        : List.of(
            FlowElement.of(27, "sourceIPv6Address", FlowRecord::sourceHigh, FlowRecord::sourceLow),
            FlowElement.of(
                28,
                "destinationIPv6Address",
                FlowRecord::destinationHigh,
                FlowRecord::destinationLow));
  }

  private static FlowElement number(int number, String name, ToLongFunction<FlowRecord> value) {
    return FlowElement.of(number, name, Kind.UNSIGNED_16, value);
  }

  private static boolean hasPorts(FlowRecord flow) {
    return (flow.sourcePort() | flow.destinationPort()) != 0;
  }

  private static List<FlowElement> ofDirection(boolean isIpv4, int direction) {
    Predicate<FlowRecord> isTcp = flow -> flow.protocol() == IpProtocol.TCP;
    return List.of(
        of(direction, 156, "flowStartNanoseconds", Kind.TIME_NS, FlowRecord::firstNs),
        of(direction, 157, "flowEndNanoseconds", Kind.TIME_NS, FlowRecord::lastNs),
        of(direction, 2, "packetDeltaCount", Kind.UNSIGNED_64, FlowRecord::packets),
        of(direction, 1, "octetDeltaCount", Kind.UNSIGNED_64, FlowRecord::octets),
        of(direction, 352, "layer2OctetDeltaCount", Kind.UNSIGNED_64, FlowRecord::frameOctets),
        of(direction, 6, "tcpControlBits", Kind.UNSIGNED_16, FlowRecord::tcpFlags).where(isTcp),
        of(direction, 5, "ipClassOfService", Kind.UNSIGNED_8, FlowRecord::classOfService),
        of(direction, 52, "minimumTTL", Kind.UNSIGNED_8, FlowRecord::minTtl),
        of(direction, 53, "maximumTTL", Kind.UNSIGNED_8, FlowRecord::maxTtl),
        of(
                direction,
                isIpv4 ? 32 : 139,
                isIpv4 ? "icmpTypeCodeIPv4" : "icmpTypeCodeIPv6",
                Kind.UNSIGNED_16,
                FlowRecord::icmpTypeCode)
            .where(FlowRecord::isIcmp));
  }

  private static FlowElement of(
      int direction, int number, String name, Kind kind, OfDirection value) {
    ToLongFunction<FlowRecord> get = flow -> value.value(flow, direction);
    Predicate<FlowRecord> isThere = flow -> flow.packets(direction) > 0;
    return new FlowElement(
            direction == 0 ? name : reverse(name),
            number,
            direction == 1,
            kind,
            get,
            flow -> 0,
            flow -> true)
        .where(kind == Kind.UNSIGNED_64 ? flow -> true : isThere);
  }

  private static String reverse(String name) {
    return "reverse" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }
}
