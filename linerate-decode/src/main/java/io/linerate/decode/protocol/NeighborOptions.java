package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.EUI64;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.protocol.Icmpv6Protocol.ICMPV6;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import java.util.Map;

/**
 * The options of neighbour discovery: type, length of all of it in units of eight bytes, and data;
 * the registry is IANA's "IPv6 Neighbor Discovery Option Formats".
 */
final class NeighborOptions {
  private static final int SOURCE_LINK_ADDRESS = 1;
  private static final int TARGET_LINK_ADDRESS = 2;
  private static final int PREFIX_INFORMATION = 3;
  private static final int REDIRECTED_HEADER = 4;
  private static final int MTU_OPTION = 5;
  private static final int ADVERTISEMENT_INTERVAL = 7;
  private static final int HOME_AGENT = 8;
  private static final int SOURCE_ADDRESSES = 9;
  private static final int TARGET_ADDRESSES = 10;
  private static final int NONCE_OPTION = 14;
  private static final int MAP = 23;
  private static final int ROUTE = 24;
  private static final int RECURSIVE_SERVERS = 25;
  private static final int FLAGS_EXTENSION = 26;
  private static final int SEARCH_LIST = 31;
  private static final int REGISTRATION = 33;
  private static final int CONTEXT = 34;
  private static final int BORDER_ROUTER = 35;
  private static final int CAPABILITIES = 36;
  private static final int CAPTIVE_PORTAL = 37;
  private static final int PREF64 = 38;
  private static final int MAC_OPTION_BYTES = 8;
  private static final int EUI64_OPTION_BYTES = 16;

