package io.linerate.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import io.linerate.wire.Ethernet;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VxlanTest {
  /** VXLAN of network 123,456 and the Ethernet header of an ARP request. */
  private static final byte[] BYTES =
      HexFormat.of().parseHex("0800000001e24000" + "ffffffffffff02005e0053010806");

  private final Packets packets = new Packets();
  private final Vxlan vxlan = new Vxlan();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  @Test
  void shouldReadWhereverThePacketIsSplit() {
    for (int first = 0; first <= BYTES.length; first++) {
      Packet packet = packets.ofSegments(BYTES, first, BYTES.length - first);
      assertThat(Vxlan.fits(packet, 0)).isTrue();
      assertThat(vxlan.wrap(packet, 0).vni()).isEqualTo(123_456);
      assertThat(Ethernet.fits(packet, vxlan.payloadOffset())).isTrue();
    }
  }

  @Test
  void shouldFitOnlyWhenItIsThere() {
    for (int length = 0; length <= BYTES.length; length++) {
      Packet packet = packets.of(Arrays.copyOf(BYTES, length));
      for (int offset = -1; offset <= length + 1; offset++) {
        boolean whole = offset >= 0 && offset + Vxlan.HEADER_BYTES <= length;
        boolean fits = whole && (BYTES[offset] & 0x08) != 0;
        assertThat(Vxlan.fits(packet, offset)).isEqualTo(fits);
        if (fits) {
          vxlan.wrap(packet, offset).vni();
        }
      }
    }
  }

  @Test
  void shouldBuildOverGarbage() {
    byte[] garbage = BYTES.clone();
    Arrays.fill(garbage, 0, Vxlan.HEADER_BYTES, (byte) 0xA5);
    Packet packet = packets.of(garbage);
    vxlan.wrap(packet, 0).vni(123_456);
    assertThat(packet.toBytes()).isEqualTo(BYTES);
  }

  @Test
  void shouldRefuseMoreThan24Bits() {
    Packet packet = packets.of(BYTES);
    assertThatIllegalArgumentException().isThrownBy(() -> vxlan.wrap(packet, 0).vni(1 << 24));
    assertThatIllegalArgumentException().isThrownBy(() -> vxlan.vni(-1));
    assertThat(packet.toBytes()).isEqualTo(BYTES);
  }
}
