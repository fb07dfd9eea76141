package io.linerate.track;

import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.util.Locale;

/** Connections as text, one in a line. On the thread that the table belongs to. */
public final class ConnectionText {
  private ConnectionText() {}

  /**
   * Connections that are there, {@link #json} in a line each.
   *
   * @param most how many at most
   */
  public static String lines(ConnectionTable table, int most, long nowNs) {
    ConnectionRecords records = table.records();
    StringBuilder lines = new StringBuilder();
    int left = Math.min(most, table.size());
    for (int number = 0; left > 0; number++) {
      if (records.isLive(number)) {
        left--;
        lines.append(json(records, number, nowNs)).append('\n');
      }
    }
    return lines.toString();
  }

  /**
   * A connection as a JSON object: protocol, phase, the flow that has begun it, the flow of the
   * reply if that is not its other direction, numbers of both directions, and how many seconds it
   * is old and has left.
   *
   * @param number of a connection that {@link ConnectionRecords#isLive is there}
   * @throws IllegalArgumentException if there is none of this number
   */
  public static String json(ConnectionRecords records, int number, long nowNs) {
    records.requireLive(number);
    StringBuilder json = new StringBuilder(256);
    json.append("{\"protocol\":\"").append(IpProtocol.name(records.protocol(number)));
    json.append("\",\"phase\":\"").append(records.phase(number).name().toLowerCase(Locale.ROOT));
    json.append("\",\"flow\":");
    flow(json, records, 2 * number);
    if (isTranslated(records, number)) {
      json.append(",\"reply\":");
      flow(json, records, 2 * number + 1);
    }
    json.append(",\"replied\":").append(records.isReplied(number));
    json.append(",\"assured\":").append(records.isAssured(number));
    pair(json, "packets", records.packets(2 * number), records.packets(2 * number + 1));
    pair(json, "bytes", records.bytes(2 * number), records.bytes(2 * number + 1));
    seconds(json, "ageSeconds", nowNs - records.beganNs(number));
    seconds(json, "leftSeconds", Math.max(0, records.expiresNs(number) - nowNs));
    return json.append('}').toString();
  }

  private static boolean isTranslated(ConnectionRecords records, int number) {
    int own = 2 * number;
    int reply = own + 1;
    return records.ipVersion(own) != records.ipVersion(reply)
        || records.sourcePort(own) != records.destinationPort(reply)
        || records.destinationPort(own) != records.sourcePort(reply)
        || records.sourceLow(own) != records.destinationLow(reply)
        || records.destinationLow(own) != records.sourceLow(reply)
        || records.sourceHigh(own) != records.destinationHigh(reply)
        || records.destinationHigh(own) != records.sourceHigh(reply);
  }

  private static void flow(StringBuilder json, ConnectionRecords records, int place) {
    boolean isIpv4 = records.ipVersion(place) == Ipv4.VERSION;
    json.append("{\"source\":\"");
    address(json, isIpv4, records.sourceHigh(place), records.sourceLow(place));
    json.append("\",\"sourcePort\":").append(records.sourcePort(place));
    json.append(",\"destination\":\"");
    address(json, isIpv4, records.destinationHigh(place), records.destinationLow(place));
    json.append("\",\"destinationPort\":").append(records.destinationPort(place)).append('}');
  }

  private static void address(StringBuilder json, boolean isIpv4, long high, long low) {
    json.append(isIpv4 ? Ipv4Address.format((int) low) : Ipv6Address.format(high, low));
  }

  private static void pair(StringBuilder json, String name, long own, long reply) {
    json.append(",\"").append(name).append("\":[").append(own).append(',').append(reply);
    json.append(']');
  }

  private static void seconds(StringBuilder json, String name, long ns) {
    json.append(",\"").append(name).append("\":");
    json.append(String.format(Locale.ROOT, "%.3f", ns / 1e9));
  }
}
