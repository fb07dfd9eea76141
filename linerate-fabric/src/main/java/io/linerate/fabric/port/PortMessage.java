package io.linerate.fabric.port;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * * A message of a port: one frame or more. Network order.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                       number of frames                        |
 * +---------------------------------------------------------------+
 * |                     bytes of the first one                    |
 * +---------------------------------------------------------------+
 * |                     the first one ...                         |
 * +---------------------------------------------------------------+
 * |            bytes of the second one, and so on                 |
 * </pre>
 */
final class PortMessage {
  static final int COUNT_BYTES = 4;
  static final int LENGTH_BYTES = 4;

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private PortMessage() {}

  static void number(MemorySegment message, long at, int value) {
    message.set(U32, at, value);
  }

  static int number(MemorySegment message, long at) {
    return message.get(U32, at);
  }
}
