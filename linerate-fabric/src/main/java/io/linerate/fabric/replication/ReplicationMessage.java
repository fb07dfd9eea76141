package io.linerate.fabric.replication;

import io.linerate.fabric.FabricException;
import io.linerate.fabric.RemoteRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What both sides tell each other. All numbers in network order:
 *
 * <pre>
 *   byte
 *    0  4  magic number 0x4C725265
 *    4  1  kind: 1 ask, 2 in step, 3 refused for good, 4 refused as long as there is another standby
 *    5  3  0
 *   of ask
 *    8  4  tables              12  4  records          16  4  words of a record
 *   20  4  bytes of memory order: 1 if it is big-endian, 0 else
 *   24 25  where the standby's memory is: {@link RemoteRegion}
 *   49     program, UTF-8
 *   of in step: each second
 *    8     what the primary says to who takes over
 *   of refused
 *    8     why, UTF-8
 * </pre>
 */
final class ReplicationMessage {
  static final int ASK = 1;
  static final int IN_STEP = 2;
  static final int REFUSED = 3;
  static final int BUSY = 4;

  /** The longest. */
  static final int BYTES = 2_048;

  /** The shortest. */
  static final int HEAD_BYTES = 8;

  private static final int MAGIC = 0x4C72_5265;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int REGION = 24;
  private static final int PROGRAM = REGION + RemoteRegion.BYTES;

  private ReplicationMessage() {}

  /** 0 if it is none. */
  static int kind(MemorySegment message) {
    return message.byteSize() < HEAD_BYTES || message.get(INT, 0) != MAGIC
        ? 0
        : message.get(ValueLayout.JAVA_BYTE, 4);
  }

  private static int write(MemorySegment to, int kind) {
    to.set(INT, 0, MAGIC);
    to.set(INT, 4, kind << 24);
    return HEAD_BYTES;
  }

  /** Writes one with bytes behind it, of which as many as there is room for. */
  static int write(MemorySegment to, int kind, byte[] rest) {
    int length = (int) Math.min(rest.length, Math.min(BYTES, to.byteSize()) - HEAD_BYTES);
    MemorySegment.copy(rest, 0, to, ValueLayout.JAVA_BYTE, write(to, kind), length);
    return HEAD_BYTES + length;
  }

  static byte[] rest(MemorySegment message) {
    return message.asSlice(HEAD_BYTES).toArray(ValueLayout.JAVA_BYTE);
  }

  private static String text(MemorySegment message, long from) {
    return new String(message.asSlice(from).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }

  static int writeAsk(MemorySegment to, TableLayout layout, RemoteRegion region) {
    byte[] program = layout.program().getBytes(StandardCharsets.UTF_8);
    write(to, ASK);
    to.set(INT, 8, layout.tables());
    to.set(INT, 12, layout.records());
    to.set(INT, 16, layout.recordWords());
    to.set(INT, 20, byteOrder());
    region.write(to, REGION);
    MemorySegment.copy(program, 0, to, ValueLayout.JAVA_BYTE, PROGRAM, program.length);
    return PROGRAM + program.length;
  }

  private static int byteOrder() {
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? 1 : 0;
  }

  /**
   * @throws FabricException if it is none
   */
  static TableLayout layout(MemorySegment message) {
    if (message.byteSize() <= PROGRAM || message.get(INT, 20) != byteOrder()) {
      throw new FabricException(
          "not a standby's question, or of a host of another byte order: length=%d; use the same release on hosts of the same kind"
              .formatted(message.byteSize()));
    }
    try {
      return new TableLayout(
          text(message, PROGRAM), message.get(INT, 8), message.get(INT, 12), message.get(INT, 16));
    } catch (IllegalArgumentException e) {
      throw new FabricException("not a standby's question: " + e.getMessage());
    }
  }

  static RemoteRegion region(MemorySegment message) {
    return RemoteRegion.read(message, REGION);
  }
}
