package io.linerate.middlebox.session;

import io.linerate.core.memory.Packet;
import io.linerate.track.ConnectionRecords;
import io.linerate.track.ConnectionTracker;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Rewrite;

/**
 * Gives packets of connections of IPv4, and errors about them, the addresses and ports that they
 * have on the other side: those of the other direction's flow, turned round. For the packet that a
 * tracker looked at last; each method says whether it could.
 */
public final class SessionRewrite {
  private final ConnectionTracker tracker;
  private final ConnectionRecords records;

  /**
   * @param records of the tracker's table
   */
  public SessionRewrite(ConnectionTracker tracker, ConnectionRecords records) {
    this.tracker = tracker;
    this.records = records;
  }

  /** What is the same for all packets of a connection: to be called when it was admitted. */
  public void prepare(int number) {
    int place = 2 * number;
    int reply = place + 1;
    int change =
        Rewrite.change(
            (records.sourceLow(place) << 32) | records.destinationLow(place),
            (records.sourcePort(place) << 16) | records.destinationPort(place),
            (records.destinationLow(reply) << 32) | records.sourceLow(reply),
            (records.destinationPort(reply) << 16) | records.sourcePort(reply));
    records.userWord(number, change);
  }

  /** What the checksums of a direction's packets grow by. */
  private int change(int place) {
    return records.userWord(place >>> 1) ^ -(place & 1);
  }

  /** The source of a packet of a connection that is {@link ConnectionTracker#followed}. */
  public void plainSource(Packet packet, int place) {
    int other = place ^ 1;
    int address = (int) records.destinationLow(other);
    Rewrite.source(packet, address, records.destinationPort(other), change(place));
  }

  /** As {@link #plainSource}, its destination. */
  public void plainDestination(Packet packet, int place) {
    int other = place ^ 1;
    int address = (int) records.sourceLow(other);
    Rewrite.destination(packet, address, records.sourcePort(other), change(place));
  }

  /** The source of a packet of a connection. */
  public boolean source(Packet packet) {
    int other = tracker.place() ^ 1;
    return source(
        packet,
        tracker.scanner(),
        (int) records.destinationLow(other),
        records.destinationPort(other));
  }

  /** Another source. */
  private static boolean source(Packet packet, HeaderScanner scanner, int address, int port) {
    return switch (scanner.ipProtocol()) {
      case IpProtocol.TCP, IpProtocol.UDP -> Rewrite.source(packet, scanner, address, port);
      case IpProtocol.ICMP ->
          Rewrite.sourceAddress(packet, scanner, address)
              && Rewrite.identifier(packet, scanner, port);
      default -> Rewrite.sourceAddress(packet, scanner, address);
    };
  }

  /** The destination of a packet of a connection. */
  public boolean destination(Packet packet) {
    int other = tracker.place() ^ 1;
    return destination(
        packet, tracker.scanner(), (int) records.sourceLow(other), records.sourcePort(other));
  }

  /** Another destination. */
  private static boolean destination(Packet packet, HeaderScanner scanner, int address, int port) {
    return switch (scanner.ipProtocol()) {
      case IpProtocol.TCP, IpProtocol.UDP -> Rewrite.destination(packet, scanner, address, port);
      case IpProtocol.ICMP ->
          Rewrite.destinationAddress(packet, scanner, address)
              && Rewrite.identifier(packet, scanner, port);
      default -> Rewrite.destinationAddress(packet, scanner, address);
    };
  }

  /** The source of an error, and the destination of what it quotes, which came the other way. */
  public boolean sourceOfError(Packet packet) {
    if (tracker.scanner().ipVersion() != Ipv4.VERSION) {
      return false;
    }
    int other = tracker.place() ^ 1;
    int address = (int) records.destinationLow(other);
    Rewrite.quotedDestination(
        packet, tracker.scanner(), tracker.quoted(), address, records.destinationPort(other));
    return Rewrite.sourceAddress(packet, tracker.scanner(), address);
  }

  /** The destination of an error, and the source of what it quotes. */
  public boolean destinationOfError(Packet packet) {
    if (tracker.scanner().ipVersion() != Ipv4.VERSION) {
      return false;
    }
    int other = tracker.place() ^ 1;
    int address = (int) records.sourceLow(other);
    Rewrite.quotedSource(
        packet, tracker.scanner(), tracker.quoted(), address, records.sourcePort(other));
    return Rewrite.destinationAddress(packet, tracker.scanner(), address);
  }
}
