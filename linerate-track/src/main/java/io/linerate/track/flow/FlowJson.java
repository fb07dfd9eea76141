package io.linerate.track.flow;

import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Flows as JSON objects: members are the information elements that apply, addresses as text, times
 * as RFC 3339 has them, with nanoseconds, and all else as numbers.
 */
public final class FlowJson {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private FlowJson() {}

  /** Appends a flow, in one line without its end. */
  public static void append(FlowRecord flow, StringBuilder json) {
    char separator = '{';
    for (FlowElement element : FlowElements.of(flow.ipVersion() == Ipv4.VERSION, flow.isBiflow())) {
      if (element.applies().test(flow)) {
        json.append(separator).append('"').append(element.name()).append("\":");
        appendValue(element, flow, json);
        separator = ',';
      }
    }
    json.append('}');
  }

  private static void appendValue(FlowElement element, FlowRecord flow, StringBuilder json) {
    switch (element.kind()) {
      case IPV4_ADDRESS, IPV6_ADDRESS ->
          json.append('"').append(address(element, flow)).append('"');
      case TIME_NS -> json.append('"').append(time(element.of(flow))).append('"');
      default -> json.append(element.of(flow));
    }
  }

  /** The text of an address of a flow. */
  public static String address(FlowElement element, FlowRecord flow) {
    long low = element.of(flow);
    return element.kind() == FlowElement.Kind.IPV4_ADDRESS
        ? Ipv4Address.format((int) low)
        : Ipv6Address.format(element.high().applyAsLong(flow), low);
  }

  private static String time(long ns) {
    return TIME.format(
        Instant.ofEpochSecond(
            Math.floorDiv(ns, 1_000_000_000L), Math.floorMod(ns, 1_000_000_000L)));
  }
}
