package io.linerate.bench.language;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Algorithm 1 with Java in it. */
final class Programs {
  private static final int BURST = 32;
  private static final int PACKET_BYTES = 24;
  private static final int RESULT = 20;

  private Programs() {}

  static int java(int packets) {
    XorShift random = new XorShift();
    int sum = 0;
    for (int i = 0; i < packets; i++) {
      FivePacket packet = new FivePacket();
      packet.populate(random);
      packet.process();
      sum += packet.result();
    }
    return sum;
  }

  /** The thesis's: native code populates an object through JNI, and gets the result back. */
  static int jni(int packets) {
    LanguageLibrary.start();
    LanguageLibrary.findFields(FivePacket.class);
    int sum = 0;
    for (int i = 0; i < packets; i++) {
      FivePacket packet = new FivePacket();
      LanguageLibrary.populate(packet);
      packet.process();
      sum = LanguageLibrary.result(packet.result());
    }
    return sum;
  }

  /** Native code populates a struct, Java reads it where it is, and leaves the result there. */
  static int ffm(int packets) {
    LanguageLibrary.start();
    int sum = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocate(PACKET_BYTES, 8);
      for (int i = 0; i < packets; i++) {
        LanguageLibrary.populate(packet.address(), 1);
        process(packet, 0);
        sum = LanguageLibrary.collect(packet.address(), 1);
      }
    }
    return sum;
  }

  /** The same, without the transition that lets the collector run meanwhile. */
  static int ffmCritical(int packets) {
    LanguageLibrary.start();
    int sum = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocate(PACKET_BYTES, 8);
      for (int i = 0; i < packets; i++) {
        LanguageLibrary.populateCritical(packet.address(), 1);
        process(packet, 0);
        sum = LanguageLibrary.collectCritical(packet.address(), 1);
      }
    }
    return sum;
  }

  /** The same with 32 packets a call, as Linerate does it. */
  static int ffmBursts(int packets) {
    LanguageLibrary.start();
    int sum = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment burst = arena.allocate((long) BURST * PACKET_BYTES, 8);
      for (int left = packets; left > 0; left -= BURST) {
        int count = Math.min(left, BURST);
        LanguageLibrary.populate(burst.address(), count);
        for (int i = 0; i < count; i++) {
          process(burst, (long) i * PACKET_BYTES);
        }
        sum = LanguageLibrary.collect(burst.address(), count);
      }
    }
    return sum;
  }

  private static void process(MemorySegment packets, long at) {
    int product =
        packets.get(JAVA_INT, at)
            * packets.get(JAVA_INT, at + 4)
            * packets.get(JAVA_INT, at + 8)
            * packets.get(JAVA_INT, at + 12)
            * packets.get(JAVA_INT, at + 16);
    packets.set(JAVA_INT, at + RESULT, product);
  }
}
