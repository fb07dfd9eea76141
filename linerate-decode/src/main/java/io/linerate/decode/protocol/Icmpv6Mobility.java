package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.protocol.Icmpv6Protocol.ICMPV6;
import static io.linerate.decode.protocol.Icmpv6Protocol.RESERVED;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;

/** Messages of Mobile IPv6, of secure neighbour discovery and of ILNP. */
final class Icmpv6Mobility {
  private static final int AGENTS = 144;
  private static final int AGENTS_REPLY = 145;
  private static final int PREFIX_SOLICITATION = 146;
  private static final int PREFIX_ADVERTISEMENT = 147;
  private static final int PATH_SOLICITATION = 148;
  private static final int PATH_ADVERTISEMENT = 149;

  private static final Field IDENTIFIER =
      ICMPV6
          .source("RFC 6275, section 6.5")
          .floating("icmpv6.mip6.identifier", 16, DECIMAL, "Identifier");
  private static final Field AGENT =
      ICMPV6.floating("icmpv6.mip6.home_agent_address", 128, IPV6, "Home agent");
  private static final Parts FLAGS =
      ICMPV6
          .source("RFC 6275, section 6.8")
          .parts("icmpv6.mip6.flag", 16, HEX, "Prefix flags")
          .flag("icmpv6.mip6.flag.m", "Managed addresses")
          .flag("icmpv6.mip6.flag.o", "Other configuration")
          .part("icmpv6.mip6.flag.rsv", 14, DECIMAL, "Reserved");
  private static final Field PATH =
      ICMPV6
          .source("RFC 3971, section 6.4")
          .floating("icmpv6.send.identifier", 16, DECIMAL, "Identifier of the path");
  private static final Field COMPONENTS =
      ICMPV6.floating("icmpv6.send.all_components", 16, DECIMAL, "Components");
  private static final Field COMPONENT =
      ICMPV6.floating("icmpv6.send.component", 16, DECIMAL, "Component");
  private static final Field SUBTYPE =
      ICMPV6
          .source("RFC 5568, section 6.1.1")
          .floating("icmpv6.fmip6.subtype", 8, DECIMAL, "Message of fast handovers");
  private static final Field FAST_IDENTIFIER =
      ICMPV6.floating("icmpv6.fmip6.identifier", 16, DECIMAL, "Identifier of the handover");
  private static final Field LOCATORS =
      ICMPV6.source("RFC 6743, section 3").floating("icmpv6.ilnp.nb_locs", 8, DECIMAL, "Locators");
  private static final Field LOCATOR = ICMPV6.floating("icmpv6.ilnp.locator", 64, HEX, "Locator");
  private static final Field PREFERENCE =
      ICMPV6.floating("icmpv6.ilnp.preference", 16, DECIMAL, "Preference of the locator");
  private static final Field LIFETIME =
      ICMPV6.floating("icmpv6.ilnp.lifetime", 16, DECIMAL, "Lifetime of the locator in seconds");

  private Icmpv6Mobility() {}

  /** Declares the fields: ICMPv6's are complete only then. */
  static void declare() {}

  static void dissect(Dissection dissection, int type) {
    switch (type) {
      case AGENTS, PREFIX_SOLICITATION -> {
        dissection.add(IDENTIFIER);
        dissection.add(RESERVED, 2);
      }
      case AGENTS_REPLY -> {
        dissection.add(IDENTIFIER);
        dissection.add(RESERVED, 2);
        while (dissection.left() > 0) {
          dissection.add(AGENT);
        }
      }
      case PREFIX_ADVERTISEMENT -> {
        dissection.add(IDENTIFIER);
        dissection.add(FLAGS);
      }
      case PATH_SOLICITATION -> {
        dissection.add(PATH);
        dissection.add(COMPONENT);
      }
      case PATH_ADVERTISEMENT -> {
        dissection.add(PATH);
        dissection.add(COMPONENTS);
        dissection.add(COMPONENT);
        dissection.add(RESERVED, 2);
      }
      default -> {}
    }
    if (dissection.left() > 0) {
      NeighborOptions.dissect(dissection);
    }
  }

  static void fastHandover(Dissection dissection) {
    dissection.add(SUBTYPE);
    dissection.add(RESERVED, 1);
    dissection.add(FAST_IDENTIFIER);
    NeighborOptions.dissect(dissection);
  }

  static void locators(Dissection dissection) {
    int count = (int) dissection.add(LOCATORS);
    dissection.skip(3);
    for (int i = 0; i < count && dissection.expectsMore(); i++) {
      dissection.add(LOCATOR);
      dissection.add(PREFERENCE);
      dissection.add(LIFETIME);
    }
  }
}
