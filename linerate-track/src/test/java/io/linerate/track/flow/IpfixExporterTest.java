package io.linerate.track.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.memory.Packet;
import io.linerate.track.Segments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** By RFC 7011 anew; tshark reads the messages in a test of its own. */
class IpfixExporterTest {
  private static final long SECOND = 1_000_000_000;

  private final Segments segments = new Segments();
  private final List<ByteBuffer> messages = new ArrayList<>();
  private boolean isReliable;
  private boolean isBroken;
  private long nowMs = 1_700_000_000_000L;

  private final IpfixTransport transport =
      new IpfixTransport() {
        @Override
        public void send(ByteBuffer message) throws IOException {
          if (isBroken) {
            throw new IOException("gone");
          }
          messages.add(ByteBuffer.allocate(message.remaining()).put(message).flip());
        }

        @Override
        public boolean isReliable() {
          return isReliable;
        }
      };

  private final IpfixExporter exporter = new IpfixExporter(transport, 1_000, 77, () -> nowMs);
  private final FlowMeter meter =
      new FlowMeter(FlowSettings.DEFAULT, new SplittableRandom(1), exporter);

  @AfterEach
  void close() {
    segments.close();
  }

  /** Tells of so many flows, every other one of two directions. */
  private void flows(int count) {
    for (int i = 0; i < count; i++) {
      packet(segments.udp(true, 5), Segments.L4, i);
      if ((i & 1) != 0) {
        packet(segments.udp(false, 9), Segments.L4 + 2, i);
      }
    }
    meter.end();
  }

  private void packet(Packet packet, int portAt, int port) {
    packet.u16(portAt, port);
    Mbuf.timestampNs(segments.owned().handle(0), 1_700_000_000 * SECOND + 123_456_789);
    meter.accept(packet);
  }

  /** Sets of a message by identifier, in their order. */
  private static List<Map.Entry<Integer, byte[]>> sets(ByteBuffer message) {
    ByteBuffer bytes = message.duplicate();
    assertThat(bytes.getShort()).isEqualTo((short) 10);
    assertThat(bytes.getShort() & 0xFFFF).isEqualTo(message.limit()).isLessThanOrEqualTo(1_000);
    bytes.position(16);
    List<Map.Entry<Integer, byte[]>> sets = new ArrayList<>();
    while (bytes.hasRemaining()) {
      int id = bytes.getShort();
      byte[] content = new byte[bytes.getShort() - 4];
      bytes.get(content);
      sets.add(Map.entry(id, content));
    }
    return sets;
  }

  /** Bytes of records by template, from the templates of the messages. */
  private Map<Integer, Integer> templates() {
    Map<Integer, Integer> templates = new HashMap<>();
    for (ByteBuffer message : messages) {
      for (Map.Entry<Integer, byte[]> set : sets(message)) {
        ByteBuffer content = ByteBuffer.wrap(set.getValue());
        while (set.getKey() == 2 && content.hasRemaining()) {
          int id = content.getShort();
          int bytes = 0;
          for (int fields = content.getShort(); fields > 0; fields--) {
            boolean isEnterprise = content.getShort() < 0;
            bytes += content.getShort();
            if (isEnterprise) {
              assertThat(content.getInt()).isEqualTo(29_305);
            }
          }
          templates.put(id, bytes);
        }
      }
    }
    return templates;
  }

  @Test
  void shouldSendTemplatesOnceAndAllRecordsInSequence() throws IOException {
    flows(100);
    exporter.close();
    assertThat(templates()).containsOnlyKeys(256, 257, 258, 259);
    int records = 0;
    int templateSets = 0;
    for (ByteBuffer message : messages) {
      assertThat(message.getInt(4)).isEqualTo(1_700_000_000);
      assertThat(message.getInt(8)).isEqualTo(records);
      assertThat(message.getInt(12)).isEqualTo(77);
      for (Map.Entry<Integer, byte[]> set : sets(message)) {
        if (set.getKey() == 2) {
          templateSets++;
        } else {
          int bytes = templates().get(set.getKey());
          assertThat(set.getValue().length % bytes).isZero();
          records += set.getValue().length / bytes;
        }
      }
    }
    assertThat(records).isEqualTo(100);
    assertThat(templateSets).isEqualTo(1);
    assertThat(exporter.messages()).isEqualTo(messages.size()).isGreaterThan(5);
  }

  @Test
  void shouldSendTemplatesAgainWhereTheyMayGetLost() {
    flows(2);
    nowMs += 59_999;
    flows(2);
    nowMs += 1;
    flows(2);
    assertThat(messages).hasSize(3);
    assertThat(messages)
        .extracting(message -> sets(message).get(0).getKey() == 2)
        .containsExactly(true, false, true);
  }

  @Test
  void shouldSendTemplatesOnceWhereNothingGetsLost() {
    isReliable = true;
    flows(2);
    nowMs += 1_000_000;
    flows(2);
    assertThat(messages)
        .extracting(message -> sets(message).get(0).getKey() == 2)
        .containsExactly(true, false);
  }

  @Test
  void shouldGoOnAfterALostMessageAndShowItInTheSequence() throws IOException {
    isBroken = true;
    flows(1);
    isBroken = false;
    flows(1);
    assertThat(exporter.lostMessages()).isEqualTo(1);
    assertThat(messages.get(0).getInt(8)).isEqualTo(1);
    assertThat(templates()).hasSize(4); // Which the first one had as well.
    exporter.close();
  }

  @Test
  void shouldSayWhatFailsWhereNothingGetsLost() {
    isReliable = true;
    isBroken = true;
    flows(50);
    assertThat(exporter.failure()).hasMessage("gone");
    assertThat(exporter.lostMessages()).isEqualTo(1);
    assertThatIOException().isThrownBy(exporter::close).withMessage("gone");
  }

  @Test
  void shouldWriteTimesThatReadAsTheSameNanoseconds() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 10_000; i++) {
      long ns = random.nextLong(2_000_000_000 * SECOND);
      long ntp = IpfixMessage.ntp(ns);
      long seconds = (ntp >>> 32) - 2_208_988_800L;
      long fraction = ((ntp & 0xFFFF_FFFFL) * SECOND) >>> 32;
      assertThat(seconds * SECOND + fraction).isEqualTo(ns);
    }
  }

  @Test
  void shouldSayWhatCannotBe() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IpfixExporter(transport, 599, 1, () -> 0))
        .withMessageContaining("messageBytes=599");
  }
}
