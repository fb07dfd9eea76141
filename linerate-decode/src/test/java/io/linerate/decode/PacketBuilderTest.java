package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.EthernetProtocol;
import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.TcpProtocol;
import io.linerate.decode.protocol.UdpProtocol;
import io.linerate.decode.protocol.VlanProtocol;
import io.linerate.testkit.Packets;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PacketBuilderTest {
  private static final long MAC = 0x0200_0000_0001L;

  private final Protocols protocols = Protocols.standard();
  private final Packets packets = new Packets();
  private final Decoder decoder = new Decoder(protocols);

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  @Test
  void shouldCompleteWhatIsNotSet() {
    byte[] bytes =
        new PacketBuilder(protocols)
            .add(EthernetProtocol.ETHERNET)
            .set(EthernetProtocol.SOURCE, MAC)
            .add(VlanProtocol.VLAN)
            .set(VlanProtocol.IDENTIFIER, 7)
            .add(Ipv4Protocol.IP)
            .set(Ipv4Protocol.SOURCE, 0xC000_0201L)
            .set(Ipv4Protocol.DESTINATION, 0xC000_0202L)
            .add(TcpProtocol.TCP)
            .set(TcpProtocol.SOURCE_PORT, 40_000)
            .set(TcpProtocol.DESTINATION_PORT, 80)
            .set(TcpProtocol.SYN, 1)
            .append(4, 0x0204_05B4L)
            .append(1, 1)
            .pad(4, 0)
            .build();
    Packet packet = packets.of(bytes);
    decoder.decode(packet);
    assertThat(decoder.mark()).isEqualTo(Mark.SOUND);
    assertThat(decoder.at(0).value(EthernetProtocol.SOURCE)).isEqualTo(MAC);
    assertThat(decoder.layer(Ipv4Protocol.IP).value(Ipv4Protocol.TTL)).isEqualTo(64);
    Layer tcp = decoder.layer(TcpProtocol.TCP);
    assertThat(decoder.has(tcp)).isTrue();
    assertThat(tcp.value(TcpProtocol.HEADER_LENGTH)).isEqualTo(28);
    assertThat(tcp.value(TcpProtocol.FLAGS)).isEqualTo(2);
    HeaderScanner scanner = new HeaderScanner();
    assertThat(scanner.scan(packet)).isTrue();
    assertThat(InternetChecksum.isWrong(packet, scanner)).isFalse();
  }

  @Test
  void shouldLeaveWhatIsSet() {
    byte[] bytes =
        new PacketBuilder(protocols)
            .add(EthernetProtocol.ETHERNET)
            .add(Ipv4Protocol.IP)
            .set(Ipv4Protocol.TOTAL_LENGTH, 9)
            .add(UdpProtocol.UDP)
            .set(UdpProtocol.CHECKSUM, 0xBEEF)
            .append(new byte[] {1, 2, 3})
            .build();
    decoder.decode(packets.of(bytes));
    assertThat(decoder.at(1).mark()).isEqualTo(Mark.MALFORMED);
    assertThat(decoder.at(1).value(Ipv4Protocol.TOTAL_LENGTH)).isEqualTo(9);
    assertThat(bytes).endsWith(0xBE, 0xEF, 1, 2, 3);
  }

  @Test
  void shouldRefuseWhatDoesNotFit() {
    PacketBuilder builder = new PacketBuilder(protocols).add(Ipv4Protocol.IP);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.set(Ipv4Protocol.TTL, 256))
        .withMessageContaining("field=ip.ttl, value=256");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.set(Ipv4Protocol.HEADER_LENGTH, 22));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.set(UdpProtocol.LENGTH, 1));
  }

  @Test
  void shouldReadBackEveryFieldThatIsWritten() {
    SplittableRandom random = new SplittableRandom(3);
    for (Protocol protocol : protocols.all()) {
      for (Field field : protocol.fields().all()) {
        if (!field.isFixed() || field.bits() > 64) {
          continue;
        }
        byte[] bytes = new byte[field.byteOffset() + field.bytes() + 2];
        random.nextBytes(bytes);
        long mask = field.bits() == 64 ? -1 : (1L << field.bits()) - 1;
        long value = (random.nextLong() & mask) * field.factor();
        byte[] before = bytes.clone();
        FieldWriter.write(bytes, field.byteOffset(), field, value);
        ByteView view = ByteView.of(bytes, bytes.length);
        int skipped = field.bitOffset() & 7;
        assertThat(Layer.number(view, field.byteOffset(), skipped, field) * field.factor())
            .as(field.name())
            .isEqualTo(value);
        long old =
            Layer.number(ByteView.of(before, before.length), field.byteOffset(), skipped, field);
        FieldWriter.write(bytes, field.byteOffset(), field, old * field.factor());
        assertThat(bytes).as(field.name() + " alone").isEqualTo(before);
      }
    }
  }

  @Test
  void shouldWriteToPackets() {
    byte[] bytes =
        new PacketBuilder(protocols)
            .add(EthernetProtocol.ETHERNET)
            .add(Ipv4Protocol.IP)
            .add(UdpProtocol.UDP)
            .build();
    decoder.decode(packets.of(bytes));
    Layer udp = decoder.layer(UdpProtocol.UDP);
    udp.value(UdpProtocol.DESTINATION_PORT, 53).value(UdpProtocol.SOURCE_PORT, 1);
    assertThat(udp.value(UdpProtocol.DESTINATION_PORT)).isEqualTo(53);
    assertThat(udp.value(UdpProtocol.SOURCE_PORT)).isEqualTo(1);
    assertThat(udp.value(UdpProtocol.LENGTH)).isEqualTo(8);
  }
}
