package io.linerate.wire.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StreamNameTest {
  private static final byte[] HTTP =
      bytes("POST /a HTTP/1.1\r\nX: y\r\nHost: http.example\r\nZ: 1\r\n\r\nbody");

  private static final byte[] DNS =
      HexFormat.of()
          .parseHex(
              "001d1234010000010000000000000364 6e73076578616d706c650000010001".replace(" ", ""));

  private final StreamName any = new StreamName(false);
  private final StreamName dnsPort = new StreamName(true);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static List<byte[]> samples() {
    List<byte[]> samples = new ArrayList<>(List.of(HTTP, DNS));
    Hellos.recorded().forEach(hello -> samples.add(hello.bytes()));
    samples.add(Hellos.inRecords(Hellos.curl(), 20));
    return samples;
  }

  @Test
  void shouldKnowTheProtocolByItsBytes() {
    assertThat(Cut.step(any, HTTP)).isEqualTo(HTTP.length - 4 + " http.example");
    assertThat(Cut.step(any, DNS)).isEqualTo(DNS.length + " dns.example");
    assertThat(Cut.step(dnsPort, DNS)).isEqualTo(DNS.length + " dns.example");
    assertThat(Cut.step(any, Hellos.curl())).endsWith(" curl.example.org");
    for (String other :
        List.of("SSH-2.0-x\r\n", "EHLO a\r\n", "*1\r\n$4\r\nPING\r\n", "\0\0\0\0\0")) {
      assertThat(Cut.whole(any, bytes(other))).isEqualTo("NONE");
    }
  }

  /** The length of a padded question may be the letters of a method. */
  @Test
  void shouldReadAQuestionThatBeginsLikeAnotherProtocol() {
    for (int length : new int[] {0x4745, 0x1603, 0x5053}) {
      byte[] padded = DNS.clone();
      padded[0] = (byte) (length >> 8);
      padded[1] = (byte) length;
      assertThat(Cut.step(any, padded)).endsWith(" dns.example");
    }
  }

  @Test
  void shouldRefuseWhatIsTooLong() {
    for (byte[] start : List.of(bytes("GET / HTTP/1.1\r\nX: "), bytes("GET /"), bytes("X\t"))) {
      byte[] all = new byte[NameReader.MOST_BYTES + 10];
      Arrays.fill(all, (byte) 'x');
      System.arraycopy(start, 0, all, 0, start.length);
      assertThat(Cut.step(any, all)).isEqualTo(NameReader.MOST_BYTES + " MALFORMED");
    }
    ByteArrayOutputStream padding = new ByteArrayOutputStream();
    padding.writeBytes(new byte[] {0, 21, 0x3F, 0});
    padding.writeBytes(new byte[0x3F00]);
    padding.writeBytes(Hellos.serverName(0, "a".repeat(63) + "." + "b".repeat(60)));
    padding.writeBytes(new byte[] {0, 99, 1, 0});
    padding.writeBytes(new byte[256]);
    assertThat(Cut.step(any, Hellos.withExtensions(padding.toByteArray())))
        .isEqualTo("5 MALFORMED");
  }

  @Test
  @Tag("sampled")
  void shouldSayTheSameHoweverManyBytesComeAtOnce() {
    List<byte[]> samples = samples();
    SplittableRandom random = new SplittableRandom(Soak.seed(7));
    for (int i = 0; i < Soak.times(3_000, 300_000); i++) {
      byte[] bytes = samples.get(random.nextInt(samples.size())).clone();
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        int within = random.nextBoolean() ? bytes.length : Math.min(80, bytes.length);
        bytes[random.nextInt(within)] =
            (byte)
                (random.nextBoolean()
                    ? random.nextInt(256)
                    : "\r\n :.HC\0\1".charAt(random.nextInt(9)));
      }
      StreamName reader = random.nextBoolean() ? any : dnsPort;
      assertThat(Cut.step(reader, bytes)).isEqualTo(Cut.anew(reader, bytes));
    }
  }

  @Test
  void shouldReadPacketsWithoutAllocating() {
    List<byte[]> samples = samples();
    try (Packets packets = new Packets(samples.size())) {
      samples.forEach(packets::append);
      PacketBytes view = new PacketBytes();
      AllocationMeter meter = new AllocationMeter(20_000);
      int found = 0;
      while (!meter.isDone()) {
        for (Packet packet : packets.burst()) {
          view.wrap(packet, 0, packet.length());
          found += any.read(view, 0) == NameSearch.FOUND ? 1 : 0;
        }
        meter.add(samples.size());
      }
      meter.assertQuiet();
      assertThat(found).isPositive();
    }
  }
}
