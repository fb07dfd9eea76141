package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;

import io.linerate.core.memory.LinkType;
import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** IPv6. Its extension headers are layers of their own. */
public final class Ipv6Protocol implements Protocol {
  public static final Fields IPV6_HEADER =
      Fields.of("ipv6", "Internet Protocol, version 6", "RFC 8200, section 3");
  public static final Field VERSION = IPV6_HEADER.field("ipv6.version", 4, DECIMAL, "Version");
  public static final Field TRAFFIC_CLASS =
      IPV6_HEADER.part("ipv6.tclass", 4, 8, 32, HEX, "Traffic class");
  public static final Field DSCP =
      IPV6_HEADER
          .source("RFC 2474, section 3")
          .part("ipv6.tclass.dscp", 4, 6, 32, DECIMAL, "Codepoint");
  public static final Field ECN =
      IPV6_HEADER
          .source("RFC 3168, section 5")
          .part("ipv6.tclass.ecn", 10, 2, 32, DECIMAL, "Congestion notification");
  public static final Field FLOW_LABEL =
      IPV6_HEADER.source("RFC 8200, section 3").part("ipv6.flow", 12, 20, 24, HEX, "Flow label");
  public static final Field PAYLOAD_LENGTH =
      IPV6_HEADER.at(4).field("ipv6.plen", 16, DECIMAL, "Payload length");
  public static final Field NEXT_HEADER =
      IPV6_HEADER.field("ipv6.nxt", 8, DECIMAL, "Next header", NumberNames.IP_PROTOCOLS);
  public static final Field HOP_LIMIT = IPV6_HEADER.field("ipv6.hlim", 8, DECIMAL, "Hop limit");
  public static final Field SOURCE = IPV6_HEADER.field("ipv6.src", 128, IPV6, "Source");
  public static final Field DESTINATION = IPV6_HEADER.field("ipv6.dst", 128, IPV6, "Destination");

  /** As IPv4 has it: the same name asks for both. */
  public static final Field IP_VERSION = IPV6_HEADER.floating("ip.version", 4, DECIMAL, "Version");

  private static final int HEADER_BYTES = 40;
  private static final int VERSION_6 = 6;
  private static final int USUAL_HOP_LIMIT = 64;

  static {
    IPV6_HEADER.alias("ipv6.addr", SOURCE, DESTINATION);
    IPV6_HEADER.alias("ipv6.src_host", SOURCE);
    IPV6_HEADER.alias("ipv6.dst_host", DESTINATION);
    IPV6_HEADER.alias("ipv6.host", SOURCE, DESTINATION);
    IPV6_HEADER.addresses(SOURCE, DESTINATION);
    IPV6_HEADER.summary(NEXT_HEADER, HOP_LIMIT);
  }

  @Override
  public Fields fields() {
    return IPV6_HEADER;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.LINK_TYPE.key(LinkType.IPV6.number()),
        DispatchTable.ETHER_TYPE.key(EtherType.IPV6),
        DispatchTable.IP_PROTOCOL.key(IpProtocol.IPV6));
  }

  @Override
  public void scan(Scan scan) {
    int payload = scan.number(PAYLOAD_LENGTH);
    int next = scan.number(NEXT_HEADER);
    if (scan.number(VERSION) != VERSION_6) {
      scan.malformed();
      return;
    }
    scan.header(HEADER_BYTES);
    // RFC 2675, section 2: 0 where a hop-by-hop option has the length.
    if (payload != 0 || next != IpProtocol.HOPOPT) {
      scan.total(HEADER_BYTES + payload);
    }
    scan.next(DispatchTable.IP_PROTOCOL, next);
  }

  @Override
  public void complete(LayerBuilder layer) {
    layer.complete(VERSION, VERSION_6);
    layer.complete(PAYLOAD_LENGTH, layer.totalLength() - HEADER_BYTES);
    long next = layer.next(DispatchTable.IP_PROTOCOL);
    layer.complete(NEXT_HEADER, next < 0 ? IpProtocol.IPV6_NONXT : next);
    layer.complete(HOP_LIMIT, USUAL_HOP_LIMIT);
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed(VERSION);
    if (dissection.layer().has(VERSION)) {
      dissection.value(IP_VERSION, dissection.layer().value(VERSION), -1, 1);
    }
    dissection.fixed(TRAFFIC_CLASS);
    dissection.fixed(DSCP);
    dissection.fixed(ECN);
    dissection.fixed(FLOW_LABEL);
    dissection.fixed(PAYLOAD_LENGTH);
    dissection.fixed(NEXT_HEADER);
    dissection.fixed(HOP_LIMIT);
    dissection.fixed(SOURCE);
    dissection.fixed(DESTINATION);
  }
}
