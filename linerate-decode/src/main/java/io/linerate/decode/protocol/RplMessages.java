package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.protocol.Icmpv6Protocol.ICMPV6;
import static io.linerate.decode.protocol.Icmpv6Protocol.RESERVED;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;

/** The messages of RPL, the routing protocol of lossy networks: each is followed by options. */
final class RplMessages {
  private static final int SOLICITATION = 0x00;
  private static final int INFORMATION = 0x01;
  private static final int ADVERTISEMENT = 0x02;
  private static final int ADVERTISEMENT_ACK = 0x03;
  private static final int CONSISTENCY = 0x8A;

  /** Codes with it begin with a security section. */
  private static final int SECURE = 0x80;

  private static final int DODAG_PRESENT = 0x40;
  private static final int DODAG_PRESENT_ACK = 0x80;

  private static final Parts SECURE_FLAGS =
      ICMPV6
          .source("RFC 6550, section 6.1")
          .parts("icmpv6.rpl.secure.flag", 8, HEX, "Security flags")
          .flag("icmpv6.rpl.secure.flag.t", "Counter is a time")
          .part("icmpv6.rpl.secure.flag.rsv", 7, DECIMAL, "Reserved");
  private static final Field ALGORITHM =
      ICMPV6.floating("icmpv6.rpl.secure.algorithm", 8, DECIMAL, "Algorithm");
  private static final Parts LEVELS =
      ICMPV6
          .parts(8)
          .part("icmpv6.rpl.secure.kim", 2, DECIMAL, "Key identifier mode")
          .part("icmpv6.rpl.secure.rsv", 3, DECIMAL, "Reserved")
          .part("icmpv6.rpl.secure.lvl", 3, DECIMAL, "Security level");
  private static final Field COUNTER =
      ICMPV6.floating("icmpv6.rpl.secure.counter", 32, DECIMAL, "Counter");
  private static final Field KEY_SOURCE =
      ICMPV6.floating("icmpv6.rpl.secure.key.source", 0, BYTES, "Source of the key");
  private static final Field KEY_INDEX =
      ICMPV6.floating("icmpv6.rpl.secure.key.index", 8, DECIMAL, "Index of the key");
  private static final Field SOLICITATION_FLAGS =
      ICMPV6
          .source("RFC 6550, section 6.2")
          .floating("icmpv6.rpl.dis.flags", 8, DECIMAL, "Solicitation flags");
  private static final Field INSTANCE =
      ICMPV6
          .source("RFC 6550, section 6.3")
          .floating("icmpv6.rpl.dio.instance", 8, DECIMAL, "RPL instance");
  private static final Field VERSION =
      ICMPV6.floating("icmpv6.rpl.dio.version", 8, DECIMAL, "Version");
  private static final Field RANK = ICMPV6.floating("icmpv6.rpl.dio.rank", 16, DECIMAL, "Rank");
  private static final Parts FLAGS =
      ICMPV6
          .parts("icmpv6.rpl.dio.flag", 8, HEX, "Flags")
          .flag("icmpv6.rpl.dio.flag.g", "Grounded")
          .flag("icmpv6.rpl.dio.flag.0", "Zero")
          .part("icmpv6.rpl.dio.flag.mop", 3, HEX, "Mode of operation")
          .part("icmpv6.rpl.dio.flag.preference", 3, DECIMAL, "Preference");
  private static final Field TRIGGER =
      ICMPV6.floating("icmpv6.rpl.dio.dtsn", 8, DECIMAL, "Advertisement trigger");
  private static final Field DODAG = ICMPV6.floating("icmpv6.rpl.dio.dagid", 128, IPV6, "DODAG");
  private static final Field ADVERTISEMENT_INSTANCE =
      ICMPV6
          .source("RFC 6550, section 6.4")
          .floating("icmpv6.rpl.dao.instance", 8, DECIMAL, "RPL instance");
  private static final Parts ADVERTISEMENT_FLAGS =
      ICMPV6
          .parts("icmpv6.rpl.dao.flag", 8, HEX, "Advertisement flags")
          .flag("icmpv6.rpl.dao.flag.k", "Acknowledgment wanted")
          .flag("icmpv6.rpl.dao.flag.d", "DODAG is there")
          .part("icmpv6.rpl.dao.flag.rsv", 6, DECIMAL, "Reserved");
  private static final Field ADVERTISEMENT_SEQUENCE =
      ICMPV6.floating("icmpv6.rpl.dao.sequence", 8, DECIMAL, "Advertisement sequence");
  private static final Field ADVERTISEMENT_DODAG =
      ICMPV6.floating("icmpv6.rpl.dao.dodagid", 128, IPV6, "DODAG");
  private static final Field ACK_INSTANCE =
      ICMPV6
          .source("RFC 6550, section 6.5")
          .floating("icmpv6.rpl.daoack.instance", 8, DECIMAL, "RPL instance");
  private static final Parts ACK_FLAGS =
      ICMPV6
          .parts("icmpv6.rpl.daoack.flag", 8, HEX, "Acknowledgment flags")
          .flag("icmpv6.rpl.daoack.flag.d", "DODAG is there")
          .part("icmpv6.rpl.daoack.flag.rsv", 7, DECIMAL, "Reserved");
  private static final Field ACK_SEQUENCE =
      ICMPV6.floating("icmpv6.rpl.daoack.sequence", 8, DECIMAL, "Sequence acknowledged");
  private static final Field ACK_STATUS =
      ICMPV6.floating("icmpv6.rpl.daoack.status", 8, DECIMAL, "Status");
  private static final Field ACK_DODAG =
      ICMPV6.floating("icmpv6.rpl.daoack.dodagid", 128, IPV6, "DODAG");
  private static final Field CHECK_INSTANCE =
      ICMPV6
          .source("RFC 6550, section 6.6")
          .floating("icmpv6.rpl.cc.instance", 8, DECIMAL, "RPL instance");
  private static final Parts CHECK_FLAGS =
      ICMPV6
          .parts("icmpv6.rpl.cc.flag", 8, HEX, "Check flags")
          .flag("icmpv6.rpl.cc.flag.r", "Response")
          .part("icmpv6.rpl.cc.flag.rsv", 7, DECIMAL, "Reserved");
  private static final Field CHECK_NONCE = ICMPV6.floating("icmpv6.rpl.cc.nonce", 16, HEX, "Nonce");
  private static final Field CHECK_DODAG =
      ICMPV6.floating("icmpv6.rpl.cc.dodagid", 128, IPV6, "DODAG");
  private static final Field CHECK_COUNTER =
      ICMPV6.floating("icmpv6.rpl.cc.destination_counter", 32, DECIMAL, "Destination counter");
  private static final Field DATA = ICMPV6.floating("icmpv6.rpl.data", 0, BYTES, "Message data");

