package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameTest {
  private static final long FIRST_NS = 1_000;

  private final Packets packets = new Packets();
  private final Decoder decoder = new Decoder(Protocols.standard());
  private final Frame frame = decoder.frame();
  private int made;

  @AfterEach
  void close() {
    packets.close();
  }

  /** A packet that came 10 ns after the one before, decoded by the cursor of loops. */
  private void decodeNext(int cutBytes) {
    Packet _ = packets.of(new byte[60]);
    long mbuf = packets.owned().handle(0);
    Mbuf.timestampNs(mbuf, FIRST_NS + 10L * made++);
    Mbuf.cutBytes(mbuf, cutBytes);
    packets
        .burst()
        .forEach(packet -> {
          decoder.decode(packet);
          if (made % 2 == 0) {
            assertTimes();
          }
        });
  }

  private void assertTimes() {
    assertThat(frame.timestampNs()).isEqualTo(FIRST_NS + 10L * (made - 1));
    assertThat(frame.relativeNs()).isEqualTo(10L * (made - 1));
  }

  @Test
  void shouldKnowTheTimeOfAPacketThatIsTheFirstToBeAskedFor() {
    decodeNext(0);
    decodeNext(0);
    assertThat(frame.deltaNs()).isZero();
    decodeNext(0);
    decodeNext(0);
    assertThat(frame.deltaNs()).isEqualTo(10);
    assertThat(frame.number()).isEqualTo(4);
  }

  @Test
  void shouldKnowTheTimesOfPacketsThatWereCut() {
    decodeNext(7);
    assertThat(frame.lengthBytes()).isEqualTo(67);
    decodeNext(7);
    decodeNext(0);
    assertThat(frame.lengthBytes()).isEqualTo(60);
    decodeNext(5);
    assertThat(frame.deltaNs()).isEqualTo(10);
  }

  @Test
  void shouldKnowTheTimesOfBytesThatAreNoPacket() {
    decodeNext(0);
    decoder.decode(packets.burst().packet(0), LinkType.ETHERNET, 5_000);
    assertThat(frame.timestampNs()).isEqualTo(5_000);
    assertThat(frame.relativeNs()).isEqualTo(5_000 - FIRST_NS);
    decodeNext(0);
    assertThat(frame.number()).isEqualTo(3);
  }

  @Test
  void shouldRefuseTheFirstQuestionForTheTimeOfAPacketThatIsGone() {
    decodeNext(0);
    Packet _ = packets.of(new byte[60]);
    packets.burst().forEach(decoder::decode);
    assertThatThrownBy(frame::timestampNs)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("frame=2");
    Packet _ = packets.of(new byte[60]);
    Mbuf.timestampNs(packets.owned().handle(0), 5_000);
    packets.burst().forEach(decoder::decode);
    assertThat(frame.timestampNs()).isEqualTo(5_000);
  }
}
