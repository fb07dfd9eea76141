package io.linerate.decode.reassembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.SlidingWindowBuffer;
import io.linerate.testkit.Soak;
import io.linerate.wire.Tcp;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the order of segments, the bytes are those of a model that has each by itself. */
class StreamModelTest {
  private static final int CLIENT = 40_000;
  private static final int HELD_PACKETS = 1_024;
  private static final int STREAM_BYTES = 1_500;
  private static final int MOST_BYTES = 60;

  private final TcpSegments segments = new TcpSegments(HELD_PACKETS);
  private final Random random = new Random(Soak.seed(11));
  private final Reader reader = new Reader();
  private final byte[] payload = new byte[MOST_BYTES];

  @AfterEach
  void buffersAreHome() {
    segments.close();
  }

  /** Reads a part of what is there, or throws. */
  private final class Reader implements StreamListener {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean isThrowing;

    @Override
    public void onBytes(TcpStream stream, Direction direction) {
      if (isThrowing && random.nextInt(16) == 0) {
        throw new IllegalStateException("listener");
      }
      SlidingWindowBuffer window = stream.bytes(direction);
      int count = random.nextInt(4) == 0 ? random.nextInt(window.length() + 1) : window.length();
      byte[] copy = new byte[count];
      window.get(0, copy, 0, count);
      bytes.writeBytes(copy);
      window.slideTo(window.start() + count);
    }
  }

  /** A stream, byte by byte. */
  private static final class Model {
    private final OverlapPolicy policy;
    private final byte[] values = new byte[STREAM_BYTES];
    private final int[] wholeStarts = new int[STREAM_BYTES];
    private final int[] wholeEnds = new int[STREAM_BYTES];
    private int end;

    Model(OverlapPolicy policy) {
      this.policy = policy;
    }

    void add(int start, int count, byte[] bytes) {
      for (int at = Math.max(start, end); at < start + count; at++) {
        boolean isThere = wholeEnds[at] > 0;
        if (!isThere || policy.keepsNew(start, start + count, wholeStarts[at], wholeEnds[at])) {
          values[at] = bytes[at - start];
          wholeStarts[at] = start;
          wholeEnds[at] = start + count;
        }
      }
      while (end < STREAM_BYTES && wholeEnds[end] > 0) {
        end++;
      }
    }

    byte[] bytes() {
      return Arrays.copyOf(values, end);
    }
  }

  private int fillPayload(int most) {
    int count = 1 + random.nextInt(Math.min(MOST_BYTES, most));
    random.nextBytes(payload);
    for (int i = 0; i < count; i++) {
      segments.payload(i, payload[i]);
    }
    return count;
  }

  @ParameterizedTest
  @EnumSource
  @Tag("sampled")
  void shouldGiveTheBytesOfAModel(OverlapPolicy policy) {
    int rounds = Soak.times(20, 2_000);
    StreamSettings settings = StreamSettings.DEFAULT.withStreams(8).withPolicy(policy);
    for (int round = 0; round < rounds; round++) {
      var reassembler = new TcpReassembler(settings, segments.held, reader, new Random(1));
      var model = new Model(policy);
      reader.bytes.reset();
      int isn = random.nextInt();
      send(reassembler, isn, Tcp.SYN, 0);
      int reach = 1 + random.nextInt(STREAM_BYTES);
      while (model.end < STREAM_BYTES) {
        int start = random.nextInt(Math.min(model.end + reach, STREAM_BYTES));
        start = random.nextInt(8) == 0 ? model.end : start;
        int count = fillPayload(STREAM_BYTES - start);
        model.add(start, count, payload);
        send(reassembler, isn + 1 + start, Tcp.ACK, count);
        byte[] expected = model.bytes();
        byte[] read = reader.bytes.toByteArray();
        assertThat(read).isEqualTo(Arrays.copyOf(expected, read.length));
      }
      reassembler.close();
      assertThat(reader.bytes.size()).isGreaterThan(STREAM_BYTES / 2);
      requireNothingLeft(reassembler);
    }
  }

  private void send(TcpReassembler reassembler, int sequence, int flags, int count) {
    assertThat(
            reassembler.add(
                segments.of(CLIENT, true, sequence, 0, flags, count), segments.scanner, 0))
        .isNotNull();
  }

  private void requireNothingLeft(TcpReassembler reassembler) {
    assertThat(segments.held.size()).isZero();
    assertThat(reassembler.memory().segments()).isZero();
    assertThat(reassembler.memory().packets()).isZero();
  }

  /** Listeners that throw, no room for packets, acknowledgments, ends and new beginnings. */
  @Test
  @Tag("sampled")
  void shouldLoseNothingInAnyOrderOfEvents() {
    int rounds = Soak.times(20, 1_000);
    for (int round = 0; round < rounds; round++) {
      try (TcpSegments few = new TcpSegments(1 + random.nextInt(64))) {
        loseNothing(few);
      }
    }
  }

  private void loseNothing(TcpSegments few) {
    OverlapPolicy[] policies = OverlapPolicy.values();
    StreamSettings settings =
        StreamSettings.DEFAULT
            .withStreams(8)
            .withWindowBytes(1_024)
            .withPolicy(policies[random.nextInt(policies.length)]);
    var reassembler = new TcpReassembler(settings, few.held, reader, new Random(1));
    long now = 0;
    for (int i = 0; i < 3_000; i++) {
      now += random.nextInt(200) == 0 ? 30_000_000_000L : 1_000;
      reader.isThrowing = random.nextInt(4) == 0;
      try {
        addAny(reassembler, few, i, now);
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("listener");
      }
      StreamMemory memory = reassembler.memory();
      assertThat(memory.segments()).isLessThan(2 * few.held.capacity() + 2 * MOST_BYTES);
      assertThat(few.held.size()).isLessThanOrEqualTo(memory.packets());
    }
    reader.isThrowing = false;
    reassembler.close();
    assertThat(few.held.size()).isZero();
    assertThat(reassembler.memory().segments()).isZero();
    assertThat(reassembler.memory().packets()).isZero();
  }

  private void addAny(TcpReassembler reassembler, TcpSegments few, int i, long now) {
    int client = CLIENT + random.nextInt(12);
    int[] flags = {Tcp.SYN, Tcp.RST, Tcp.FIN | Tcp.ACK, Tcp.ACK};
    int kind = Math.min(random.nextInt(60), flags.length - 1);
    int base = 300 * (i / 300);
    int sequence = base + random.nextInt(900);
    int count = kind == 0 ? 0 : random.nextInt(MOST_BYTES);
    TcpStream _ =
        reassembler.add(
            few.of(
                client,
                random.nextBoolean(),
                sequence,
                base + random.nextInt(900),
                flags[kind],
                count),
            few.scanner,
            now);
  }
}
