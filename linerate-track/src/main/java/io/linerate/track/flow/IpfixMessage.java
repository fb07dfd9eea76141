package io.linerate.track.flow;

import io.linerate.track.flow.FlowElement.Kind;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A message of IPFIX that is being written: RFC 7011, section 3.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |         Version = 10          |            Length             |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                        Export Time, s                         |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                       Sequence Number                         |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                    Observation Domain ID                      |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |          Set ID               |          Length               |  and records: of each set
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 */
final class IpfixMessage {
  static final int HEADER_BYTES = 16;
  static final int SET_HEADER_BYTES = 4;
  static final int TEMPLATE_SET = 2;

  private static final int VERSION = 10;
  private static final int ENTERPRISE = 0x8000;
  private static final int LENGTH = 2;
  private static final int NO_SET = -1;

  /** Seconds from the era of NTP to the epoch: RFC 868. */
  private static final long NTP_EPOCH_S = 2_208_988_800L;

  private static final long NS_PER_S = 1_000_000_000;

  private final ByteBuffer bytes;
  private int set = NO_SET;
  private int setStart;

  IpfixMessage(int maxBytes) {
    bytes = ByteBuffer.allocateDirect(maxBytes);
    clear();
  }

  void clear() {
    bytes.clear().position(HEADER_BYTES);
    set = NO_SET;
  }

  boolean isEmpty() {
    return bytes.position() == HEADER_BYTES;
  }

  /** Whether a record of a set has room, and perhaps the set's header. */
  boolean hasRoom(int setId, int recordBytes) {
    return bytes.remaining() >= recordBytes + (setId == set ? 0 : SET_HEADER_BYTES);
  }

  private void begin(int setId) {
    if (setId != set) {
      endSet();
      set = setId;
      setStart = bytes.position();
      bytes.putShort((short) setId).putShort((short) 0);
    }
  }

  private void endSet() {
    if (set != NO_SET) {
      bytes.putShort(setStart + LENGTH, (short) (bytes.position() - setStart));
      set = NO_SET;
    }
  }

  static int templateBytes(List<FlowElement> elements) {
    int bytes = 4;
    for (FlowElement element : elements) {
      bytes += element.isReverse() ? 8 : 4;
    }
    return bytes;
  }

  static int recordBytes(List<FlowElement> elements) {
    return elements.stream().mapToInt(element -> element.kind().bytes()).sum();
  }

  /** Section 3.4.1. */
  void addTemplate(int id, List<FlowElement> elements) {
    begin(TEMPLATE_SET);
    bytes.putShort((short) id).putShort((short) elements.size());
    for (FlowElement element : elements) {
      bytes.putShort((short) (element.number() | (element.isReverse() ? ENTERPRISE : 0)));
      bytes.putShort((short) element.kind().bytes());
      if (element.isReverse()) {
        bytes.putInt(FlowElement.REVERSE_ENTERPRISE);
      }
    }
  }

  void addRecord(int templateId, List<FlowElement> elements, FlowRecord flow) {
    begin(templateId);
    for (int i = 0; i < elements.size(); i++) {
      FlowElement element = elements.get(i);
      if (element.kind() == Kind.IPV6_ADDRESS) {
        bytes.putLong(element.high().applyAsLong(flow));
      }
      put(element.kind(), element.of(flow));
    }
  }

  private void put(Kind kind, long value) {
    switch (kind) {
      case UNSIGNED_8 -> bytes.put((byte) value);
      case UNSIGNED_16 -> bytes.putShort((short) value);
      case IPV4_ADDRESS -> bytes.putInt((int) value);
      case IPV6_ADDRESS, UNSIGNED_64, TIME_MS -> bytes.putLong(value);
      case TIME_NS -> bytes.putLong(ntp(value));
    }
  }

  /** Section 6.1.10: seconds 32 | fraction 32, rounded so that they read as the same ns. */
  static long ntp(long ns) {
    long seconds = Math.floorDiv(ns, NS_PER_S) + NTP_EPOCH_S;
    long fraction = Math.ceilDiv(Math.floorMod(ns, NS_PER_S) << 32, NS_PER_S);
    return (seconds << 32) + fraction;
  }

  /** The whole message, to be sent; it is to be {@link #clear cleared} then. */
  ByteBuffer end(long exportTimeS, int sequence, int domain) {
    endSet();
    bytes.flip();
    bytes.putShort(0, (short) VERSION).putShort(LENGTH, (short) bytes.limit());
    bytes.putInt(4, (int) exportTimeS).putInt(8, sequence).putInt(12, domain);
    return bytes;
  }
}
