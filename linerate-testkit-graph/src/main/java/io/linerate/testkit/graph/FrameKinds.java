package io.linerate.testkit.graph;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.B6;
import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.MAC_B;
import static io.linerate.testkit.graph.FrameBuilder.address;
import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.icmp6;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;

import io.linerate.wire.Arp;
import io.linerate.wire.EtherType;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.NeighborMessage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Right frames of all kinds, for what has to hold whatever comes. */
public final class FrameKinds {
  private FrameKinds() {}

  /** One of each kind. */
  public static List<byte[]> all() {
    return byName().values().stream().map(FrameBuilder::toBytes).toList();
  }

  /** One of each kind, by its name. */
  public static Map<String, FrameBuilder> byName() {
    Map<String, FrameBuilder> frames = new TreeMap<>();
    frames.put("udp4", udp4().payload(40));
    frames.put("udp6", udp6().payload(40));
    frames.put("tcp4", tcp4().payload(33));
    frames.put("tcp6", tcp6().payload(33));
    frames.put("echo4", icmp4().payload(32));
    frames.put("echo6", icmp6().payload(32));
    frames.put("options4", part4(1, 0, false).options(1, 7, 7, 4, 0).payload(30));
    frames.put("fragment4", part4(9, 0, true).payload(64));
    frames.put("later fragment4", part4(9, 64, false).payload(24));
    frames.put("fragment6", part6(0, true).payload(64));
    frames.put("later fragment6", part6(64, false).payload(20));
    frames.put("vlan udp4", udp4().payload(18).vlan(100));
    frames.put(
        "qinq udp6", udp6().payload(18).vlan(5).vlan(EtherType.PROVIDER_BRIDGE, tag -> tag.vid(6)));
    frames.put("arp request", FrameBuilder.arp(Arp.REQUEST, MAC_A, A4, "00:00:00:00:00:00", B4));
    frames.put("arp reply", FrameBuilder.arp(Arp.REPLY, MAC_A, A4, MAC_B, B4));
    frames.put("neighbor solicitation", solicitation());
    frames.put("unknown type", ethernet().payload(50));
    return frames;
  }

  private static FrameBuilder part4(int identification, int offsetBytes, boolean isMoreToCome) {
    return ipv4().protocol(IpProtocol.UDP).fragment(identification, offsetBytes, isMoreToCome);
  }

  private static FrameBuilder part6(int offsetBytes, boolean isMoreToCome) {
    return ipv6().protocol(IpProtocol.UDP).fragment(77, offsetBytes, isMoreToCome);
  }

  /** A asks for the MAC address of B. */
  private static FrameBuilder solicitation() {
    byte[] option = {NeighborMessage.SOURCE_LINK_LAYER_ADDRESS, 1};
    return ipv6()
        .ethernet(MAC_A, "33:33:ff:00:00:02")
        .between(FrameBuilder.A6, "ff02::1:ff00:2")
        .ipv6(ip -> ip.hopLimit(255))
        .icmp(icmp -> icmp.type(Icmpv6.NEIGHBOR_SOLICITATION).restOfHeader(0))
        .payload(address(B6), option, address(MAC_A));
  }
}
