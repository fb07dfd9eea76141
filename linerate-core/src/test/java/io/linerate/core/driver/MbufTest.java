package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class MbufTest {
  private static final byte FILL = (byte) 0xA5;

  @Test
  void shouldPutTheFieldsWhereDpdkHasThem() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(Mbuf.HEADER_BYTES, 64);
      header.fill(FILL);
      long mbuf = header.address();
      Mbuf.reset(mbuf, 128);
      Mbuf.buffer(mbuf, 0x1000, 2176);
      Mbuf.pool(mbuf, 7);
      Mbuf.next(mbuf, 0x2000);
      Mbuf.dataLength(mbuf, 1500);
      Mbuf.packetLength(mbuf, 9000);
      Mbuf.segments(mbuf, 6);
      // rte_mbuf_core.h: buf_addr, data_off, refcnt, nb_segs, pkt_len, data_len, buf_len, pool,
      // next.
      assertThat(header.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(0x1000);
      assertThat(header.get(ValueLayout.JAVA_CHAR, 16)).isEqualTo((char) 128);
      assertThat(header.get(ValueLayout.JAVA_CHAR, 18)).isEqualTo((char) 1);
      assertThat(header.get(ValueLayout.JAVA_CHAR, 20)).isEqualTo((char) 6);
      assertThat(header.get(ValueLayout.JAVA_LONG, 24)).isZero();
      assertThat(header.get(ValueLayout.JAVA_INT, 36)).isEqualTo(9000);
      assertThat(header.get(ValueLayout.JAVA_CHAR, 40)).isEqualTo((char) 1500);
      assertThat(header.get(ValueLayout.JAVA_CHAR, 54)).isEqualTo((char) 2176);
      assertThat(header.get(ValueLayout.JAVA_LONG, 56)).isEqualTo(7);
      assertThat(header.get(ValueLayout.JAVA_LONG, 64)).isEqualTo(0x2000);
      assertThat(Mbuf.dataAddress(mbuf)).isEqualTo(0x1000 + 128);
      for (int own = Mbuf.OFFLOADS_OFFSET; own < Mbuf.TIMESTAMP_OFFSET; own++) {
        assertThat(header.get(ValueLayout.JAVA_BYTE, own)).as("byte %d", own).isZero();
      }
      for (int other : new int[] {8, 15, 22, 32, 35, 42, 53, 72, 103, 120, 127}) {
        assertThat(header.get(ValueLayout.JAVA_BYTE, other)).as("byte %d", other).isEqualTo(FILL);
      }
    }
  }

  @Test
  void shouldKnowWhetherATimeWasRecorded() {
    try (Arena arena = Arena.ofConfined()) {
      long mbuf = arena.allocate(Mbuf.HEADER_BYTES, 64).address();
      Mbuf.reset(mbuf, 0);
      assertThat(Mbuf.hasTimestamp(mbuf)).isFalse();
      Mbuf.timestampNs(mbuf, 123);
      assertThat(Mbuf.hasTimestamp(mbuf)).isTrue();
      assertThat(Mbuf.timestampNs(mbuf)).isEqualTo(123);
    }
  }
}
