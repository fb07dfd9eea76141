package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;

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
import io.linerate.wire.Ipv4;
import java.util.List;

/** IPv4. */
public final class Ipv4Protocol implements Protocol {
  public static final Fields IP =
      Fields.of("ip", "Internet Protocol, version 4", "RFC 791, section 3.1");
  public static final Field VERSION = IP.field("ip.version", 4, DECIMAL, "Version");
  public static final Field HEADER_LENGTH = IP.scaled("ip.hdr_len", 4, 4, DECIMAL, "Header length");
  public static final Field SERVICE =
      IP.source("RFC 2474, section 3").field("ip.dsfield", 8, HEX, "Differentiated services");
  public static final Field DSCP = IP.part("ip.dsfield.dscp", 8, 6, 8, DECIMAL, "Codepoint");
  public static final Field ECN =
      IP.source("RFC 3168, section 5")
          .part("ip.dsfield.ecn", 14, 2, 8, DECIMAL, "Congestion notification");
  public static final Field TOTAL_LENGTH =
      IP.source("RFC 791, section 3.1").field("ip.len", 16, DECIMAL, "Total length");
  public static final Field IDENTIFICATION = IP.field("ip.id", 16, HEX, "Identification");
  public static final Field FLAGS = IP.field("ip.flags", 3, HEX, "Flags");
  public static final Field RESERVED = IP.part("ip.flags.rb", 48, 1, 8, FLAG, "Reserved");
  public static final Field DONT_FRAGMENT =
      IP.part("ip.flags.df", 49, 1, 8, FLAG, "Don't fragment");
  public static final Field MORE_FRAGMENTS =
      IP.part("ip.flags.mf", 50, 1, 8, FLAG, "More fragments");
  public static final Field FRAGMENT_OFFSET =
      IP.field("ip.frag_offset", 13, DECIMAL, "Fragment offset in units of 8 bytes");
  public static final Field TTL = IP.field("ip.ttl", 8, DECIMAL, "Time to live");
  public static final Field PROTOCOL =
      IP.field("ip.proto", 8, DECIMAL, "Protocol", NumberNames.IP_PROTOCOLS);
  public static final Field CHECKSUM = IP.field("ip.checksum", 16, HEX, "Header checksum");
  public static final Field SOURCE = IP.field("ip.src", 32, IPV4, "Source");
  public static final Field DESTINATION = IP.field("ip.dst", 32, IPV4, "Destination");

  private static final int USUAL_TTL = 64;

  static {
    Ipv4Options.declare();
    IP.alias("ip.addr", SOURCE, DESTINATION);
    IP.addresses(SOURCE, DESTINATION);
    IP.summary(PROTOCOL, TTL);
    IP.alias("ip.src_host", SOURCE);
    IP.alias("ip.dst_host", DESTINATION);
    IP.alias("ip.host", SOURCE, DESTINATION);
  }

  @Override
  public Fields fields() {
    return IP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.LINK_TYPE.key(LinkType.IPV4.number()),
        DispatchTable.ETHER_TYPE.key(EtherType.IPV4),
        DispatchTable.IP_PROTOCOL.key(IpProtocol.IPIP));
  }

  @Override
  public void scan(Scan scan) {
    int headerBytes = scan.number(HEADER_LENGTH);
    int totalLength = scan.number(TOTAL_LENGTH);
    if (scan.number(VERSION) != Ipv4.VERSION || headerBytes < Ipv4.HEADER_BYTES) {
      scan.malformed();
      return;
    }
    scan.header(headerBytes);
    // 0 where a device cuts what is sent: the frame says how long the packet is.
    if (totalLength != 0) {
      if (totalLength < headerBytes) {
        scan.malformed();
      }
      scan.total(Math.max(totalLength, headerBytes));
    }
    if (scan.number(FRAGMENT_OFFSET) == 0) {
      scan.next(DispatchTable.IP_PROTOCOL, scan.number(PROTOCOL));
      if (scan.number(MORE_FRAGMENTS) != 0) {
        scan.partial();
      }
    }
  }

  @Override
  public void complete(LayerBuilder layer) {
    layer.complete(VERSION, Ipv4.VERSION);
    layer.complete(HEADER_LENGTH, layer.length());
    layer.complete(TOTAL_LENGTH, layer.totalLength());
    layer.complete(TTL, USUAL_TTL);
    layer.complete(PROTOCOL, Math.max(layer.next(DispatchTable.IP_PROTOCOL), 0));
    if (!layer.isSet(CHECKSUM)) {
      layer.complete(CHECKSUM, 0);
      layer.complete(CHECKSUM, layer.checksum(0, false));
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (dissection.wantsMore()) {
      Ipv4Options.dissect(dissection);
    }
  }
}