  private RplMessages() {}

  /** Declares the fields: ICMPv6's are complete only then. */
  static void declare() {
    RplOptions.declare();
  }

  static void dissect(Dissection dissection) {
    int code = (int) dissection.layer().value(Icmpv6Protocol.CODE);
    if ((code & SECURE) != 0) {
      security(dissection);
    }
    if (code == CONSISTENCY) {
      consistency(dissection);
      return;
    }
    switch (code & ~SECURE) {
      case SOLICITATION -> {
        dissection.add(SOLICITATION_FLAGS);
        dissection.add(RESERVED, 1);
      }
      case INFORMATION -> information(dissection);
      case ADVERTISEMENT -> {
        dissection.add(ADVERTISEMENT_INSTANCE);
        int flags = (int) dissection.add(ADVERTISEMENT_FLAGS);
        dissection.add(RESERVED, 1);
        dissection.add(ADVERTISEMENT_SEQUENCE);
        if ((flags & DODAG_PRESENT) != 0) {
          dissection.add(ADVERTISEMENT_DODAG);
        }
      }
      case ADVERTISEMENT_ACK -> {
        dissection.add(ACK_INSTANCE);
        int flags = (int) dissection.add(ACK_FLAGS);
        dissection.add(ACK_SEQUENCE);
        dissection.add(ACK_STATUS);
        if ((flags & DODAG_PRESENT_ACK) != 0) {
          dissection.add(ACK_DODAG);
        }
      }
      default -> {
        dissection.addLeft(DATA);
        return;
      }
    }
    RplOptions.dissect(dissection);
  }

  private static void information(Dissection dissection) {
    dissection.add(INSTANCE);
    dissection.add(VERSION);
    dissection.add(RANK);
    dissection.add(FLAGS);
    dissection.add(TRIGGER);
    dissection.add(FLAGS.whole());
    dissection.add(RESERVED, 1);
    dissection.add(DODAG);
  }

  private static void consistency(Dissection dissection) {
    dissection.add(CHECK_INSTANCE);
    dissection.add(CHECK_FLAGS);
    dissection.add(CHECK_NONCE);
    dissection.add(CHECK_DODAG);
    dissection.add(CHECK_COUNTER);
    RplOptions.dissect(dissection);
  }

  /** RFC 6550, section 6.1: the mode says whether the key has a source of 8 bytes, and an index. */
  private static void security(Dissection dissection) {
    dissection.add(SECURE_FLAGS);
    dissection.add(ALGORITHM);
    dissection.value(SECURE_FLAGS.whole(), dissection.u8(0), 0, 1);
    int mode = (int) dissection.add(LEVELS) >>> 6;
    dissection.add(SECURE_FLAGS.whole());
    dissection.add(COUNTER);
    if (mode == 2) {
      dissection.add(KEY_SOURCE, 8);
    }
    if (mode == 0 || mode == 2) {
      dissection.add(KEY_INDEX);
    }
  }
}
