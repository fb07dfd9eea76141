package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Throws mutated packets at every view and at the scanner. Each packet is read in two buffers whose
 * room around the packet is filled differently: were a single byte of it read, the answers would
 * differ.
 */
@Tag("sampled")
class MutationTest {
  private static final int PACKETS = Soak.times(200_000, 100_000_000);
  private static final int SPLIT_PACKETS = Soak.times(10_000, 5_000_000);
  private static final int MAX_BYTES = 256;
  private static final int[] EDGES = {
    0, 1, 2, 4, 5, 0x0F, 0x3F, 0x40, 0x45, 0x4F, 0x60, 0x7F, 0xFF
  };

  private final List<byte[]> corpus = Corpus.samples().stream().map(Corpus.Sample::bytes).toList();
  private final SplittableRandom random = new SplittableRandom(Soak.seed(20_150_101));
  private final byte[] bytes = new byte[MAX_BYTES];
  private int length;

  private static final LinkType[] LINK_TYPES = {
    LinkType.RAW, LinkType.LINUX_SLL, LinkType.LINUX_SLL2, LinkType.IEEE802_11_RADIOTAP
  };

  @Test
  void shouldSurviveMutatedPackets() {
    EveryLayer layers = new EveryLayer();
    EveryView views = new EveryView();
    Map<HeaderDefect, Integer> defects = new EnumMap<>(HeaderDefect.class);
    HeaderScanner scanner = new HeaderScanner();
    try (Frame one = new Frame((byte) 0xA5);
        Frame other = new Frame((byte) 0x3C)) {
      for (int i = 0; i < PACKETS; i++) {
        mutate();
        Packet first = one.of(bytes, length);
        Packet second = other.of(bytes, length);
        requireSame(i, layers.digest(first), layers.digest(second));
        int offset = random.nextInt(-2, length + 3);
        requireSame(i, views.ofThoseThatFit(first, offset), views.ofThoseThatFit(second, offset));
        if (i % 8 == 0) {
          // An exception costs more than all the reading.
          int which = random.nextInt(EveryView.VIEWS);
          requireSame(
              i, unasked(views, first, offset, which), unasked(views, second, offset, which));
        }
        scanner.scan(first);
        defects.merge(scanner.defect(), 1, Integer::sum);
        first.linkType(LINK_TYPES[i % LINK_TYPES.length]);
        scanner.scanAny(first);
        defects.merge(scanner.defect(), 1, Integer::sum);
      }
    }
    // The mutations reach every branch of the scanner, or they would prove little.
    for (HeaderDefect defect : HeaderDefect.values()) {
      assertThat(defects.getOrDefault(defect, 0)).as(defect.name()).isGreaterThan(PACKETS / 10_000);
    }
  }

  @Test
  void shouldReadMutatedPacketsTheSameWhereverTheyAreSplit() {
    EveryLayer layers = new EveryLayer();
    try (Packets packets = new Packets()) {
      for (int i = 0; i < SPLIT_PACKETS; i++) {
        mutate();
        byte[] packet = Arrays.copyOf(bytes, length);
        long whole = layers.digest(packets.of(packet));
        int first = random.nextInt(length + 1);
        int second = random.nextInt(length - first + 1);
        requireSame(
            i,
            whole,
            layers.digest(packets.ofSegments(packet, first, second, length - first - second)));
      }
    }
  }

  private void requireSame(int packet, long first, long second) {
    if (first != second) {
      assertThat(second)
          .as("packet %d: %s", packet, HexFormat.of().formatHex(bytes, 0, length))
          .isEqualTo(first);
    }
  }

  private static long unasked(EveryView views, Packet packet, int offset, int which) {
    try {
      return views.unasked(packet, offset, which);
    } catch (IndexOutOfBoundsException expected) {
      return expected.getMessage().hashCode();
    }
  }

  private void mutate() {
    byte[] sample = corpus.get(random.nextInt(corpus.size()));
    length = Math.min(MAX_BYTES, sample.length);
    System.arraycopy(sample, 0, bytes, 0, length);
    for (int left = random.nextInt(4); left >= 0; left--) {
      mutateOnce();
    }
  }

  private void mutateOnce() {
    switch (random.nextInt(8)) {
      case 0 -> length = random.nextInt(length + 1);
      case 1, 2 -> {
        int bit = random.nextInt(8 * length + 1);
        bytes[bit / 8 % MAX_BYTES] ^= (byte) (1 << bit % 8);
      }
      case 3 -> bytes[anywhere()] = (byte) EDGES[random.nextInt(EDGES.length)];
      // Versions, lengths, protocols and next headers of IP with 0 to 2 tags, and behind them.
      case 4 -> bytes[Math.min(inIpHeader(), MAX_BYTES - 1)] = (byte) random.nextInt(256);
      case 5 ->
          bytes[Math.min(inIpHeader(), MAX_BYTES - 1)] = (byte) EDGES[random.nextInt(EDGES.length)];
      case 6 -> splice();
      default -> chain();
    }
  }

  private int anywhere() {
    return random.nextInt(Math.max(1, length));
  }

  private int inIpHeader() {
    return 12 + 4 * random.nextInt(3) + random.nextInt(10);
  }

  /** The end of another packet at the same place or at any. */
  private void splice() {
    byte[] sample = corpus.get(random.nextInt(corpus.size()));
    int to = anywhere();
    int from = random.nextBoolean() ? Math.min(to, sample.length) : random.nextInt(sample.length);
    int count = Math.min(sample.length - from, MAX_BYTES - to);
    System.arraycopy(sample, from, bytes, to, count);
    length = to + count;
  }

  /** A row of the same two bytes: long chains of options and of extension headers. */
  private void chain() {
    int at = random.nextBoolean() ? 20 : anywhere();
    byte protocol = (byte) new int[] {0, 43, 44, 51, 60, 1, 2}[random.nextInt(7)];
    byte size = (byte) random.nextInt(3);
    int stride = random.nextBoolean() ? 8 : 2;
    if (at + 2 < length) {
      bytes[20] = stride == 8 ? protocol : bytes[20];
    }
    for (int i = stride == 8 ? Math.max(at, 54) : at; i + 1 < length; i += stride) {
      bytes[i] = protocol;
      bytes[i + 1] = stride == 8 ? 0 : size;
    }
  }

  /** One packet after the other in one buffer, the room around it filled. */
  private static final class Frame implements AutoCloseable {
    private final PacketPools pools = new PacketPools();
    private final OwnedBurst burst = new OwnedBurst(new MbufArray(1));
    private final byte[] fill = new byte[MAX_BYTES];
    private final Packet packet;

    Frame(byte fillByte) {
      Arrays.fill(fill, fillByte);
      BufferPool pool = pools.create("frame", 1, MAX_BYTES, 2 * MAX_BYTES);
      pool.allocate(burst.array(), 1);
      packet = burst.packet(0);
      packet.growHead(MAX_BYTES);
      packet.growTail(2 * MAX_BYTES);
      for (int at = 0; at < 3 * MAX_BYTES; at += MAX_BYTES) {
        packet.set(at, fill, 0, MAX_BYTES);
      }
      packet.shrinkHead(MAX_BYTES);
    }

    Packet of(byte[] content, int count) {
      packet.growTail(packet.tailroomBytes());
      packet.set(0, fill, 0, MAX_BYTES);
      packet.set(0, content, 0, count);
      packet.shrinkTail(packet.length() - count);
      return packet;
    }

    @Override
    public void close() {
      burst.finish(new FreeBuffer(pools, 1));
      assertThat(pools.close()).isEmpty();
    }
  }
}
