package io.linerate.fabric.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What each message of a channel begins with. Network order.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------+---------------+-------------------------------+
 * |     kind      | credits taken |             magic             |
 * +---------------+---------------+-------------------------------+
 * |          channel, as its receiver has numbered it             |
 * +---------------------------------------------------------------+
 * |   messages that the sender of this one has freed until now    |
 * +---------------------------------------------------------------+
 * |       number of this message, of those with data              |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p>Credits taken are the CREDIT messages that the sender of this one has got until now, modulo
 * 256: that many more of them find posted memory.
 */
final class MessageHeader {
  static final int BYTES = 16;

  static final int DATA = 1;
  static final int HELLO = 2;
  static final int WELCOME = 3;
  static final int REFUSED = 4;
  static final int CREDIT = 5;
  static final int PING = 6;
  static final int PONG = 7;
  static final int END = 8;

  private static final int MAGIC = 0x4C52; // "LR"

  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private MessageHeader() {}

  static void write(
      MemorySegment message, int kind, int creditsTaken, int channel, int freed, int number) {
    message.set(ValueLayout.JAVA_BYTE, 0, (byte) kind);
    message.set(ValueLayout.JAVA_BYTE, 1, (byte) creditsTaken);
    message.set(U16, 2, (short) MAGIC);
    message.set(U32, 4, channel);
    message.set(U32, 8, freed);
    message.set(U32, 12, number);
  }

  /** Its kind, or 0 if it is no message of a channel. */
  static int kind(MemorySegment message, long length) {
    return length >= BYTES && message.get(U16, 2) == (short) MAGIC
        ? message.get(ValueLayout.JAVA_BYTE, 0)
        : 0;
  }

  static int creditsTaken(MemorySegment message) {
    return Byte.toUnsignedInt(message.get(ValueLayout.JAVA_BYTE, 1));
  }

  static int channel(MemorySegment message) {
    return message.get(U32, 4);
  }

  static int freed(MemorySegment message) {
    return message.get(U32, 8);
  }

  static int number(MemorySegment message) {
    return message.get(U32, 12);
  }
}
