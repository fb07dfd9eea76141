package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.protocol.Icmpv6Protocol.ICMPV6;
import static io.linerate.decode.protocol.Icmpv6Protocol.RESERVED;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;

/** Router renumbering: commands of prefixes that match and prefixes to use, and results. */
final class RouterRenumbering {
  private static final int COMMAND = 0;
  private static final int RESULT = 1;
  private static final int USE_PREFIX_UNITS = 4;

  private static final Field SEQUENCE =
      ICMPV6
          .source("RFC 2894, section 3.1")
          .floating("icmpv6.rr.sequence_number", 32, DECIMAL, "Sequence number");
  private static final Field SEGMENT =
      ICMPV6.floating("icmpv6.rr.segment_number", 8, DECIMAL, "Segment number");
  private static final Parts FLAGS =
      ICMPV6
          .parts("icmpv6.rr.flag", 8, HEX, "Flags")
          .flag("icmpv6.rr.flag.t", "Test")
          .flag("icmpv6.rr.flag.r", "Result requested")
          .flag("icmpv6.rr.flag.a", "All interfaces")
          .flag("icmpv6.rr.flag.s", "Site-specific")
          .flag("icmpv6.rr.flag.p", "Processed previously")
          .part("icmpv6.rr.flag.rsv", 3, DECIMAL, "Reserved");
  private static final Field DELAY =
      ICMPV6.floating("icmpv6.rr.maxdelay", 16, DECIMAL, "Longest delay in ms");
  private static final Field MATCH =
      ICMPV6
          .source("RFC 2894, section 3.2.1.1")
          .floating("icmpv6.rr.pco.mp", 0, NONE, "Prefix to match");
  private static final Field OPERATION =
      ICMPV6.floating(
          "icmpv6.rr.pco.mp.opcode",
          8,
          DECIMAL,
          "Operation",
          ValueNames.from0("Reserved", "Add", "Change", "Set global"));
  private static final Field OPERATION_LENGTH =
      ICMPV6.floating("icmpv6.rr.pco.mp.oplength", 8, DECIMAL, "Length in units of 8 bytes");
  private static final Field ORDINAL =
      ICMPV6.floating("icmpv6.rr.pco.mp.ordinal", 8, HEX, "Ordinal");
  private static final Field MATCH_LENGTH =
      ICMPV6.floating("icmpv6.rr.pco.mp.matchlen", 8, DECIMAL, "Bits to match");
  private static final Field LEAST_LENGTH =
      ICMPV6.floating("icmpv6.rr.pco.mp.minlen", 8, DECIMAL, "Shortest prefix");
  private static final Field MOST_LENGTH =
      ICMPV6.floating("icmpv6.rr.pco.mp.maxlen", 8, DECIMAL, "Longest prefix");
  private static final Field MATCH_PREFIX =
      ICMPV6.floating("icmpv6.rr.pco.mp.matchprefix", 128, IPV6, "Prefix that matches");
  private static final Field USE =
      ICMPV6
          .source("RFC 2894, section 3.2.1.2")
          .floating("icmpv6.rr.pco.up", 0, NONE, "Prefix to use");
  private static final Field USE_LENGTH =
      ICMPV6.floating("icmpv6.rr.pco.up.uselen", 8, DECIMAL, "Bits to use");
  private static final Field KEEP_LENGTH =
      ICMPV6.floating("icmpv6.rr.pco.up.keeplen", 8, DECIMAL, "Bits to keep");
  private static final Parts FLAG_MASK =
      ICMPV6
          .parts("icmpv6.rr.pco.up.flagmask", 8, HEX, "Mask of the flags")
          .flag("icmpv6.rr.pco.up.flagmask.l", "On link")
          .flag("icmpv6.rr.pco.up.flagmask.a", "Autonomous configuration")
          .part("icmpv6.rr.pco.up.flagmask.reserved", 6, DECIMAL, "Reserved");
  private static final Field PREFIX_FLAGS =
      ICMPV6.floating("icmpv6.rr.pco.up.raflags", 8, HEX, "Flags of the prefix");
  private static final Field VALID =
      ICMPV6.floating("icmpv6.rr.pco.up.validlifetime", 32, DECIMAL, "Valid lifetime in seconds");
  private static final Field PREFERRED =
      ICMPV6.floating(
          "icmpv6.rr.pco.up.preferredlifetime", 32, DECIMAL, "Preferred lifetime in seconds");
  private static final Parts USE_FLAGS =
      ICMPV6
          .parts("icmpv6.rr.pco.up.flag", 32, HEX, "Flags of the use")
          .flag("icmpv6.rr.pco.up.flag.v", "Decrement valid lifetime")
          .flag("icmpv6.rr.pco.up.flag.p", "Decrement preferred lifetime")
          .part("icmpv6.rr.pco.up.flag.reserved", 30, DECIMAL, "Reserved");
  private static final Field USE_PREFIX =
      ICMPV6.floating("icmpv6.rr.pco.up.useprefix", 128, IPV6, "Prefix used");
  private static final Field RESULT_MESSAGE =
      ICMPV6.source("RFC 2894, section 3.3").floating("icmpv6.rr.rm", 0, NONE, "Result");
  private static final Parts RESULT_FLAGS =
      ICMPV6
          .parts("icmpv6.rr.rm.flag", 16, HEX, "Flags of the result")
          .part("icmpv6.rr.rm.flag.reserved", 14, DECIMAL, "Reserved")
          .flag("icmpv6.rr.rm.flag.b", "Out of bounds")
          .flag("icmpv6.rr.rm.flag.f", "Forbidden");
  private static final Field RESULT_ORDINAL =
      ICMPV6.floating("icmpv6.rr.rm.ordinal", 8, HEX, "Ordinal of the result");
  private static final Field MATCHED_LENGTH =
      ICMPV6.floating("icmpv6.rr.rm.matchedlen", 8, DECIMAL, "Bits that matched");
  private static final Field INTERFACE =
      ICMPV6.floating("icmpv6.rr.rm.interfaceindex", 32, DECIMAL, "Interface");
  private static final Field MATCHED =
      ICMPV6.floating("icmpv6.rr.rm.matchedprefix", 128, IPV6, "Prefix that matched");

