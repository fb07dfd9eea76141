package io.linerate.driver.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.PacketPools;
import io.linerate.testkit.PacketMaker;
import java.lang.foreign.Arena;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VirtioHeaderTest {
  private static final int MTU_BYTES = 1_500;
  private static final int HEADERS_BYTES = 14 + 20 + 20;

  private final PacketPools pools = new PacketPools();
  private final PacketMaker maker = new PacketMaker("maker", pools, 16);
  private final MbufArray packets = new MbufArray(1);

  @AfterEach
  void sendHome() {
    pools.free(packets.address(), packets.size());
    assertThat(pools.close()).isEmpty();
  }

  /** Ethernet, IPv4 and TCP, and bytes that belong to none of them. */
  private long tcp(int payloadBytes, int trailerBytes) {
    byte[] frame = new byte[HEADERS_BYTES + payloadBytes + trailerBytes];
    byte[] headers =
        HexFormat.of()
            .parseHex(
                "02000000000202000000000108004500000000004000400600000a0000010a000002"
                    + "0400005000000001000000005010ffff00000000");
    System.arraycopy(headers, 0, frame, 0, headers.length);
    int packetBytes = HEADERS_BYTES - 14 + payloadBytes;
    frame[16] = (byte) (packetBytes >>> 8);
    frame[17] = (byte) packetBytes;
    assertThat(maker.append(packets, frame)).isTrue();
    return packets.handle(0);
  }

  private static int bytesOfSegments(long mbuf) {
    int bytes = 0;
    for (long segment = mbuf; segment != 0; segment = Mbuf.next(segment)) {
      bytes += Mbuf.dataLength(segment);
    }
    return bytes;
  }

  @Test
  void shouldSayHowTheKernelIsToCut() {
    try (Arena arena = Arena.ofConfined()) {
      long header = arena.allocate(VirtioHeader.BYTES, 8).address();
      long mbuf = tcp(5_000, 0);
      new VirtioHeader().write(header, mbuf, MTU_BYTES);
      assertThat(VirtioHeader.isSuperPacket(header)).isTrue();
      assertThat(VirtioHeader.needsChecksum(header)).isTrue();
      assertThat(NativeMemory.u16(header + 2)).as("headers").isEqualTo(HEADERS_BYTES);
      assertThat(NativeMemory.u16(header + 4)).as("segment").isEqualTo(MTU_BYTES - 40);
    }
  }

  /** The kernel takes all that it is given for payload, and its last segment would have them. */
  @Test
  void shouldLeaveOutWhatIsBehindAPacketThatTheKernelCuts() {
    try (Arena arena = Arena.ofConfined()) {
      long header = arena.allocate(VirtioHeader.BYTES, 8).address();
      long mbuf = tcp(5_000, 3_000);
      new VirtioHeader().write(header, mbuf, MTU_BYTES);
      assertThat(VirtioHeader.isSuperPacket(header)).isTrue();
      assertThat(Mbuf.packetLength(mbuf)).isEqualTo(HEADERS_BYTES + 5_000);
      assertThat(bytesOfSegments(mbuf)).isEqualTo(HEADERS_BYTES + 5_000);
    }
  }

  @Test
  void shouldKnowWhichKernelsTakeDatagramsTogether() {
    assertThat(List.of("6.5.0-generic", "6.18.44", "10.0")).allMatch(VirtioHeader::takesDatagrams);
    assertThat(List.of("6.4.9", "6.1.0-30-amd64", "5.15", "", "new"))
        .noneMatch(VirtioHeader::takesDatagrams);
  }

  @Test
  void shouldLeavePaddingWhereNothingIsCut() {
    try (Arena arena = Arena.ofConfined()) {
      long header = arena.allocate(VirtioHeader.BYTES, 8).address();
      long mbuf = tcp(4, 2);
      new VirtioHeader().write(header, mbuf, MTU_BYTES);
      assertThat(VirtioHeader.isSuperPacket(header)).isFalse();
      assertThat(Mbuf.packetLength(mbuf)).isEqualTo(60);
    }
  }
}
