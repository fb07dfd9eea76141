package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.protocol.IcmpProtocol.ICMP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;

/** Extensions of router advertisements by which agents of Mobile IPv4 make themselves known. */
final class MobilityAgents {
  private static final int PADDING = 0;
  private static final int AGENT = 16;
  private static final int PREFIXES = 19;
  private static final int CHALLENGE_TYPE = 24;

  private static final Field TYPE =
      ICMP.source("RFC 5944, section 2.1").floating("icmp.mip.type", 8, DECIMAL, "Extension");
  private static final Field LENGTH =
      ICMP.floating("icmp.mip.length", 8, DECIMAL, "Length of the extension");
  private static final Field SEQUENCE =
      ICMP.floating("icmp.mip.seq", 16, DECIMAL, "Number of the advertisement");
  private static final Field LIFETIME =
      ICMP.floating("icmp.mip.life", 16, DECIMAL, "Longest registration lifetime in seconds");
  private static final Parts FLAGS =
      ICMP.parts("icmp.mip.flags", 16, HEX, "Flags")
          .flag("icmp.mip.r", "Registration required")
          .flag("icmp.mip.b", "Busy")
          .flag("icmp.mip.h", "Home agent")
          .flag("icmp.mip.f", "Foreign agent")
          .flag("icmp.mip.m", "Minimal encapsulation")
          .flag("icmp.mip.g", "GRE")
          .flag("icmp.mip.v", "Header compression")
          .flag("icmp.mip.rt", "Reverse tunneling")
          .flag("icmp.mip.u", "UDP tunneling")
          .flag("icmp.mip.x", "Revocation support")
          .part("icmp.mip.reserved", 6, HEX, "Reserved");
  private static final Field CARE_OF_ADDRESS =
      ICMP.floating("icmp.mip.coa", 32, IPV4, "Care-of address");
  private static final Field PREFIX =
      ICMP.floating("icmp.mip.prefixlength", 8, DECIMAL, "Prefix length");
  private static final Field CHALLENGE = ICMP.floating("icmp.mip.challenge", 0, BYTES, "Challenge");
  private static final Field CONTENT =
      ICMP.floating("icmp.mip.content", 0, BYTES, "Extension data");

  private MobilityAgents() {}

  /** Declares the fields: ICMP's are complete only then. */
  static void declare() {}

  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = (int) dissection.add(TYPE);
      if (type == PADDING) {
        continue;
      }
      int length = (int) dissection.add(LENGTH);
      int before = dissection.enter(length);
      switch (type) {
        case AGENT -> agent(dissection);
        case PREFIXES -> {
          while (dissection.left() > 0) {
            dissection.add(PREFIX);
          }
        }
        case CHALLENGE_TYPE -> dissection.addLeft(CHALLENGE);
        default -> dissection.addLeft(CONTENT);
      }
      dissection.leave(before);
    }
  }

  private static void agent(Dissection dissection) {
    dissection.add(SEQUENCE);
    dissection.add(LIFETIME);
    dissection.add(FLAGS);
    while (dissection.left() > 0) {
      dissection.add(CARE_OF_ADDRESS);
    }
  }
}
