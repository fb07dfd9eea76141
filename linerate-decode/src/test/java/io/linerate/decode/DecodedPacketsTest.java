package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.linerate.core.port.PortException;
import io.linerate.decode.protocol.Ipv4Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class DecodedPacketsTest {
  private static final String MIXED = "pcap:rx=../examples/captures/mixed.pcapng,linktype=any";

  @Test
  void shouldShowEachPacketOnce() {
    List<Long> sources = new ArrayList<>();
    try (DecodedPackets packets = DecodedPackets.of(Protocols.standard(), MIXED)) {
      Layer ip = packets.decoder().layer(Ipv4Protocol.IP);
      for (Decoder packet : packets) {
        if (packet.has(ip)) {
          sources.add(ip.value(Ipv4Protocol.SOURCE));
        }
      }
      assertThat(packets.decoder().frame().number()).isGreaterThan(sources.size());
      assertThatExceptionOfType(NoSuchElementException.class)
          .isThrownBy(() -> packets.iterator().next());
    }
    assertThat(sources).contains(0x0A01_000AL).hasSizeGreaterThan(50);
  }

  @Test
  void shouldSayThatThereIsNoFile() {
    assertThatExceptionOfType(PortException.class)
        .isThrownBy(() -> DecodedPackets.of(Protocols.standard(), "pcap:rx=missing.pcap"));
  }
}
