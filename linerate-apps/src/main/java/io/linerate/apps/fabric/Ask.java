package io.linerate.apps.fabric;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What a client asks a server for, as the first message of a run: magic 4 bytes, kind 4, messages
 * 8. Network order. The server answers the same message when all of a run with a count has come.
 *
 * @param kind 1: each message is sent back; 2: messages are taken
 * @param messages that are coming
 */
record Ask(int kind, long messages) {
  static final int ECHO = 1;
  static final int TAKE = 2;
  static final int BYTES = 16;

  private static final int MAGIC = 0x4C52_4641; // "LRFA"
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Reads one; kind 0 if it is none. */
  static Ask read(MemorySegment message, int length) {
    if (length != BYTES || message.get(U32, 0) != MAGIC) {
      return new Ask(0, 0);
    }
    return new Ask(message.get(U32, 4), message.get(U64, 8));
  }

  void write(MemorySegment message) {
    message.set(U32, 0, MAGIC);
    message.set(U32, 4, kind);
    message.set(U64, 8, messages);
  }
}
