package io.linerate.decode.reassembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.core.memory.SlidingWindowBuffer;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Soak;
import io.linerate.wire.Tcp;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How much work a segment makes, counted and not timed: in proportion to its bytes, whatever came
 * before, and again when it leaves. And how much is kept.
 */
class StreamWorkTest {
  /** Of a segment, before its bytes. */
  private static final int STEPS_PER_SEGMENT = 64;

  private static final int STEPS_PER_BYTE = 32;

  /** When a range leaves that has waited: its tree has so many levels. */
  private static final int STEPS_PER_RANGE = 32;

  private static final int HELD_PACKETS = 8_192;
  private static final int CLIENT = 40_000;
  private static final int SEGMENTS = 3_000;

  private final TcpSegments segments = new TcpSegments(HELD_PACKETS);
  private final Reader reader = new Reader();
  private StreamSettings settings = StreamSettings.DEFAULT.withStreams(64);
  private TcpReassembler reassembler = reassembler();
  private long steps;
  private long allowed;
  private int client = CLIENT;

  /** Reads all that comes but for some bytes. */
  private static final class Reader implements StreamListener {
    private long read;
    private long gaps;
    private long left;

    @Override
    public void onGap(TcpStream stream, Direction direction, long bytes) {
      gaps++;
    }

    @Override
    public void onBytes(TcpStream stream, Direction direction) {
      SlidingWindowBuffer window = stream.bytes(direction);
      long count = Math.max(window.length() - left, 0);
      read += count;
      window.slideTo(window.start() + count);
    }
  }

  private TcpReassembler reassembler() {
    return new TcpReassembler(settings, segments.held, reader, new Random(1));
  }

  @AfterEach
  void nothingIsLeft() {
    reassembler.close();
    assertThat(segments.held.size()).isZero();
    assertThat(reassembler.memory().segments()).isZero();
    assertThat(reassembler.memory().packets()).isZero();
    segments.close();
  }

  /** Of what a client sends. */
  private void client(int sequence, int flags, int count) {
    add(segments, segments.of(client, true, sequence, 0, flags, count), count);
  }

  private void server(int acknowledgment) {
    add(segments, segments.of(client, false, 5_000, acknowledgment, Tcp.ACK, 0), 0);
  }

  private void add(TcpSegments from, Packet packet, int count) {
    StreamMemory memory = reassembler.memory();
    long before = memory.steps;
    int waited = memory.segments() + memory.packets();
    assertThat(reassembler.add(packet, from.scanner, 0)).isNotNull();
    long done = memory.steps - before;
    long mine = STEPS_PER_SEGMENT + (long) STEPS_PER_BYTE * count;
    assertThat(done).isLessThanOrEqualTo(mine + (long) STEPS_PER_RANGE * waited);
    steps += done;
    allowed += mine;
    assertThat(memory.segments()).isLessThanOrEqualTo(settings.waitingSegments());
  }

  enum Order {
    GAPS {
      @Override
      int sequence(int i) {
        return 3 + 2 * i;
      }
    },
    DESCENDING {
      @Override
      int sequence(int i) {
        return 3 + 2 * (SEGMENTS - i);
      }
    },
    ALTERNATING {
      @Override
      int sequence(int i) {
        return 3 + (i % 2 == 0 ? i : 4 * SEGMENTS - i);
      }
    },
    CONTIGUOUS {
      @Override
      int sequence(int i) {
        return 2 + i;
      }
    },
    OVERLAPPING {
      @Override
      int sequence(int i) {
        return 3 + 2 * (i % 900);
      }

      // Each tenth of the second half is over many of the first.
      @Override
      int bytes(int i) {
        return i > 900 && i % 10 == 0 ? 1_400 : 1;
      }
    };

    abstract int sequence(int i);

    int bytes(int i) {
      assert i >= 0;
      return 1;
    }
  }

  /** As many as wait at most. */
  private void fill(Order order, int count) {
    client(0, Tcp.SYN, 0);
    for (int i = 0; i < count; i++) {
      client(order.sequence(i), Tcp.ACK, order.bytes(i));
    }
  }

  private void requireLittleWork() {
    assertThat(steps).as("all together").isLessThanOrEqualTo(allowed);
  }

