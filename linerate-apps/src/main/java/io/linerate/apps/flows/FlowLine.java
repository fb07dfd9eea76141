package io.linerate.apps.flows;

import io.linerate.track.flow.FlowRecord;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A flow as a line for people. */
final class FlowLine {
  private static final String FORM = "%-23s %9s  %-6s %-21s   %-21s %9s %12s %9s %12s  %s%n";
  private static final long NS_PER_S = 1_000_000_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private FlowLine() {}

  /** What stands above the lines. */
  static String header() {
    return FORM.formatted(
        "start (UTC)",
        "seconds",
        "proto",
        "source",
        "destination",
        "packets",
        "bytes",
        "back",
        "bytes back",
        "end");
  }

  static String of(FlowRecord flow) {
    return String.format(
        Locale.ROOT,
        FORM.replace("%-21s   %-21s", "%-21s > %-21s"),
        TIME.format(instant(flow.startNs())),
        String.format(Locale.ROOT, "%.3f", (flow.endNs() - flow.startNs()) / 1e9),
        IpProtocol.name(flow.protocol()).toLowerCase(Locale.ROOT),
        end(flow, flow.sourceHigh(), flow.sourceLow(), flow.sourcePort()),
        end(flow, flow.destinationHigh(), flow.destinationLow(), flow.destinationPort()),
        number(flow.packets(0)),
        number(flow.octets(0)),
        number(flow.packets(1)),
        number(flow.octets(1)),
        flow.end().word());
  }

  private static Instant instant(long ns) {
    return Instant.ofEpochSecond(Math.floorDiv(ns, NS_PER_S), Math.floorMod(ns, NS_PER_S));
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String end(FlowRecord flow, long high, long low, int port) {
    if (flow.ipVersion() == Ipv4.VERSION) {
      return Ipv4Address.format((int) low) + (port == 0 ? "" : ":" + port);
    }
    String address = Ipv6Address.format(high, low);
    return port == 0 ? address : "[" + address + "]:" + port;
  }
}
