package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.protocol.TcpProtocol.TCP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import java.util.Map;

/**
 * The options of TCP: one byte, or kind, length of all of it, and data; the registry is IANA's "TCP
 * Option Kind Numbers".
 */
final class TcpOptions {
  private static final int END = 0;
  private static final int NO_OPERATION = 1;
  private static final int MAXIMUM_SEGMENT_SIZE = 2;
  private static final int WINDOW_SCALE = 3;
  private static final int SACK_PERMITTED = 4;
  private static final int SACK = 5;
  private static final int ECHO = 6;
  private static final int ECHO_REPLY = 7;
  private static final int TIMESTAMPS = 8;
  private static final int CC = 11;
  private static final int CC_NEW = 12;
  private static final int CC_ECHO = 13;
  private static final int MD5 = 19;
  private static final int SCPS = 20;
  private static final int SNACK = 21;
  private static final int RECORD_BOUNDARY = 22;
  private static final int CORRUPTION = 23;
  private static final int QUICK_START = 27;
  private static final int USER_TIMEOUT = 28;
  private static final int AUTHENTICATION = 29;
  private static final int MULTIPATH = 30;
  private static final int FAST_OPEN = 34;
  private static final int ACCURATE_ECN_0 = 172;
  private static final int ACCURATE_ECN_1 = 174;
  private static final int EXPERIMENT_1 = 253;
  private static final int EXPERIMENT_2 = 254;
  private static final int MAX_SHIFT = 14;
  private static final int SCPS_BYTES = 2;

  /** The experiment that became fast open: RFC 7413, appendix A. */
  private static final int FAST_OPEN_EXPERIMENT = 0xF989;

