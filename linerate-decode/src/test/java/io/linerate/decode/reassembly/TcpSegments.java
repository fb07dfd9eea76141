package io.linerate.decode.reassembly;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import io.linerate.wire.HeaderScanner;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Segments of TCP, one after the other, without an object for each; and where they are held. */
final class TcpSegments implements AutoCloseable {
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int HEADERS_BYTES = 54;
  private static final int SERVER_PORT = 80;

  final HeldPackets held;
  final HeaderScanner scanner = new HeaderScanner();
  private final Packets packets;
  private final FreeBuffer freeBuffer;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment frame = arena.allocate(Packets.ROOM_BYTES);

  TcpSegments(int heldPackets) {
    packets = new Packets(2 * heldPackets + 64);
    freeBuffer = new FreeBuffer(packets.pools(), 1);
    held =
        new HeldPackets(
            heldPackets, 0, new DropCounts(), freeBuffer, () -> 0, packets.owned().owner());
    frame.set(U16, 12, (short) 0x0800);
    frame.set(U16, 14, (short) 0x4500);
    frame.set(U16, 22, (short) 0x4006);
    frame.set(ValueLayout.JAVA_BYTE, 46, (byte) 0x50);
  }

  /** What the next segments carry. */
  void payload(int offset, byte value) {
    frame.set(ValueLayout.JAVA_BYTE, HEADERS_BYTES + offset, value);
  }

  /**
   * A segment, which the scanner has scanned.
   *
   * @param client its port
   * @param count bytes of the payload
   */
  Packet of(
      int client, boolean isToServer, int sequence, int acknowledgment, int flags, int count) {
    frame.set(U16, 16, (short) (40 + count));
    frame.set(U32, 26, isToServer ? 0x0A000001 : 0x0A000002);
    frame.set(U32, 30, isToServer ? 0x0A000002 : 0x0A000001);
    frame.set(U16, 34, (short) (isToServer ? client : SERVER_PORT));
    frame.set(U16, 36, (short) (isToServer ? SERVER_PORT : client));
    frame.set(U32, 38, sequence);
    frame.set(U32, 42, acknowledgment);
    frame.set(ValueLayout.JAVA_BYTE, 47, (byte) flags);
    packets.owned().finish(freeBuffer);
    held.expire();
    if (!packets.pool().allocate(packets.owned().array(), 1)
        || !packets.burst().fill(0, frame, 0, HEADERS_BYTES + count)) {
      throw new IllegalStateException("no buffer for a segment: held=" + held.size());
    }
    Packet packet = packets.burst().packet(0);
    if (!scanner.scan(packet)) {
      throw new IllegalStateException("segment cannot be read: count=" + count);
    }
    return packet;
  }

  @Override
  public void close() {
    held.dropAll(DropReason.CONSUMED);
    packets.owned().finish(freeBuffer);
    freeBuffer.flush();
    arena.close();
    packets.close();
  }
}
