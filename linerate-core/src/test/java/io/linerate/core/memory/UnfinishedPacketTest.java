package io.linerate.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.VlanTag;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What stands beside a packet: states of its checksums, a checksum that was left, a VLAN tag. */
class UnfinishedPacketTest {
  private static final int CHECKSUM = 40;
  private static final int RIGHT = ~(0x0A00 + 1 + 0x0A00 + 2 + 17 + 30 + 0x0400 + 0x35 + 30);

  private final TestBuffers buffers = new TestBuffers(8);

  @AfterEach
  void close() {
    buffers.close();
  }

  /** A datagram of zeroes from 10.0.0.1 to 10.0.0.2, whose checksum is wrong. */
  private static byte[] udp(int paddingBytes) {
    ByteBuffer frame = ByteBuffer.allocate(64 + paddingBytes);
    frame.putShort(12, (short) 0x0800).putInt(14, 0x4500_0000 | 50).putInt(22, 0x4011_0000);
    frame.putInt(26, 0x0A00_0001).putInt(30, 0x0A00_0002);
    return frame.putInt(34, 0x0400_0035).putInt(38, 30 << 16 | 7).array();
  }

  private long handle(int index) {
    return buffers.owned.array().handle(index);
  }

  @Test
  void shouldTellWhatADeviceFound() {
    Packet packet = buffers.append(udp(0), 64);
    assertThat(packet.checksumState()).isEqualTo(ChecksumState.UNKNOWN);
    assertThat(packet.ipChecksumState()).isEqualTo(ChecksumState.UNKNOWN);
    Mbuf.flags(handle(0), Mbuf.TRANSPORT_CHECKSUM_BAD | Mbuf.IP_CHECKSUM_GOOD);
    assertThat(packet.checksumState()).isEqualTo(ChecksumState.BAD);
    assertThat(packet.ipChecksumState()).isEqualTo(ChecksumState.GOOD);
    packet.growHead(4);
    assertThat(packet.checksumState()).isEqualTo(ChecksumState.UNKNOWN);
    assertThat(packet.ipChecksumState()).isEqualTo(ChecksumState.UNKNOWN);
  }

  @Test
  void shouldLeaveAChecksumOnlyWhereItIsFinished() {
    Packet packet = buffers.append(udp(0), 64);
    assertThat(packet.leaveChecksum()).isFalse();
    buffers.owned.owner().leavesChecksums(true);
    assertThat(packet.leaveChecksum()).isTrue();
    assertThat(packet.checksumState()).isEqualTo(ChecksumState.NONE);
    packet.completeChecksum();
    assertThat(packet.checksumState()).isEqualTo(ChecksumState.UNKNOWN);
    assertThat(packet.u16(CHECKSUM)).isEqualTo(RIGHT & 0xFFFF);
  }

  @Test
  void shouldStandForSeveralOnlyWhereTheyAreCut() {
    Packet packet = buffers.append(udp(0), 64);
    buffers.owned.owner().leavesChecksums(true);
    assertThat(packet.leaveCutting(4)).isFalse();
    assertThat(packet.segmentBytes()).isZero();
    buffers.owned.owner().leavesCutting(true);
    assertThat(packet.leaveCutting(4)).isTrue();
    assertThat(packet.segmentBytes()).isEqualTo(4);
    assertThat(packet.checksumState()).isEqualTo(ChecksumState.NONE);
    assertThatThrownBy(() -> packet.leaveCutting(-1)).isInstanceOf(IllegalArgumentException.class);
    buffers.owned.owner().leavesCutting(false);
  }

  @Test
  void shouldNotLeaveWhatDevicesSumWrongly() {
    buffers.owned.owner().leavesChecksums(true);
    assertThat(buffers.append(udp(2), 66).leaveChecksum()).isFalse();
  }

  @Test
  void shouldForgetAVlanTagOrPutItBack() {
    Packet packet = buffers.append(udp(0), 64);
    assertThat(packet.vlanTag()).isEqualTo(-1);
    Mbuf.vlanTag(handle(0), 0x6064);
    assertThat(packet.vlanTag()).isEqualTo(0x6064);
    packet.removeVlanTag();
    assertThat(packet.vlanTag()).isEqualTo(-1);
    Mbuf.vlanTag(handle(0), 0x6064);
    assertThat(VlanTag.restore(handle(0))).isTrue();
    byte[] tagged = buffers.burst.packet(0).toBytes();
    assertThat(ByteBuffer.wrap(tagged).getInt(12)).isEqualTo(0x8100_6064);
    assertThat(tagged).hasSize(68);
    assertThat(Mbuf.vlanTag(handle(0))).isEqualTo(-1);
  }
}
