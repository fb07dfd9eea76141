package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.ChecksumState;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.testkit.Frames;
import io.linerate.testkit.VanishedPackets;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which bits a fault port flips, and what becomes of checksums. */
final class FaultDamageTest {
  private static final int ETHERNET_BYTES = 14;

  /** Of 10.0.0.1 to 10.0.0.2, with two bytes, and no checksum of UDP. */
  private static final byte[] UDP =
      HexFormat.of()
          .parseHex(
              "020000000002020000000001"
                  + "0800"
                  + "4500001e00000000401166cd0a0000010a000002"
                  + "00010009000a0000"
                  + "4142");

  private static final int CHECKSUM_OFFSET = 40;
  private static final int CHECKSUM = 0xAA8B;

  @Test
  void shouldFlipOneBitBehindTheEthernetHeader() {
    try (FaultLab lab = new FaultLab("corrupt=1,", 8_192)) {
      lab.feed(5_000);
      List<byte[]> received = lab.receive();
      TreeSet<Integer> bits = new TreeSet<>();
      List<byte[]> sent = Frames.numbered(5_000, FaultLab.LENGTH_BYTES);
      for (int i = 0; i < 5_000; i++) {
        bits.add(flippedBit(received.get(i), sent.get(i)));
      }
      assertThat(bits.getFirst()).isEqualTo(Byte.SIZE * ETHERNET_BYTES);
      assertThat(bits.getLast()).isEqualTo(Byte.SIZE * FaultLab.LENGTH_BYTES - 1);
      assertThat(lab.fault("corrupt")).isEqualTo(5_000);
    }
  }

  /** The number of the only bit that differs. */
  private static int flippedBit(byte[] one, byte[] other) {
    int at = Arrays.mismatch(one, other);
    assertThat(at).isNotNegative();
    int bit = (one[at] ^ other[at]) & 0xFF;
    assertThat(Integer.bitCount(bit)).isEqualTo(1);
    assertThat(Arrays.equals(one, at + 1, one.length, other, at + 1, other.length)).isTrue();
    return Byte.SIZE * at + Integer.numberOfTrailingZeros(bit);
  }

  @Test
  void shouldMakeChecksumsThatWereLeftBeforeItDamages() {
    byte[] whole = UDP.clone();
    whole[CHECKSUM_OFFSET] = (byte) (CHECKSUM >>> Byte.SIZE);
    whole[CHECKSUM_OFFSET + 1] = (byte) CHECKSUM;
    try (FaultLab lab = new FaultLab("corrupt=1,", 1_024)) {
      for (int i = 0; i < 500; i++) {
        lab.feed(UDP, Mbuf::leaveChecksum);
      }
      List<byte[]> received =
          lab.receive(packet -> {
            byte[] before = packet.toBytes();
            packet.completeChecksum(); // Were it left still, damage would be made good.
            assertThat(packet.toBytes()).isEqualTo(before);
          });
      assertThat(received).hasSize(500).allMatch(frame -> flippedBit(frame, whole) >= 0);
    }
  }

  @Test
  void shouldForgetWhatADeviceHasFoundOfTheChecksums() {
    try (FaultLab lab = new FaultLab("corrupt=1,", 1_024)) {
      lab.feed(
          UDP,
          mbuf ->
              Mbuf.flags(
                  mbuf, Mbuf.flags(mbuf) | Mbuf.TRANSPORT_CHECKSUM_GOOD | Mbuf.IP_CHECKSUM_GOOD));
      List<byte[]> received =
          lab.receive(packet -> {
            assertThat(packet.checksumState()).isEqualTo(ChecksumState.UNKNOWN);
            assertThat(packet.ipChecksumState()).isEqualTo(ChecksumState.UNKNOWN);
          });
      assertThat(received).hasSize(1);
    }
  }

  @Test
  void shouldLetSuperPacketsAlone() {
    try (FaultLab lab = new FaultLab("corrupt=1,", 1_024)) {
      lab.feed(UDP, mbuf -> Mbuf.superPacket(mbuf, 1));
      assertThat(lab.receive()).containsExactly(UDP);
      assertThat(lab.fault("corrupt")).isZero();
    }
  }

  @Test
  void shouldDamageAnyBitWhereThereIsNoEthernetHeader() {
    try (FaultLab lab = new FaultLab("corrupt=1,", 1_024)) {
      TreeSet<Integer> bits = new TreeSet<>();
      for (int i = 0; i < 1_000; i++) {
        lab.feed(UDP, mbuf -> Mbuf.linkType(mbuf, LinkType.RAW.number()));
      }
      lab.receive().forEach(frame -> bits.add(flippedBit(frame, UDP)));
      assertThat(bits.getFirst()).isLessThan(Byte.SIZE);
    }
  }

  @Test
  void shouldLetAloneWhatIsNoMoreThanAnEthernetHeader() {
    try (FaultLab lab = new FaultLab("corrupt=1,", 1_024)) {
      byte[] header = Arrays.copyOf(UDP, ETHERNET_BYTES);
      lab.feed(header, _ -> {});
      assertThat(lab.receive()).containsExactly(header);
      assertThat(lab.fault("corrupt")).isZero();
    }
  }

  /** As when the capture file that they lie in becomes shorter. */
  @Test
  void shouldHandOnWhatWasBeforePacketsThatCannotBeRead() throws IOException {
    try (VanishedPackets vanished = new VanishedPackets();
        FaultLab lab = new FaultLab("corrupt=1,duplicate=1,", 64)) {
      lab.feedVanished(vanished, 5, 3);
      OwnedBurst burst = new OwnedBurst(new MbufArray(64));
      RxQueue queue = lab.port.rxQueue(0);
      assertThat(queue.receive(burst.array())).isEqualTo(10);
      lab.free(burst);
      assertThat(queue.exhausted()).isFalse();
      assertThatThrownBy(() -> queue.receive(burst.array())).isInstanceOf(InternalError.class);
      assertThat(lab.port.statistics().missed()).isEqualTo(3);
    } // Throws if a buffer is missing.
  }

  @Test
  void shouldTakeNothingOfWhatCannotBeRead() throws IOException {
    try (VanishedPackets vanished = new VanishedPackets();
        FaultLab lab = new FaultLab("direction=tx,corrupt=1,duplicate=1,", 64)) {
      OwnedBurst burst = lab.packets(vanished, 5, 3);
      TxQueue queue = lab.port.txQueue(0);
      assertThat(queue.send(burst.array(), 0)).isEqualTo(5);
      burst.array().removeFirst(5);
      assertThatThrownBy(() -> queue.send(burst.array(), 0)).isInstanceOf(InternalError.class);
      lab.free(burst);
      assertThat(lab.collect()).hasSize(10);
    } // Throws if a buffer is missing, or was freed twice.
  }
}
