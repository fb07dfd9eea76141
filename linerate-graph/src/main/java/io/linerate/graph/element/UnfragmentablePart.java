package io.linerate.graph.element;

import io.linerate.core.memory.Packet;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Extension;

/**
 * The headers of an IPv6 packet that every fragment of it has: up to the hop-by-hop options or the
 * routing header, whichever comes last. RFC 8200, section 4.5.
 */
final class UnfragmentablePart {
  /** Offset of the field in the IPv6 header. */
  private static final int NEXT_HEADER = 6;

  private final Ipv6Extension extension = new Ipv6Extension();
  private int nextHeaderOffset;
  private int end;

  /** Finds it, and says whether the packet can be cut: not if it has a fragment header already. */
  boolean find(Packet packet, int l3Offset) {
    nextHeaderOffset = l3Offset + NEXT_HEADER;
    end = l3Offset + Ipv6.HEADER_BYTES;
    int at = end;
    for (boolean more = extension.first(packet, l3Offset); more; more = extension.next()) {
      int type = extension.type();
      if (type == IpProtocol.IPV6_FRAG) {
        return false;
      }
      if (type == IpProtocol.HOPOPT || type == IpProtocol.IPV6_ROUTE) {
        nextHeaderOffset = at;
        end = extension.payloadOffset();
      }
      at = extension.payloadOffset();
    }
    return true;
  }

  /** Where the field is that says what follows. */
  int nextHeaderOffset() {
    return nextHeaderOffset;
  }

  /** Offset of the first byte behind. */
  int end() {
    return end;
  }
}
