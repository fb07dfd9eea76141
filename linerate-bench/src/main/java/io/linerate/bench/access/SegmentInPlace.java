package io.linerate.bench.access;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A {@code MemorySegment} for each packet, as long as the struct, so that every access is checked
 * against it; the object disappears in compiled code.
 */
final class SegmentInPlace implements Technique {
  private static final MemorySegment ALL = all();
  private static final ValueLayout.OfChar U16 =
      ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt I32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  @SuppressWarnings("restricted")
  private static MemorySegment all() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  @Override
  public long run(int packets) {
    AccessLibrary.useOwn();
    for (int i = 0; i < packets; i++) {
      answer(ALL.asSlice(AccessLibrary.next(), RecordLayout.BYTES));
    }
    return AccessLibrary.finish();
  }

  private static void answer(MemorySegment packet) {
    int source = packet.get(I32, RecordLayout.SOURCE);
    packet.set(I32, RecordLayout.SOURCE, packet.get(I32, RecordLayout.DESTINATION));
    packet.set(I32, RecordLayout.DESTINATION, source);
    char sourcePort = packet.get(U16, RecordLayout.SOURCE_PORT);
    packet.set(U16, RecordLayout.SOURCE_PORT, packet.get(U16, RecordLayout.DESTINATION_PORT));
    packet.set(U16, RecordLayout.DESTINATION_PORT, sourcePort);
    packet.set(I32, RecordLayout.SEQUENCE, packet.get(I32, RecordLayout.SEQUENCE) + 1);
    packet.set(JAVA_BYTE, RecordLayout.TTL, (byte) (packet.get(JAVA_BYTE, RecordLayout.TTL) - 1));
    int protocol = packet.get(JAVA_BYTE, RecordLayout.PROTOCOL) & 0xFF;
    packet.set(
        U16, RecordLayout.CHECKSUM, (char) (packet.get(U16, RecordLayout.CHECKSUM) + protocol));
  }
}
