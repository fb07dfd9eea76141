package io.linerate.bench.access;

import io.linerate.bench.suite.Result;
import java.util.function.Supplier;

/** The techniques, in the order of the report: with their names there. */
@SuppressWarnings("ImmutableEnumChecker") // The makers are constants.
enum Contender {
  OBJECT_METHODS("objects through JNI, methods looked up", ObjectByMethods::new),
  OBJECT_FIELDS("objects through JNI, fields looked up once", ObjectByFields::new),
  BYTE_BUFFER("direct ByteBuffer with copy", BufferCopy::new),
  UNSAFE_COPY("Unsafe with copy", UnsafeCopy::new),
  UNSAFE("Unsafe in place", UnsafeInPlace::new),
  SEGMENT("MemorySegment per packet", SegmentInPlace::new),
  PACKET("Linerate's Packet", () -> new CheckedPackets(1)),
  PACKET_UNCHECKED("Linerate's Packet, unchecked", () -> new UncheckedPackets(1)),
  C("C", () -> new PlainC(PlainC.Structs.OWN)),
  PACKET_BURST(
      "Linerate's Packet, bursts of 32", () -> new CheckedPackets(AccessLibrary.BURST), true),
  PACKET_BURST_UNCHECKED(
      "Linerate's Packet, bursts of 32, unchecked",
      () -> new UncheckedPackets(AccessLibrary.BURST),
      true),
  C_BURST("C, bursts of 32", () -> new PlainC(PlainC.Structs.BURST), true);

  private final String title;
  private final Supplier<Technique> maker;
  private final boolean isBurst;

  Contender(String title, Supplier<Technique> maker) {
    this(title, maker, false);
  }

  Contender(String title, Supplier<Technique> maker, boolean isBurst) {
    this.title = title;
    this.maker = maker;
    this.isBurst = isBurst;
  }

  String title() {
    return title;
  }

  Technique technique() {
    return maker.get();
  }

  /** Whether it takes microseconds a packet. */
  boolean isSlow() {
    return this == OBJECT_METHODS;
  }

  boolean isC() {
    return this == C || this == C_BURST;
  }

  /**
   * What the thesis says of its figures 15 to 17, whose bars are not in its text: times the fastest
   * technique, on a Xeon E5-2690 at 2.9 GHz and two others.
   */
  void addTheirs(Result.Builder result) {
    switch (this) {
      case OBJECT_METHODS -> {
        result.theirs("thesis, section 5.3.3", "object, times direct, at least", 300);
        result.theirs("thesis, section 5.3.3", "object, times direct, at most", 650);
      }
      case BYTE_BUFFER -> result.theirs("thesis, fig 15", "byte buffer, times direct", 2.74);
      case UNSAFE -> result.theirs("thesis, fig 15", "direct, the fastest", 1);
      default -> {}
    }
  }

  /** Whether one native call brings 32 packets. */
  boolean isBurst() {
    return isBurst;
  }
}
