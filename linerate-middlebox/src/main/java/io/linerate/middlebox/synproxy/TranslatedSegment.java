package io.linerate.middlebox.synproxy;

import io.linerate.core.memory.ChecksumState;
import io.linerate.core.memory.Packet;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Tcp;
import io.linerate.wire.TcpOptions;

/**
 * Gives a segment other numbers. Its checksum is updated by what has changed (RFC 1624), or stays
 * as it is where it is left to who transmits the packet: then it covers no number. One thread's
 * own.
 */
final class TranslatedSegment {
  private static final int SEQUENCE = 4;
  private static final int ACKNOWLEDGMENT = 8;
  private static final int FLAGS = 13;
  private static final int WINDOW = 14;
  private static final int CHECKSUM = 16;
  private static final int OPTION_HEADER_BYTES = 2;
  private static final int NOP = 1;

  private final Tcp tcp = new Tcp();

  @SuppressWarnings("NullAway.Init")
  private Packet packet;

  private int l4;
  private boolean isLeft;

  /** Takes a segment that was scanned. */
  void begin(Packet segment, HeaderScanner scanner) {
    packet = segment;
    l4 = scanner.l4Offset();
    isLeft = segment.checksumState() == ChecksumState.NONE;
    tcp.wrap(segment, l4);
  }

  /** Adds to its sequence number. */
  void sequence(int more) {
    add(l4 + SEQUENCE, more);
  }

  /** Adds to its acknowledgment number, and to those of selective acknowledgment (RFC 2018). */
  void acknowledgment(int more) {
    if (!tcp.has(Tcp.ACK)) {
      return;
    }
    add(l4 + ACKNOWLEDGMENT, more);
    if (tcp.headerBytes() > Tcp.HEADER_BYTES) {
      for (int at = tcp.firstOption(); at >= 0; at = tcp.nextOption(at)) {
        if (tcp.optionKind(at) == TcpOptions.SACK) {
          int end = at + tcp.optionLength(at);
          for (int edge = at + OPTION_HEADER_BYTES; edge + Integer.BYTES <= end; edge += 4) {
            add(edge, more);
          }
        }
      }
    }
  }

  void window(int bytes) {
    int old = packet.u16(l4 + WINDOW);
    if (old != bytes) {
      packet.u16(l4 + WINDOW, bytes);
      if (!isLeft) {
        checksum(InternetChecksum.update16(packet.u16(l4 + CHECKSUM), old, bytes));
      }
    }
  }

  private void add(int at, int more) {
    int old = packet.i32(at);
    int changed = old + more;
    packet.i32(at, changed);
    if (isLeft) {
      return;
    }
    // Words of the checksum begin at even distances from the header's start: RFC 1071, section 2
    // (B).
    boolean isEven = (at - l4 & 1) == 0;
    checksum(
        InternetChecksum.update32(
            packet.u16(l4 + CHECKSUM),
            isEven ? old : Integer.rotateLeft(old, Byte.SIZE),
            isEven ? changed : Integer.rotateLeft(changed, Byte.SIZE)));
  }

  private void checksum(int value) {
    packet.u16(l4 + CHECKSUM, value);
  }

  /** Makes the answer to a SYN the first segment of a connection that has begun before. */
  void opened(Packet segment, HeaderScanner scanner, int sequence, int windowField) {
    segment.completeChecksum();
    begin(segment, scanner);
    packet.i32(l4 + SEQUENCE, sequence);
    packet.u8(l4 + FLAGS, Tcp.ACK);
    packet.u16(l4 + WINDOW, windowField);
    for (int at = l4 + Tcp.HEADER_BYTES; at < l4 + tcp.headerBytes(); at++) {
      packet.u8(at, NOP);
    }
    InternetChecksum.write(packet, scanner);
  }
}
