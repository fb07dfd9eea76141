package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.DURATION;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.Kind.TIME;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Frame;
import io.linerate.decode.Layer;
import io.linerate.decode.Protocol;
import java.util.Set;

/** What is known of a packet beside its bytes: no layer of it, but what comes before the first. */
public final class FrameProtocol implements Protocol {
  public static final Fields FRAME = Fields.of("frame", "Frame", "the capture");
  public static final Field TIME_EPOCH =
      FRAME.floating("frame.time_epoch", 64, DURATION, "Time since the epoch");
  public static final Field TIME_UTC = FRAME.floating("frame.time", 64, TIME, "Time");
  public static final Field TIME_DELTA =
      FRAME.floating("frame.time_delta", 64, DURATION, "Time since the packet before");
  public static final Field TIME_RELATIVE =
      FRAME.floating("frame.time_relative", 64, DURATION, "Time since the first packet");
  public static final Field NUMBER = FRAME.floating("frame.number", 32, DECIMAL, "Number");
  public static final Field LENGTH = FRAME.floating("frame.len", 32, DECIMAL, "Length on the wire");
  public static final Field CAPTURED_LENGTH =
      FRAME.floating("frame.cap_len", 32, DECIMAL, "Length captured");
  public static final Field PROTOCOLS = FRAME.floating("frame.protocols", 0, TEXT, "Protocols");

  /** What dispatches by ether types, which tshark tells as a protocol of its own. */
  private static final Set<Fields> OF_ETHER_TYPES =
      Set.of(
          EthernetProtocol.ETHERNET,
          VlanProtocol.VLAN,
          ProviderBridgeProtocol.BRIDGE,
          CookedProtocol.COOKED,
          Cooked2Protocol.COOKED,
          MacsecProtocol.MACSEC);

  private static final Set<String> PARTS =
      Set.of(
          SctpChunkProtocol.SCTP_CHUNK.name(),
          WlanManagementProtocol.MANAGEMENT.name(),
          EapProtocol.EAP.name());

  private static final Set<String> IN_DNS =
      Set.of(MdnsProtocol.MDNS.name(), LlmnrProtocol.LLMNR.name());

  @Override
  public Fields fields() {
    return FRAME;
  }

  @Override
  public void dissect(Dissection dissection) {
    Frame frame = dissection.frame();
    if (dissection.wants(TIME_UTC)
        || dissection.wants(TIME_EPOCH)
        || dissection.wants(TIME_DELTA)
        || dissection.wants(TIME_RELATIVE)) {
      times(dissection, frame);
    }
    dissection.value(NUMBER, frame.number(), 0, 0);
    dissection.value(LENGTH, frame.lengthBytes(), 0, 0);
    dissection.value(CAPTURED_LENGTH, frame.capturedBytes(), 0, 0);
    if (dissection.wants(PROTOCOLS)) {
      protocols(dissection);
    }
  }

  private static void times(Dissection dissection, Frame frame) {
    dissection.value(TIME_UTC, frame.timestampNs(), 0, 0);
    dissection.value(TIME_EPOCH, frame.timestampNs(), 0, 0);
    dissection.value(TIME_DELTA, frame.deltaNs(), 0, 0);
    dissection.value(TIME_RELATIVE, frame.relativeNs(), 0, 0);
  }

  private static void protocols(Dissection dissection) {
    StringBuilder text = dissection.text();
    Layer before = null;
    for (int i = 0; i < dissection.layers(); i++) {
      Layer layer = dissection.layer(i);
      if (before != null && isOfEtherType(before, layer)) {
        text.append(":ethertype");
      }
      if (before == null || !isPart(layer, before)) {
        text.append(text.isEmpty() ? "" : ":").append(name(layer));
      }
      before = layer;
    }
    dissection.text(PROTOCOLS, text, 0, 0);
  }

  private static boolean isOfEtherType(Layer before, Layer layer) {
    boolean isEncrypted = before.is(MacsecProtocol.MACSEC) && layer.is(DataProtocol.DATA);
    return OF_ETHER_TYPES.contains(before.protocol().fields())
        && !isEncrypted
        && !layer.is(LlcProtocol.LLC);
  }

  /**
   * Whether tshark does not tell a layer apart from the one before it: a further message of the
   * same protocol, which is no packet in a packet, or what is one protocol there.
   */
  private static boolean isPart(Layer layer, Layer before) {
    String name = name(layer);
    return PARTS.contains(name)
        || (name.equals(name(before)) && !layer.is(Ipv4Protocol.IP) && !isIpv6(layer))
        || (name.equals(DnsProtocol.DNS.name()) && IN_DNS.contains(name(before)))
        || (name.equals(HttpProtocol.HTTP.name()) && before.is(SsdpProtocol.SSDP));
  }

  private static boolean isIpv6(Layer layer) {
    return layer.is(Ipv6Protocol.IPV6_HEADER);
  }

  private static String name(Layer layer) {
    return layer.is(DnsTcpProtocol.DNS_TCP)
        ? DnsProtocol.DNS.name()
        : layer.is(Cooked2Protocol.COOKED) ? CookedProtocol.COOKED.name() : layer.name();
  }
}