  @ParameterizedTest
  @EnumSource
  void shouldWorkInProportionToTheBytesUntilItIsReset(Order order) {
    for (OverlapPolicy policy : OverlapPolicy.values()) {
      settings = settings.withPolicy(policy);
      reassembler = reassembler();
      fill(order, 2_000);
      assertThat(reassembler.memory().segments()).isPositive();
      client(0, Tcp.RST, 0);
      assertThat(segments.held.size()).isZero();
      requireLittleWork();
      reassembler.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldWorkInProportionToTheBytesUntilAllIsAcknowledged(Order order) {
    fill(order, 2_000);
    assertThat(reassembler.memory().segments()).isPositive();
    server(100_000);
    client(90_000, Tcp.ACK, 1);
    assertThat(segments.held.size()).isZero();
    requireLittleWork();
  }

  @Test
  void shouldWorkInProportionToTheBytesUntilTheMissingOneComes() {
    fill(Order.CONTIGUOUS, 2_000);
    assertThat(segments.held.size()).isEqualTo(2_000);
    client(1, Tcp.ACK, 1);
    assertThat(reader.read).isEqualTo(2_001);
    assertThat(segments.held.size()).isZero();
    requireLittleWork();
  }

  @Test
  void shouldCountWhatIsMissingAsLostWhenTooManyWait() {
    fill(Order.GAPS, SEGMENTS);
    int most = settings.waitingSegments();
    assertThat(reassembler.memory().segments()).isEqualTo(most);
    assertThat(reader.gaps).isEqualTo(SEGMENTS - most);
    assertThat(reader.read).isEqualTo(SEGMENTS - most);
    requireLittleWork();
  }

  @Test
  void shouldHaveRoomForAWindowBehindALostSegment() {
    client(0, Tcp.SYN, 0);
    for (int at = 536; at < settings.windowBytes(); at += 536) {
      client(1 + at, Tcp.ACK, 536);
    }
    assertThat(reader.gaps).isZero();
    client(1, Tcp.ACK, 536);
    assertThat(reader.read).isGreaterThan(settings.windowBytes());
  }

  @ParameterizedTest
  @CsvSource({"1, 4096", "300, 3495"})
  void shouldForgetWhatNobodyReads(int bytes, int most) {
    client(0, Tcp.SYN, 0);
    reader.left = Long.MAX_VALUE;
    for (int i = 0; i < 5_000; i++) {
      client(1 + bytes * i, Tcp.ACK, bytes);
      assertThat(segments.held.size()).isLessThanOrEqualTo(most);
    }
    requireLittleWork();
  }

  /** One after the other: what one has left is the next one's. */
  @Test
  @Tag("sampled")
  void shouldTakeNoMoreMemoryForMoreStreams() {
    int made = 0;
    long parts = 0;
    int streams = Soak.times(200, 10_000);
    for (int i = 0; i < streams; i++) {
      client = 1_024 + i;
      boolean isRead = i % 2 == 0;
      reader.left = isRead ? 0 : Long.MAX_VALUE;
      client(0, Tcp.SYN, 0);
      for (int j = 0; j < 500; j++) {
        client(isRead ? 3 + 2 * j : 1 + j, Tcp.ACK, 1);
      }
      client(0, Tcp.RST, 0);
      assertThat(segments.held.size()).isZero();
      StreamMemory memory = reassembler.memory();
      if (i == settings.streams()) {
        made = memory.made();
        parts = memory.parts();
        assertThat(made).isLessThan(2 * 502);
        assertThat(parts).isLessThanOrEqualTo(2L * 64 * settings.streams());
      } else if (i > settings.streams()) {
        assertThat(memory.made()).isEqualTo(made);
        assertThat(memory.parts()).isEqualTo(parts);
      }
    }
    requireLittleWork();
  }

  /** At the same time: each had much that was not read, and has a little. */
  @Test
  void shouldLetGoOfRoomWhenAllStreamsTogetherHaveMuch() {
    settings = settings.withStreams(64);
    try (TcpSegments few = new TcpSegments(256)) {
      reassembler = new TcpReassembler(settings, few.held, reader, new Random(1));
      StreamMemory memory = reassembler.memory();
      long most = 0;
      for (int i = 0; i < settings.streams(); i++) {
        client = 1_024 + i;
        add(few, few.of(client, true, 0, 0, Tcp.SYN, 0), 0);
        reader.left = Long.MAX_VALUE;
        for (int j = 0; j < 150; j++) {
          reader.left = j < 149 ? Long.MAX_VALUE : 1;
          add(few, few.of(client, true, 1 + j, 0, Tcp.ACK, 1), 1);
        }
        most = Math.max(most, memory.parts());
      }
      assertThat(few.held.size()).isEqualTo(settings.streams());
      assertThat(most).isLessThanOrEqualTo(memory.mostParts() + 4 * 256 + 8L * settings.streams());
      assertThat(memory.parts()).isLessThanOrEqualTo(memory.mostParts() + 12L * settings.streams());
      reassembler.close();
      assertThat(few.held.size()).isZero();
    }
  }

  /** What each stream has left is small, whatever it had. */
  @Test
  void shouldLetGoOfMemoryWhenStreamsEnd() {
    int streams = 512;
    settings = settings.withStreams(streams);
    reassembler = reassembler();
    reader.left = Long.MAX_VALUE;
    long before = usedBytes();
    for (int i = 0; i < streams; i++) {
      client = 1_024 + i;
      client(0, Tcp.SYN, 0);
      for (int j = 0; j < 1_500; j++) {
        client(1 + j, Tcp.ACK, 1);
      }
      client(0, Tcp.RST, 0);
    }
    assertThat(reassembler.size()).isEqualTo(streams);
    assertThat(usedBytes() - before).isLessThan(32_000L * streams);
  }

  /** After everything else has gone; a stream that lets go of nothing has 200 KB. */
  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  /** Also where segments are lost, and come again later than those behind them. */
  @Test
  void shouldMakeNoObjectForASegment() {
    AllocationMeter meter = new AllocationMeter(20_000);
    settings = settings.withIdle(Duration.ofSeconds(10));
    reassembler = reassembler();
    client(0, Tcp.SYN, 0);
    int sequence = 1;
    while (!meter.isDone()) {
      for (int i = 1; i <= 40; i++) {
        int at = sequence + 10 * (i % 40 == 0 ? 0 : i);
        TcpStream _ =
            reassembler.add(segments.of(client, true, at, 0, Tcp.ACK, 10), segments.scanner, 0);
      }
      sequence += 400;
      meter.add(40);
    }
    meter.assertQuiet();
    assertThat(reader.read).isPositive();
    assertThat(reader.gaps).isZero();
  }
}
