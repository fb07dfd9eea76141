package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.protocol.Icmpv6Protocol.ICMPV6;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import java.util.Map;

/** Node information queries and replies: the query type and the code say what the data is. */
final class NodeInformation {
  private static final int NODE_NAME = 2;
  private static final int NODE_ADDRESSES = 3;
  private static final int IPV4_ADDRESSES = 4;
  private static final int SUBJECT_IPV6 = 0;
  private static final int SUBJECT_NAME = 1;
  private static final int SUBJECT_IPV4 = 2;

  private static final Field QUERY =
      ICMPV6
          .source("RFC 4620, section 4")
          .floating(
              "icmpv6.ni.qtype",
              16,
              DECIMAL,
              "Query",
              ValueNames.of(
                  Map.of(
                      0,
                      "No operation",
                      NODE_NAME,
                      "Node name",
                      NODE_ADDRESSES,
                      "Node addresses",
                      IPV4_ADDRESSES,
                      "IPv4 addresses")));
  private static final Parts FLAGS =
      ICMPV6
          .parts("icmpv6.ni.flag", 16, HEX, "Query flags")
          .part("icmpv6.ni.flag.rsv", 10, HEX, "Reserved")
          .flag("icmpv6.ni.flag.g", "Global addresses")
          .flag("icmpv6.ni.flag.s", "Site-local addresses")
          .flag("icmpv6.ni.flag.l", "Link-local addresses")
          .flag("icmpv6.ni.flag.c", "IPv4-compatible and mapped addresses")
          .flag("icmpv6.ni.flag.a", "All unicast addresses")
          .flag("icmpv6.ni.flag.t", "Truncated");
  private static final Field NONCE = ICMPV6.floating("icmpv6.ni.nonce", 64, HEX, "Nonce");
  private static final Field SUBJECT_ADDRESS =
      ICMPV6.floating("icmpv6.ni.query.subject_ipv6", 128, IPV6, "Subject");
  private static final Field SUBJECT =
      ICMPV6.floating("icmpv6.ni.query.subject_fqdn", 0, TEXT, "Subject");
  private static final Field SUBJECT_ADDRESS_4 =
      ICMPV6.floating("icmpv6.ni.query.subject_ipv4", 32, IPV4, "Subject");
  private static final Field TTL =
      ICMPV6.floating("icmpv6.ni.reply.node_ttl", 32, DECIMAL, "Time to live in seconds");
  private static final Field NAME =
      ICMPV6.floating("icmpv6.ni.reply.node_name", 0, TEXT, "Node name");
  private static final Field ADDRESS =
      ICMPV6.floating("icmpv6.ni.reply.node_address", 128, IPV6, "Node address");
  private static final Field ADDRESS_4 =
      ICMPV6.floating("icmpv6.ni.reply.ipv4_address", 32, IPV4, "IPv4 address");

  private NodeInformation() {}

  /** Declares the fields: ICMPv6's are complete only then. */
  static void declare() {}

  static void dissect(Dissection dissection, boolean isReply) {
    int code = (int) dissection.layer().value(Icmpv6Protocol.CODE);
    int query = (int) dissection.add(QUERY);
    dissection.add(FLAGS);
    dissection.add(NONCE);
    if (dissection.left() == 0) {
      return;
    }
    if (isReply) {
      reply(dissection, query);
    } else {
      subject(dissection, code);
    }
  }

  private static void subject(Dissection dissection, int code) {
    switch (code) {
      case SUBJECT_IPV6 -> dissection.add(SUBJECT_ADDRESS);
      case SUBJECT_NAME -> DomainName.dissect(dissection, SUBJECT);
      case SUBJECT_IPV4 -> dissection.add(SUBJECT_ADDRESS_4);
      default -> {}
    }
  }

  private static void reply(Dissection dissection, int query) {
    while (dissection.left() > 0) {
      switch (query) {
        case NODE_NAME -> {
          dissection.add(TTL);
          while (dissection.left() > 0) {
            DomainName.dissect(dissection, NAME);
          }
        }
        case NODE_ADDRESSES -> {
          dissection.add(TTL);
          dissection.add(ADDRESS);
        }
        case IPV4_ADDRESSES -> {
          dissection.add(TTL);
          dissection.add(ADDRESS_4);
        }
        default -> {
          return;
        }
      }
    }
  }
}