  private RouterRenumbering() {}

  /** Declares the fields: ICMPv6's are complete only then. */
  static void declare() {}

  static void dissect(Dissection dissection) {
    int code = (int) dissection.layer().value(Icmpv6Protocol.CODE);
    dissection.add(SEQUENCE);
    dissection.add(SEGMENT);
    dissection.add(FLAGS);
    dissection.add(DELAY);
    dissection.add(RESERVED, 4);
    while (dissection.left() > 0) {
      switch (code) {
        case COMMAND -> operation(dissection);
        case RESULT -> result(dissection);
        default -> {
          return;
        }
      }
    }
  }

  private static void operation(Dissection dissection) {
    dissection.open(MATCH, 24);
    dissection.add(OPERATION);
    int units = (int) dissection.add(OPERATION_LENGTH);
    dissection.add(ORDINAL);
    dissection.add(MATCH_LENGTH);
    dissection.add(LEAST_LENGTH);
    dissection.add(MOST_LENGTH);
    dissection.add(RESERVED, 2);
    dissection.add(MATCH_PREFIX);
    dissection.close();
    // RFC 2894, section 3.2.1.1: 3 units and 4 for each prefix to use.
    for (int left = units - 3; left >= USE_PREFIX_UNITS; left -= USE_PREFIX_UNITS) {
      if (dissection.left() > 0) {
        use(dissection);
      }
    }
  }

  private static void use(Dissection dissection) {
    dissection.open(USE, 32);
    dissection.add(USE_LENGTH);
    dissection.add(KEEP_LENGTH);
    dissection.add(FLAG_MASK);
    long flags = dissection.add(PREFIX_FLAGS);
    dissection.values(FLAG_MASK, flags, -1);
    dissection.add(VALID);
    dissection.add(PREFERRED);
    dissection.add(USE_FLAGS);
    dissection.add(USE_PREFIX);
    dissection.close();
  }

  private static void result(Dissection dissection) {
    dissection.open(RESULT_MESSAGE, 24);
    dissection.add(RESULT_FLAGS);
    dissection.add(RESULT_ORDINAL);
    dissection.add(MATCHED_LENGTH);
    dissection.add(INTERFACE);
    dissection.add(MATCHED);
    dissection.close();
  }
}
