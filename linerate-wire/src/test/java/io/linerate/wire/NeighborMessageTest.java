package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NeighborMessageTest {
  /** An advertisement: solicited, override, with the Ethernet address. */
  private static final byte[] ADVERTISEMENT =
      HexFormat.of()
          .parseHex("8800ef2160000000fd770000000000000000000000000002" + "0201025e00530102");

  private final Packets packets = new Packets();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  private static byte[] with(int at, int value) {
    byte[] changed = ADVERTISEMENT.clone();
    changed[at] = (byte) value;
    return changed;
  }

  @Test
  void shouldReadAnAdvertisement() {
    Packet packet = packets.of(ADVERTISEMENT);
    NeighborMessage message = new NeighborMessage().wrap(packet, 0, ADVERTISEMENT.length);
    assertThat(NeighborMessage.fits(packet, 0, ADVERTISEMENT.length)).isTrue();
    assertThat(message.has(NeighborMessage.ROUTER)).isFalse();
    assertThat(message.has(NeighborMessage.SOLICITED)).isTrue();
    assertThat(message.has(NeighborMessage.OVERRIDE)).isTrue();
    assertThat(Ipv6Address.format(message.targetHigh(), message.targetLow())).isEqualTo("fd77::2");
    assertThat(message.linkLayerAddress(NeighborMessage.TARGET_LINK_LAYER_ADDRESS))
        .isEqualTo(MacAddress.parse("02:5e:00:53:01:02"));
    assertThat(message.linkLayerAddress(NeighborMessage.SOURCE_LINK_LAYER_ADDRESS)).isEqualTo(-1);
  }

  @Test
  void shouldBuildTheSameBytes() {
    byte[] dirty = new byte[ADVERTISEMENT.length];
    Arrays.fill(dirty, (byte) 0xA5);
    Packet packet = packets.of(dirty);
    Ipv6Address target = Ipv6Address.parse("fd77::2");
    new Icmp().wrap(packet, 0).type(Icmpv6.NEIGHBOR_ADVERTISEMENT).code(0).checksum(0xEF21);
    new NeighborMessage()
        .wrap(packet, 0, dirty.length)
        .flags(NeighborMessage.SOLICITED | NeighborMessage.OVERRIDE)
        .target(target.high(), target.low())
        .linkLayerAddress(
            NeighborMessage.TARGET_LINK_LAYER_ADDRESS, MacAddress.parse("02:5e:00:53:01:02"));
    assertThat(packet.toBytes()).isEqualTo(ADVERTISEMENT);
  }

  @Test
  void shouldFitOnlyWholeAndWithOptionsThatEndWhereItEnds() {
    for (int length = 0; length <= ADVERTISEMENT.length; length++) {
      Packet packet = packets.of(Arrays.copyOf(ADVERTISEMENT, length));
      assertThat(NeighborMessage.fits(packet, 0, length))
          .as("bytes=%d", length)
          .isEqualTo(length == NeighborMessage.HEADER_BYTES || length == ADVERTISEMENT.length);
      assertThat(NeighborMessage.fits(packet, 0, length + 1)).isFalse();
      assertThat(NeighborMessage.fits(packet, -1, length)).isFalse();
    }
    for (int units : new int[] {0, 2, 255}) {
      Packet packet = packets.of(with(25, units));
      assertThat(NeighborMessage.fits(packet, 0, ADVERTISEMENT.length)).isFalse();
    }
  }

  @Test
  void shouldFindTheAddressBehindOtherOptions() {
    byte[] nonce = HexFormat.of().parseHex("0e01010203040506");
    byte[] longer = Arrays.copyOf(ADVERTISEMENT, ADVERTISEMENT.length + nonce.length);
    System.arraycopy(ADVERTISEMENT, 24, longer, 32, 8);
    System.arraycopy(nonce, 0, longer, 24, 8);
    Packet packet = packets.of(longer);
    assertThat(NeighborMessage.fits(packet, 0, longer.length)).isTrue();
    assertThat(
            new NeighborMessage()
                .wrap(packet, 0, longer.length)
                .linkLayerAddress(NeighborMessage.TARGET_LINK_LAYER_ADDRESS))
        .isEqualTo(MacAddress.parse("02:5e:00:53:01:02"));
  }
}