  private static final ValueNames NAMES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(END, "End of options"),
              Map.entry(NO_OPERATION, "No operation"),
              Map.entry(MAXIMUM_SEGMENT_SIZE, "Maximum segment size"),
              Map.entry(WINDOW_SCALE, "Window scale"),
              Map.entry(SACK_PERMITTED, "SACK permitted"),
              Map.entry(SACK, "SACK"),
              Map.entry(ECHO, "Echo"),
              Map.entry(ECHO_REPLY, "Echo reply"),
              Map.entry(TIMESTAMPS, "Timestamps"),
              Map.entry(CC, "CC"),
              Map.entry(CC_NEW, "CC.NEW"),
              Map.entry(CC_ECHO, "CC.ECHO"),
              Map.entry(MD5, "MD5 signature"),
              Map.entry(SCPS, "SCPS capabilities"),
              Map.entry(SNACK, "Selective negative acknowledgment"),
              Map.entry(RECORD_BOUNDARY, "Record boundaries"),
              Map.entry(CORRUPTION, "Corruption experienced"),
              Map.entry(QUICK_START, "Quick-Start response"),
              Map.entry(USER_TIMEOUT, "User timeout"),
              Map.entry(AUTHENTICATION, "Authentication"),
              Map.entry(MULTIPATH, "Multipath"),
              Map.entry(FAST_OPEN, "Fast open cookie"),
              Map.entry(ACCURATE_ECN_0, "Accurate ECN order 0"),
              Map.entry(ACCURATE_ECN_1, "Accurate ECN order 1"),
              Map.entry(EXPERIMENT_1, "Experiment 1"),
              Map.entry(EXPERIMENT_2, "Experiment 2")));

  private static final Field KIND =
      TCP.source("RFC 9293, section 3.2").floating("tcp.option_kind", 8, DECIMAL, "Option", NAMES);
  private static final Field LENGTH = TCP.floating("tcp.option_len", 8, DECIMAL, "Option length");
  private static final Field SEGMENT_SIZE =
      TCP.floating("tcp.options.mss_val", 16, DECIMAL, "Maximum segment size");
  private static final Field SHIFT =
      TCP.source("RFC 7323, section 2.2")
          .floating("tcp.options.wscale.shift", 8, DECIMAL, "Window scale");
  private static final Field MULTIPLIER =
      TCP.floating("tcp.options.wscale.multiplier", 16, DECIMAL, "Factor of the window");
  private static final Field TIMESTAMP =
      TCP.source("RFC 7323, section 3.2")
          .floating("tcp.options.timestamp.tsval", 32, DECIMAL, "Timestamp");
  private static final Field TIMESTAMP_REPLY =
      TCP.floating("tcp.options.timestamp.tsecr", 32, DECIMAL, "Timestamp echoed");
  private static final Field SACK_LEFT =
      TCP.source("RFC 2018, section 3")
          .floating("tcp.options.sack_le", 32, DECIMAL, "First number received");
  private static final Field SACK_RIGHT =
      TCP.floating("tcp.options.sack_re", 32, DECIMAL, "Number behind those received");
  private static final Field SACK_COUNT =
      TCP.floating("tcp.options.sack.count", 8, DECIMAL, "Blocks received");
  private static final Field ECHO_VALUE =
      TCP.source("RFC 1072, section 3").floating("tcp.options.echo_value", 32, DECIMAL, "Echo");
  private static final Field CC_VALUE =
      TCP.source("RFC 1644, section 3.1")
          .floating("tcp.options.cc_value", 32, DECIMAL, "Connection count");
  private static final Field DIGEST =
      TCP.source("RFC 2385, section 3.0")
          .floating("tcp.options.md5.digest", 0, BYTES, "MD5 digest");
  private static final Parts CAPABILITIES =
      TCP.source("CCSDS 714.0-B-2, section 3.2")
          .parts("tcp.options.scps.vector", 8, HEX, "SCPS capabilities")
          .flag("tcp.options.scpsflags.bets", "Partial reliability")
          .flag("tcp.options.scpsflags.snack1", "Short SNACK")
          .flag("tcp.options.scpsflags.snack2", "Long SNACK")
          .flag("tcp.options.scpsflags.compress", "Header compression")
          .flag("tcp.options.scpsflags.nlts", "Network layer timestamps")
          .part("tcp.options.scpsflags.reserved", 3, DECIMAL, "Reserved");
  private static final Field CONNECTION =
      TCP.floating("tcp.options.scps.binding", 8, DECIMAL, "SCPS connection");
  private static final Field BINDING_DATA =
      TCP.floating("tcp.options.scps.binding.data", 0, BYTES, "Data of the binding space");
  private static final Field SNACK_OFFSET =
      TCP.floating("tcp.options.snack.offset", 16, DECIMAL, "SNACK offset");
  private static final Field SNACK_SIZE =
      TCP.floating("tcp.options.snack.size", 16, DECIMAL, "SNACK size");
  private static final Parts QUICK =
      TCP.source("RFC 4782, section 4.3")
          .parts(8)
          .skip(4)
          .part("tcp.options.qs.rate", 4, DECIMAL, "Quick-Start rate");
  private static final Field QUICK_TTL_DIFFERENCE =
      TCP.floating("tcp.options.qs.ttl_diff", 8, DECIMAL, "Quick-Start TTL difference");
  private static final Parts TIMEOUT =
      TCP.source("RFC 5482, section 3")
          .parts(16)
          .flag("tcp.options.user_to_granularity", "User timeout is in minutes")
          .part("tcp.options.user_to_val", 15, DECIMAL, "User timeout");
  private static final Field KEY =
      TCP.source("RFC 5925, section 2.2")
          .floating("tcp.options.ao.keyid", 8, DECIMAL, "Key identifier");
  private static final Field NEXT_KEY =
      TCP.floating("tcp.options.ao.rnextkeyid", 8, DECIMAL, "Next key to be received");
  private static final Field MAC =
      TCP.floating("tcp.options.ao.mac", 0, BYTES, "Message authentication code");
  private static final Field COOKIE_REQUEST =
      TCP.source("RFC 7413, section 4.1.1")
          .floating("tcp.options.tfo.request", 0, NONE, "Fast open cookie wanted");
  private static final Field COOKIE =
      TCP.floating("tcp.options.tfo.cookie", 0, BYTES, "Fast open cookie");
  private static final Field ECT0 =
      TCP.source("RFC 9768, section 3.2.3")
          .floating("tcp.options.acc_ecn.ee0b", 24, DECIMAL, "ECT(0) bytes");
  private static final Field CE = TCP.floating("tcp.options.acc_ecn.eceb", 24, DECIMAL, "CE bytes");
  private static final Field ECT1 =
      TCP.floating("tcp.options.acc_ecn.ee1b", 24, DECIMAL, "ECT(1) bytes");
  private static final Field EXPERIMENT =
      TCP.source("RFC 6994, section 3")
          .floating("tcp.options.experimental.exid", 16, HEX, "Experiment");
  private static final Field EXPERIMENT_DATA =
      TCP.floating("tcp.options.experimental.data", 0, BYTES, "Data of the experiment");
  private static final Field UNKNOWN =
      TCP.source("RFC 9293, section 3.2")
          .floating("tcp.options.unknown.payload", 0, BYTES, "Option data");

  private TcpOptions() {}

  /** Declares the fields: TCP's are complete only then. */
  static void declare() {
    MultipathTcp.declare();
  }

  /** Goes through all options of a header. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int kind = dissection.u8(0);
      boolean isLong = kind > NO_OPERATION;
      int length = isLong && dissection.has(2) ? dissection.u8(1) : 1;
      if (isLong && (length < 2 || length > dissection.left())) {
        dissection.malformed();
        return;
      }
      dissection.add(KIND);
      if (kind == END && dissection.left() > 0 && dissection.u8(0) != END) {
        return;
      }
      if (isLong) {
        dissection.add(LENGTH);
        int before = dissection.enter(length - 2);
        data(dissection, kind);
        dissection.leave(before);
      }
    }
  }

  private static void data(Dissection dissection, int kind) {
    switch (kind) {
      case MAXIMUM_SEGMENT_SIZE -> dissection.add(SEGMENT_SIZE);
      case WINDOW_SCALE -> {
        int shift = (int) dissection.add(SHIFT);
        dissection.value(MULTIPLIER, 1L << Math.min(shift, MAX_SHIFT), -1, 1);
      }
      case SACK_PERMITTED, RECORD_BOUNDARY, CORRUPTION -> {}
      case SACK -> sack(dissection);
      case ECHO, ECHO_REPLY -> dissection.add(ECHO_VALUE);
      case TIMESTAMPS -> {
        dissection.add(TIMESTAMP);
        dissection.add(TIMESTAMP_REPLY);
      }
      case CC, CC_NEW, CC_ECHO -> dissection.add(CC_VALUE);
      case MD5 -> dissection.addLeft(DIGEST);
      case SCPS -> scps(dissection);
      case SNACK -> {
        dissection.add(SNACK_OFFSET);
        dissection.add(SNACK_SIZE);
      }
      case QUICK_START -> {
        dissection.add(QUICK);
        dissection.add(QUICK_TTL_DIFFERENCE);
      }
      case USER_TIMEOUT -> dissection.add(TIMEOUT);
      case AUTHENTICATION -> {
        dissection.add(KEY);
        dissection.add(NEXT_KEY);
        dissection.addLeft(MAC);
      }
      case MULTIPATH -> MultipathTcp.dissect(dissection);
      case FAST_OPEN -> fastOpen(dissection);
      case ACCURATE_ECN_0 -> accurateEcn(dissection, ECT0, ECT1);
      case ACCURATE_ECN_1 -> accurateEcn(dissection, ECT1, ECT0);
      case EXPERIMENT_1, EXPERIMENT_2 -> experiment(dissection);
      default -> dissection.addLeft(UNKNOWN);
    }
  }

  private static void sack(Dissection dissection) {
    int count = 0;
    while (dissection.has(8)) {
      dissection.add(SACK_LEFT);
      dissection.add(SACK_RIGHT);
      count++;
    }
    dissection.value(SACK_COUNT, count, 0, 0);
  }

  private static void scps(Dissection dissection) {
    if (dissection.left() == SCPS_BYTES) {
      dissection.add(CAPABILITIES);
      dissection.add(CONNECTION);
    }
    dissection.addLeft(BINDING_DATA);
  }

  private static void experiment(Dissection dissection) {
    if (dissection.add(EXPERIMENT) == FAST_OPEN_EXPERIMENT) {
      fastOpen(dissection);
    } else {
      dissection.addLeft(EXPERIMENT_DATA);
    }
  }

  private static void fastOpen(Dissection dissection) {
    if (dissection.left() == 0) {
      dissection.bytes(COOKIE_REQUEST, 0, 0);
    }
    dissection.addLeft(COOKIE);
  }

  private static void accurateEcn(Dissection dissection, Field first, Field last) {
    if (dissection.left() > 0) {
      dissection.add(first);
    }
    if (dissection.left() > 0) {
      dissection.add(CE);
    }
    if (dissection.left() > 0) {
      dissection.add(last);
    }
  }
}