  private static final ValueNames NAMES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(SOURCE_LINK_ADDRESS, "Source link-layer address"),
              Map.entry(TARGET_LINK_ADDRESS, "Target link-layer address"),
              Map.entry(PREFIX_INFORMATION, "Prefix information"),
              Map.entry(REDIRECTED_HEADER, "Redirected header"),
              Map.entry(MTU_OPTION, "MTU"),
              Map.entry(ADVERTISEMENT_INTERVAL, "Advertisement interval"),
              Map.entry(HOME_AGENT, "Home agent information"),
              Map.entry(SOURCE_ADDRESSES, "Source address list"),
              Map.entry(TARGET_ADDRESSES, "Target address list"),
              Map.entry(NONCE_OPTION, "Nonce"),
              Map.entry(MAP, "Mobility anchor point"),
              Map.entry(ROUTE, "Route information"),
              Map.entry(RECURSIVE_SERVERS, "Recursive DNS servers"),
              Map.entry(FLAGS_EXTENSION, "Flags extension"),
              Map.entry(SEARCH_LIST, "DNS search list"),
              Map.entry(REGISTRATION, "Address registration"),
              Map.entry(CONTEXT, "6LoWPAN context"),
              Map.entry(BORDER_ROUTER, "Authoritative border router"),
              Map.entry(CAPABILITIES, "6LoWPAN capabilities"),
              Map.entry(CAPTIVE_PORTAL, "Captive portal"),
              Map.entry(PREF64, "PREF64")));

  static final Field OPTION =
      ICMPV6.source("RFC 4861, section 4.6").floating("icmpv6.opt", 0, NONE, "Option");
  private static final Field TYPE =
      ICMPV6.floating("icmpv6.opt.type", 8, DECIMAL, "Option type", NAMES);
  private static final Field LENGTH =
      ICMPV6.floating("icmpv6.opt.length", 8, DECIMAL, "Option length in units of 8 bytes");
  private static final Field RESERVED = ICMPV6.floating("icmpv6.opt.reserved", 0, NONE, "Reserved");
  private static final Field PADDING = ICMPV6.floating("icmpv6.opt.padding", 0, NONE, "Padding");
  private static final Field DATA = ICMPV6.floating("icmpv6.opt.data", 0, BYTES, "Option data");
  private static final Field LINK = ICMPV6.floating("icmpv6.opt.linkaddr", 48, MAC, "Link address");
  private static final Field SOURCE_LINK =
      ICMPV6.floating("icmpv6.opt.src_linkaddr", 48, MAC, "Source link address");
  private static final Field TARGET_LINK =
      ICMPV6.floating("icmpv6.opt.target_linkaddr", 48, MAC, "Target link address");
  private static final Field LINK_64 =
      ICMPV6.floating("icmpv6.opt.linkaddr_eui64", 64, EUI64, "Link address");
  private static final Field SOURCE_LINK_64 =
      ICMPV6.floating("icmpv6.opt.src_linkaddr_eui64", 64, EUI64, "Source link address");
  private static final Field TARGET_LINK_64 =
      ICMPV6.floating("icmpv6.opt.target_linkaddr_eui64", 64, EUI64, "Target link address");
  private static final Field PREFIX_LENGTH =
      ICMPV6.floating("icmpv6.opt.prefix.length", 8, DECIMAL, "Prefix length");
  private static final Parts PREFIX_FLAGS =
      ICMPV6
          .parts("icmpv6.opt.prefix.flag", 8, HEX, "Prefix flags")
          .flag("icmpv6.opt.prefix.flag.l", "On link")
          .flag("icmpv6.opt.prefix.flag.a", "Autonomous configuration")
          .flag("icmpv6.opt.prefix.flag.r", "Router address")
          .part("icmpv6.opt.prefix.flag.reserved", 5, DECIMAL, "Reserved");
  private static final Field VALID =
      ICMPV6.floating("icmpv6.opt.prefix.valid_lifetime", 32, DECIMAL, "Valid lifetime in seconds");
  private static final Field PREFERRED =
      ICMPV6.floating(
          "icmpv6.opt.prefix.preferred_lifetime", 32, DECIMAL, "Preferred lifetime in seconds");
  private static final Field PREFIX = ICMPV6.floating("icmpv6.opt.prefix", 128, IPV6, "Prefix");
  private static final Field REDIRECTED =
      ICMPV6.floating("icmpv6.opt.redirected_packet", 0, NONE, "Redirected packet");
  private static final Field MTU = ICMPV6.floating("icmpv6.opt.mtu", 32, DECIMAL, "MTU");
  private static final Field INTERVAL =
      ICMPV6
          .source("RFC 6275, section 7.3")
          .floating("icmpv6.opt.advertisement_interval", 32, DECIMAL, "Interval in ms");
  private static final Field AGENT_PREFERENCE =
      ICMPV6.floating("icmpv6.opt.home_agent_preference", 16, DECIMAL, "Home agent preference");
  private static final Field AGENT_LIFETIME =
      ICMPV6.floating("icmpv6.opt.home_agent_lifetime", 16, DECIMAL, "Home agent lifetime");
  private static final Field ADDRESS =
      ICMPV6
          .source("RFC 3122, section 3.1")
          .floating("icmpv6.opt.ipv6_address", 128, IPV6, "Address");
  private static final Field NONCE =
      ICMPV6.source("RFC 3971, section 5.3.2").floating("icmpv6.opt.nonce", 0, BYTES, "Nonce");
  private static final Parts MAP_RANKS =
      ICMPV6
          .source("RFC 5380, section 7")
          .parts(8)
          .part("icmpv6.opt.map.distance", 4, DECIMAL, "Distance")
          .part("icmpv6.opt.map.preference", 4, DECIMAL, "Preference");
  private static final Parts MAP_FLAGS =
      ICMPV6
          .parts("icmpv6.opt.map.flag", 8, HEX, "Anchor flags")
          .flag("icmpv6.opt.map.flag.r", "Regional care-of address")
          .part("icmpv6.opt.map.flag.reserved", 7, DECIMAL, "Reserved");
  private static final Field MAP_LIFETIME =
      ICMPV6.floating("icmpv6.opt.map.valid_lifetime", 32, DECIMAL, "Anchor lifetime in seconds");
  private static final Field MAP_ADDRESS =
      ICMPV6.floating("icmpv6.opt.map.global_address", 128, IPV6, "Anchor");
  private static final Parts ROUTE_FLAGS =
      ICMPV6
          .source("RFC 4191, section 2.3")
          .parts("icmpv6.opt.route_info.flag", 8, HEX, "Route flags")
          .skip(3)
          .part("icmpv6.opt.route_info.flag.route_preference", 2, DECIMAL, "Route preference");
  private static final Field ROUTE_RESERVED =
      ICMPV6.floating("icmpv6.opt.route_info.flag.reserved", 8, DECIMAL, "Reserved");
  private static final Field ROUTE_LIFETIME =
      ICMPV6.floating("icmpv6.opt.route_lifetime", 32, DECIMAL, "Route lifetime in seconds");
  private static final Field SERVERS_LIFETIME =
      ICMPV6
          .source("RFC 8106, section 5.1")
          .floating("icmpv6.opt.rdnss.lifetime", 32, DECIMAL, "Lifetime of the servers in seconds");
  private static final Field SERVER =
      ICMPV6.floating("icmpv6.opt.rdnss", 128, IPV6, "Recursive server");
  private static final Parts EXTENSION =
      ICMPV6
          .source("RFC 5175, section 4")
          .parts("icmpv6.opt.efo", 16, HEX, "Flags extension")
          .flag("icmpv6.opt.efo.m", "Managed addresses")
          .flag("icmpv6.opt.efo.o", "Other configuration")
          .flag("icmpv6.opt.efo.h", "Home agent")
          .part("icmpv6.opt.efo.prf", 2, DECIMAL, "Preference of the router")
          .flag("icmpv6.opt.efo.p", "Proxy")
          .part("icmpv6.opt.efo.rsv", 10, DECIMAL, "Reserved");
  private static final Field DOMAINS_LIFETIME =
      ICMPV6
          .source("RFC 8106, section 5.2")
          .floating("icmpv6.opt.dnssl.lifetime", 32, DECIMAL, "Lifetime of the list in seconds");
  private static final Field DOMAIN = ICMPV6.floating("icmpv6.opt.dnssl", 0, TEXT, "Domain");
  private static final Field REGISTRATION_STATUS =
      ICMPV6
          .source("RFC 6775, section 4.1")
          .floating("icmpv6.opt.aro.status", 8, DECIMAL, "Registration status");
  private static final Field REGISTRATION_LIFETIME =
      ICMPV6.floating(
          "icmpv6.opt.aro.registration_lifetime", 16, DECIMAL, "Registration in minutes");
  private static final Field REGISTRATION_INTERFACE =
      ICMPV6.floating("icmpv6.opt.aro.eui64", 64, EUI64, "Interface registered");
  private static final Field CONTEXT_LENGTH =
      ICMPV6
          .source("RFC 6775, section 4.2")
          .floating("icmpv6.opt.6co.context_length", 8, DECIMAL, "Context length");
  private static final Parts CONTEXT_FLAGS =
      ICMPV6
          .parts("icmpv6.opt.6co.flag", 8, HEX, "Context flags")
          .part("icmpv6.opt.6co.flag.reserved", 3, DECIMAL, "Reserved")
          .flag("icmpv6.opt.6co.flag.c", "Compression")
          .part("icmpv6.opt.6co.flag.cid", 4, DECIMAL, "Context");
  private static final Field CONTEXT_LIFETIME =
      ICMPV6.floating("icmpv6.opt.6co.valid_lifetime", 16, DECIMAL, "Context lifetime in minutes");
  private static final Field CONTEXT_PREFIX =
      ICMPV6.floating("icmpv6.opt.6co.context_prefix", 128, IPV6, "Context prefix");
  private static final Field BORDER_LOW =
      ICMPV6
          .source("RFC 6775, section 4.3")
          .floating("icmpv6.opt.abro.version_low", 16, DECIMAL, "Version, low");
  private static final Field BORDER_HIGH =
      ICMPV6.floating("icmpv6.opt.abro.version_high", 16, DECIMAL, "Version, high");
  private static final Field BORDER_LIFETIME =
      ICMPV6.floating("icmpv6.opt.abro.valid_lifetime", 16, DECIMAL, "Border lifetime in minutes");
  private static final Field BORDER_ADDRESS =
      ICMPV6.floating("icmpv6.opt.abro.6lbr_address", 128, IPV6, "Border router");
  private static final Parts CAPABILITY =
      ICMPV6
          .source("RFC 7400, section 3.3")
          .parts(16)
          .part("icmpv6.opt.6cio.unassigned1", 15, HEX, "Unassigned")
          .part("icmpv6.opt.6cio.flag_g", 1, HEX, "Generic header compression");
  private static final Field CAPABILITY_UNASSIGNED =
      ICMPV6.floating("icmpv6.opt.6cio.unassigned2", 32, HEX, "Unassigned");
  private static final Field PORTAL =
      ICMPV6
          .source("RFC 8910, section 2.3")
          .floating("icmpv6.opt.captive_portal", 0, TEXT, "Captive portal");
  private static final Parts PREF64_LENGTHS =
      ICMPV6
          .source("RFC 8781, section 4")
          .parts(16)
          .part("icmpv6.opt.pref64.scaled_lifetime", 13, DECIMAL, "Lifetime in units of 8 s")
          .part("icmpv6.opt.pref64.plc", 3, HEX, "Prefix length code");
  private static final Field PREF64_PREFIX =
      ICMPV6.floating("icmpv6.opt.pref64.prefix", 96, IPV6, "NAT64 prefix");

  private NeighborOptions() {}

  /** Declares the fields: ICMPv6's are complete only then. */
  static void declare() {}

  /** Goes through all options from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int bytes = 8 * dissection.u8(1);
      if (bytes == 0) {
        dissection.malformed();
        return;
      }
      dissection.open(OPTION, bytes);
      int type = (int) dissection.add(TYPE);
      dissection.add(LENGTH);
      // The packet that was redirected is not among the bytes of the layer.
      int before = dissection.enter(type == REDIRECTED_HEADER ? dissection.left() : bytes - 2);
      data(dissection, type);
      dissection.leave(before);
      dissection.close();
    }
  }

  private static void data(Dissection dissection, int type) {
    switch (type) {
      case SOURCE_LINK_ADDRESS -> link(dissection, SOURCE_LINK, SOURCE_LINK_64);
      case TARGET_LINK_ADDRESS -> link(dissection, TARGET_LINK, TARGET_LINK_64);
      case PREFIX_INFORMATION -> {
        dissection.add(PREFIX_LENGTH);
        dissection.add(PREFIX_FLAGS);
        dissection.add(VALID);
        dissection.add(PREFERRED);
        dissection.add(RESERVED, 4);
        dissection.add(PREFIX);
      }
      case REDIRECTED_HEADER -> {
        dissection.add(RESERVED, 6);
        dissection.bytes(REDIRECTED, 0, 0);
      }
      case MTU_OPTION -> {
        dissection.add(RESERVED, 2);
        dissection.add(MTU);
      }
      case NONCE_OPTION -> dissection.addLeft(NONCE);
      case ROUTE -> {
        dissection.add(PREFIX_LENGTH);
        int flags = (int) dissection.add(ROUTE_FLAGS);
        dissection.value(ROUTE_RESERVED, ((flags >>> 3) & 0x1C) | (flags & 7), -1, 1);
        dissection.add(ROUTE_LIFETIME);
        dissection.addLeft(PREFIX);
      }
      case RECURSIVE_SERVERS -> {
        dissection.add(RESERVED, 2);
        dissection.add(SERVERS_LIFETIME);
        while (dissection.left() > 0) {
          dissection.add(SERVER);
        }
      }
      case FLAGS_EXTENSION -> {
        dissection.add(EXTENSION);
        dissection.add(RESERVED, dissection.left());
      }
      case SEARCH_LIST -> searchList(dissection);
      case CAPTIVE_PORTAL -> dissection.addLeft(PORTAL);
      case PREF64 -> {
        dissection.add(PREF64_LENGTHS);
        dissection.add(PREF64_PREFIX);
      }
      default -> rare(dissection, type);
    }
  }

  private static void rare(Dissection dissection, int type) {
    switch (type) {
      case ADVERTISEMENT_INTERVAL -> {
        dissection.add(RESERVED, 2);
        dissection.add(INTERVAL);
      }
      case HOME_AGENT -> {
        dissection.add(RESERVED, 2);
        dissection.add(AGENT_PREFERENCE);
        dissection.add(AGENT_LIFETIME);
      }
      case SOURCE_ADDRESSES, TARGET_ADDRESSES -> {
        dissection.add(RESERVED, 6);
        while (dissection.left() > 0) {
          dissection.add(ADDRESS);
        }
      }
      case MAP -> {
        dissection.add(MAP_RANKS);
        dissection.add(MAP_FLAGS);
        dissection.add(MAP_LIFETIME);
        dissection.add(MAP_ADDRESS);
      }
      case REGISTRATION -> {
        dissection.add(REGISTRATION_STATUS);
        dissection.add(RESERVED, 3);
        dissection.add(REGISTRATION_LIFETIME);
        dissection.add(REGISTRATION_INTERFACE);
      }
      case CONTEXT -> {
        dissection.add(CONTEXT_LENGTH);
        dissection.add(CONTEXT_FLAGS);
        dissection.add(RESERVED, 2);
        dissection.add(CONTEXT_LIFETIME);
        dissection.addLeft(CONTEXT_PREFIX);
      }
      case BORDER_ROUTER -> {
        dissection.add(BORDER_LOW);
        dissection.add(BORDER_HIGH);
        dissection.add(BORDER_LIFETIME);
        dissection.add(BORDER_ADDRESS);
      }
      case CAPABILITIES -> {
        dissection.add(CAPABILITY);
        dissection.add(CAPABILITY_UNASSIGNED);
      }
      default -> dissection.addLeft(DATA);
    }
  }

  private static void link(Dissection dissection, Field address, Field address64) {
    if (dissection.left() == EUI64_OPTION_BYTES - 2) {
      dissection.value(LINK_64, dissection.u64(0), 0, 8);
      dissection.add(address64);
      dissection.add(PADDING, dissection.left());
    } else if (dissection.left() == MAC_OPTION_BYTES - 2) {
      dissection.value(LINK, ((long) dissection.u16(0) << 32) | dissection.u32(2), 0, 6);
      dissection.add(address);
    } else {
      dissection.addLeft(DATA);
    }
  }

  private static void searchList(Dissection dissection) {
    dissection.add(RESERVED, 2);
    dissection.add(DOMAINS_LIFETIME);
    while (dissection.left() > 0 && dissection.u8(0) != 0) {
      DomainName.dissect(dissection, DOMAIN);
    }
    if (dissection.left() > 0) {
      dissection.add(PADDING, dissection.left());
    }
  }
}
