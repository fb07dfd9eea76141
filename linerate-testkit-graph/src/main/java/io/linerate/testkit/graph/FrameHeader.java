package io.linerate.testkit.graph;

import io.linerate.core.memory.Packet;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.util.function.Consumer;

/**
 * A header of a frame that is built.
 *
 * @param number by which the one before announces it: an ether type or an IP protocol
 * @param bytes without options
 * @param fields writes it
 * @param checksum writes its checksum, when everything behind it is there
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record FrameHeader(
    int number, int bytes, byte[] options, Consumer<Place> fields, Consumer<Place> checksum) {
  /**
   * Where a header is in its packet.
   *
   * @param headerBytes with options
   * @param next the number of what follows
   * @param count bytes from here to the end of the IP packet
   * @param ipAt offset of the IP header, -1 without one
   */
  record Place(Packet packet, int at, int headerBytes, int next, int count, int ipAt) {}

  boolean isIp() {
    return number == EtherType.IPV4 || number == EtherType.IPV6;
  }

  /** Whether an IP header has to be before it. */
  boolean isBehindIp() {
    return number >= 0 && number <= IpProtocol.MAX;
  }

  /** With options. */
  int length() {
    return bytes + options.length;
  }

  void write(Place place) {
    place.packet.set(place.at + bytes, options, 0, options.length);
    fields.accept(place);
  }

  /** The same with other options. */
  FrameHeader options(byte[] changed) {
    return new FrameHeader(number, bytes, changed, fields, checksum);
  }

  /** The same, changed when it is written. */
  FrameHeader then(Consumer<Place> change) {
    return new FrameHeader(number, bytes, options, fields.andThen(change), checksum);
  }
}
