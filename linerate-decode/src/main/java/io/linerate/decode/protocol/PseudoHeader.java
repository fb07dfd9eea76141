package io.linerate.decode.protocol;

import io.linerate.decode.LayerBuilder;
import org.jspecify.annotations.Nullable;

/** What the checksums of upper layers cover of the IP header: RFC 9293, 3.1; RFC 8200, 8.1. */
final class PseudoHeader {
  private static final int IPV4_SOURCE = 12;
  private static final int IPV4_ADDRESSES = 8;
  private static final int IPV6_SOURCE = 8;
  private static final int IPV6_ADDRESSES = 32;

  private PseudoHeader() {}

  /** The checksum of an upper layer and all that it carries, whose field is 0. */
  static int checksum(LayerBuilder layer, int protocol) {
    long length = layer.totalLength();
    long words = (length >>> 16) + (length & 0xFFFF);
    return layer.checksum(addresses(layer.outer()) + protocol + words, true);
  }

  /** Of the IP header below, behind which extension headers may stand. */
  private static long addresses(@Nullable LayerBuilder from) {
    for (LayerBuilder below = from; below != null; below = below.outer()) {
      if (below.is(Ipv4Protocol.IP)) {
        return below.sum(IPV4_SOURCE, IPV4_ADDRESSES);
      }
      if (below.is(Ipv6Protocol.IPV6_HEADER)) {
        return below.sum(IPV6_SOURCE, IPV6_ADDRESSES);
      }
    }
    return 0;
  }
}
