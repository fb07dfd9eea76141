package io.linerate.testkit.graph;

import io.linerate.core.memory.Packet;
import io.linerate.wire.IpProtocol;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a frame is made of, in its order, and how it is written.
 *
 * @param payloadNumber what the last header says of the payload; -1: whatever suits
 * @param paddingBytes behind the payload, which no header counts
 * @param edits of the finished frame
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record FrameLayout(
    List<FrameHeader> headers,
    int payloadNumber,
    byte[] payload,
    int paddingBytes,
    List<Consumer<Packet>> edits) {
  static final FrameLayout EMPTY = new FrameLayout(List.of(), -1, new byte[0], 0, List.of());

  /** IEEE Std 802: local experimental ethertype 1. */
  private static final int EXPERIMENTAL_TYPE = 0x88B5;

  /** RFC 3692, for experimentation and testing. */
  private static final int EXPERIMENTAL_PROTOCOL = 253;

  /** The place of the first header of that number, -1 without one. */
  int find(int number) {
    return headers.stream().map(FrameHeader::number).toList().indexOf(number);
  }

  FrameLayout insert(int index, FrameHeader header) {
    List<FrameHeader> more = new ArrayList<>(headers);
    more.add(index, header);
    return headers(more);
  }

  FrameLayout replace(int index, FrameHeader header) {
    List<FrameHeader> changed = new ArrayList<>(headers);
    changed.set(index, header);
    return headers(changed);
  }

  private FrameLayout headers(List<FrameHeader> changed) {
    return new FrameLayout(changed, payloadNumber, payload, paddingBytes, edits);
  }

  FrameLayout payloadNumber(int number) {
    return new FrameLayout(headers, number, payload, paddingBytes, edits);
  }

  FrameLayout payload(byte[] bytes) {
    return new FrameLayout(headers, payloadNumber, bytes, paddingBytes, edits);
  }

  FrameLayout paddingBytes(int count) {
    return new FrameLayout(headers, payloadNumber, payload, count, edits);
  }

  FrameLayout edit(Consumer<Packet> edit) {
    List<Consumer<Packet>> more = new ArrayList<>(edits);
    more.add(edit);
    return new FrameLayout(headers, payloadNumber, payload, paddingBytes, more);
  }

  int length() {
    return headers.stream().mapToInt(FrameHeader::length).sum() + payload.length + paddingBytes;
  }

  /** Writes the frame into a packet of its length: checksums last, the inner ones first. */
  void write(Packet packet) {
    List<FrameHeader.Place> places = places(packet);
    for (int i = 0; i < headers.size(); i++) {
      headers.get(i).write(places.get(i));
    }
    packet.set(packet.length() - paddingBytes - payload.length, payload, 0, payload.length);
    for (int i = headers.size() - 1; i >= 0; i--) {
      headers.get(i).checksum().accept(places.get(i));
    }
    edits.forEach(edit -> edit.accept(packet));
  }

  private List<FrameHeader.Place> places(Packet packet) {
    List<FrameHeader.Place> places = new ArrayList<>();
    int at = 0;
    int ipAt = -1;
    for (int i = 0; i < headers.size(); i++) {
      FrameHeader header = headers.get(i);
      ipAt = header.isIp() ? at : ipAt;
      int next = i + 1 < headers.size() ? headers.get(i + 1).number() : last(ipAt >= 0);
      int count = packet.length() - paddingBytes - at;
      places.add(new FrameHeader.Place(packet, at, header.length(), next, count, ipAt));
      at += header.length();
    }
    return places;
  }

  private int last(boolean isIp) {
    if (payloadNumber >= 0) {
      return payloadNumber;
    }
    if (!isIp) {
      return EXPERIMENTAL_TYPE;
    }
    return payload.length == 0 ? IpProtocol.IPV6_NONXT : EXPERIMENTAL_PROTOCOL;
  }
}
