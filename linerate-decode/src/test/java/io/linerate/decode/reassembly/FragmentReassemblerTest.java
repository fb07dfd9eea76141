package io.linerate.decode.reassembly;

import static io.linerate.decode.reassembly.FragmentFrames.ipv4;
import static io.linerate.decode.reassembly.FragmentFrames.ipv6;
import static io.linerate.decode.reassembly.FragmentResult.COMPLETE;
import static io.linerate.decode.reassembly.FragmentResult.CONTRADICTION;
import static io.linerate.decode.reassembly.FragmentResult.MALFORMED;
import static io.linerate.decode.reassembly.FragmentResult.NESTED;
import static io.linerate.decode.reassembly.FragmentResult.NO_ROOM;
import static io.linerate.decode.reassembly.FragmentResult.REPETITION;
import static io.linerate.decode.reassembly.FragmentResult.TOO_LONG;
import static io.linerate.decode.reassembly.FragmentResult.TOO_MANY;
import static io.linerate.decode.reassembly.FragmentResult.TRUNCATED;
import static io.linerate.decode.reassembly.FragmentResult.WAITS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.MappedBuffer;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import io.linerate.wire.HeaderScanner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FragmentReassemblerTest {
  private static final int HELD = 128;
  private static final long SECOND_NS = 1_000_000_000L;
  private static final int[][] ORDERS_OF_4 = orders(4);

  private final Packets packets = new Packets(512);
  private final FreeBuffer freeBuffer = new FreeBuffer(packets.pools(), 1);
  private final DropCounts drops = new DropCounts();
  private final HeldPackets held =
      new HeldPackets(HELD, 0, drops, freeBuffer, () -> 0, packets.owned().owner());
  private final HeaderScanner scanner = new HeaderScanner();
  private FragmentReassembler reassembler = reassembler(FragmentSettings.DEFAULT);
  private long nowNs = SECOND_NS;

  /** Fragments that were taken out of their burst. */
  private long waited;

  private FragmentReassembler reassembler(FragmentSettings settings) {
    return new FragmentReassembler(settings, held, new Random(1));
  }

  @AfterEach
  void allFragmentsHaveAnEnd() {
    reassembler.close();
    assertThat(held.size()).isZero();
    assertThat(drops.of(DropReason.CONSUMED)).isEqualTo(waited);
    assertThat(drops.total()).isEqualTo(waited);
    held.dropAll(DropReason.CONSUMED);
    freeBuffer.flush();
    packets.close();
  }

  private static int[][] orders(int count) {
    List<int[]> orders = new ArrayList<>(List.of(new int[0]));
    for (int i = 0; i < count; i++) {
      List<int[]> longer = new ArrayList<>();
      for (int[] order : orders) {
        for (int at = 0; at <= order.length; at++) {
          int[] next = new int[order.length + 1];
          System.arraycopy(order, 0, next, 0, at);
          next[at] = i;
          System.arraycopy(order, at, next, at + 1, order.length - at);
          longer.add(next);
        }
      }
      orders = longer;
    }
    return orders.toArray(int[][]::new);
  }

  private static byte[] counting(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i ^ i >> 8);
    }
    return bytes;
  }

  /** Each frame is a burst of its own. */
  private @Nullable FragmentResult add(byte[] frame) {
    Packet packet = packets.of(frame);
    boolean _ = scanner.scan(packet);
    FragmentResult result = reassembler.add(packet, scanner, nowNs);
    waited += result == WAITS ? 1 : 0;
    assertThat(packets.burst().live()).isEqualTo(result == WAITS ? 0 : 1);
    return result;
  }

  private byte[] whole() {
    MappedBuffer datagram = reassembler.datagram();
    byte[] bytes = new byte[datagram.length()];
    datagram.get(0, bytes, 0, bytes.length);
    return bytes;
  }

  @Test
  void shouldPutEveryOrderTogether() {
    byte[] payload = counting(75);
    for (FragmentFrames frames : kinds()) {
      byte[][] pieces = {
        frames.piece(payload, 0, 8),
        frames.piece(payload, 8, 32),
        frames.piece(payload, 32, 72),
        frames.piece(payload, 72, 75)
      };
      for (int[] order : ORDERS_OF_4) {
        for (int i = 0; i < 3; i++) {
          assertThat(add(pieces[order[i]])).isEqualTo(WAITS);
        }
        assertThat(add(pieces[order[3]])).isEqualTo(COMPLETE);
        assertThat(whole()).isEqualTo(payload);
        assertThat(reassembler.protocol()).isEqualTo(FragmentFrames.UDP);
        assertThat(reassembler.fragments()).isEqualTo(4);
        reassembler.release();
        assertThat(held.size()).isZero();
        assertThat(reassembler.size()).isZero();
      }
    }
    assertThat(reassembler.reassembled()).isEqualTo(12L * ORDERS_OF_4.length);
  }

  private static List<FragmentFrames> kinds() {
    List<FragmentFrames> kinds = new ArrayList<>();
    for (boolean isIpv4 : new boolean[] {true, false}) {
      for (int tags = 0; tags <= 2; tags++) {
        kinds.add(new FragmentFrames(isIpv4, 7, tags, 0));
        kinds.add(new FragmentFrames(isIpv4, 0xFFFF, tags, 16));
      }
    }
    return kinds;
  }

  @Test
  @Tag("sampled")
  void shouldPutRandomFragmentsOfManyDatagramsTogether() {
    Random random = new Random(Soak.seed(5));
    for (int round = 0; round < Soak.times(40, 20_000); round++) {
      byte[][] payloads = new byte[8][];
      List<byte[]> frames = new ArrayList<>();
      for (int i = 0; i < payloads.length; i++) {
        payloads[i] = new byte[9 + random.nextInt(700)];
        random.nextBytes(payloads[i]);
        FragmentFrames kind =
            new FragmentFrames(random.nextBoolean(), i, random.nextInt(3), 8 * random.nextInt(4));
        for (byte[] frame : kind.cut(payloads[i], 400, random)) {
          frames.add(Arrays.copyOf(frame, frame.length + random.nextInt(5)));
        }
      }
      Collections.shuffle(frames, random);
      int complete = 0;
      for (byte[] frame : frames) {
        if (add(frame) == COMPLETE) {
          complete++;
          assertThat(whole()).isEqualTo(payloads[(int) reassembler.identification()]);
        } else if (random.nextInt(6) == 0) {
          assertThat(add(frame)).isEqualTo(REPETITION);
        }
      }
      reassembler.release();
      assertThat(complete).isEqualTo(payloads.length);
      assertThat(held.size()).isZero();
    }
  }

  @Test
  void shouldReadNumbersAcrossFragments() {
    byte[] payload = counting(20);
    assertThat(add(ipv4(1).piece(payload, 8, 16))).isEqualTo(WAITS);
    assertThat(add(ipv4(1).piece(payload, 16, 20))).isEqualTo(WAITS);
    assertThat(add(ipv4(1).piece(payload, 0, 8))).isEqualTo(COMPLETE);
    MappedBuffer datagram = reassembler.datagram();
    assertThat(datagram.u16(7)).isEqualTo(0x0708);
    assertThat(datagram.u64(5)).isEqualTo(0x05060708_090A0B0CL);
    assertThat(datagram.i32(14)).isEqualTo(0x0E0F1011);
    assertThat(datagram.parts()).isEqualTo(3);
  }

  @Test
  void shouldTellWhatIsPutTogether() {
    byte[] options = new byte[16];
    add(ipv6(0x89ABCDEF).frame(16, false, 99, new byte[4]));
    nowNs += 5;
    assertThatIllegalStateException().isThrownBy(() -> reassembler.protocol());
    options[1] = 2; // In units of 8 bytes, one too many: RFC 7112.
    assertThat(add(ipv6(0x89ABCDEF).frame(0, true, 60, options))).isEqualTo(MALFORMED);
    options[0] = FragmentFrames.UDP;
    options[1] = 1;
    assertThat(add(ipv6(0x89ABCDEF).frame(0, true, 60, options))).isEqualTo(COMPLETE);
    assertThat(reassembler.protocol()).as("of the first fragment").isEqualTo(60);
    assertThat(reassembler.identification()).isEqualTo(0x89ABCDEFL);
    assertThat(reassembler.ipVersion()).isEqualTo(6);
    assertThat(reassembler.sinceNs()).isEqualTo(nowNs - 5);
  }

  @Test
  void shouldLetGoOfADatagramWhenItWasReadOrTheNextPacketComes() {
    byte[] payload = counting(16);
    for (boolean isReleased : new boolean[] {true, false}) {
      add(ipv4(1).piece(payload, 0, 8));
      assertThat(add(ipv4(1).piece(payload, 8, 16))).isEqualTo(COMPLETE);
      assertThat(held.size()).isEqualTo(1);
      if (isReleased) {
        reassembler.release();
      } else {
        assertThat(add(new byte[60])).isNull();
      }
      assertThat(held.size()).isZero();
      assertThat(reassembler.datagram().length()).isZero();
      assertThatIllegalStateException().isThrownBy(() -> reassembler.identification());
    }
  }

  @Test
  void shouldPutTheLongestDatagramTogetherAndNoLongerOne() {
    byte[] payload = counting(65_515);
    add(ipv4(1).piece(payload, 32_760, 65_512));
    add(ipv4(1).piece(payload, 65_512, 65_515));
    assertThat(add(ipv4(1).piece(payload, 0, 32_760))).isEqualTo(COMPLETE);
    assertThat(whole()).isEqualTo(payload);
    byte[] longer = counting(65_516);
    add(ipv4(1).piece(longer, 32_760, 65_512));
    add(ipv4(1).piece(longer, 65_512, 65_516));
    assertThat(add(ipv4(1).piece(longer, 0, 32_760))).isEqualTo(TOO_LONG);
    assertThat(held.size()).isZero();
  }

  @Test
  void shouldKeepApartWhatIsOfDifferentDatagrams() {
    byte[] rest = new byte[8];
    byte[] otherSource = ipv4(1).frame(16, false, rest);
    otherSource[29]++;
    byte[][] frames = {
      ipv4(1).frame(0, true, new byte[16]),
      ipv4(2).frame(16, false, rest),
      otherSource,
      ipv4(1).frame(16, false, 6, rest),
      new FragmentFrames(true, 1, 1, 0).frame(16, false, rest),
      new FragmentFrames(true, 1, 2, 0).frame(16, false, rest),
      ipv6(1).frame(16, false, rest),
      ipv6(1 << 16 | 1).frame(16, false, rest),
    };
    for (byte[] frame : frames) {
      assertThat(add(frame)).isEqualTo(WAITS);
    }
    assertThat(reassembler.size()).isEqualTo(frames.length);
  }

  @Test
  void shouldLeaveEverythingElseInItsBurst() {
    assertThat(add(new byte[3])).isNull();
    assertThat(add(ipv4(1).frame(0, false, new byte[9]))).isNull();
    assertThat(add(ipv6(1).frame(0, false, new byte[9]))).as("atomic, RFC 6946").isNull();
    assertThat(add(ipv4(1).frame(0, true, new byte[15]))).isEqualTo(MALFORMED);
    assertThat(add(ipv4(1).frame(8, true, new byte[0]))).isEqualTo(MALFORMED);
    assertThat(add(ipv4(1).frame(65_528, false, new byte[8]))).isEqualTo(MALFORMED);
    assertThat(add(ipv6(1).frame(0, true, new byte[7]))).isEqualTo(MALFORMED);
    byte[] inner = ipv6(2).frame(0, true, new byte[16]);
    byte[] nested = ipv6(1).frame(0, true, 44, Arrays.copyOfRange(inner, 54, inner.length));
    assertThat(add(nested)).isEqualTo(NESTED);
    assertThat(reassembler.size()).isZero();
  }

  @Test
  void shouldTakeNoFragmentThatIsCutOff() {
    for (FragmentFrames frames : kinds()) {
      byte[] frame = frames.frame(8, true, new byte[16]);
      int cut = 0;
      for (int length = 0; length < frame.length; length++) {
        FragmentResult result = add(Arrays.copyOf(frame, length));
        assertThat(result).isIn(null, TRUNCATED);
        cut += result == TRUNCATED ? 1 : 0;
      }
      assertThat(cut).isEqualTo(16);
      assertThat(reassembler.size()).isZero();
    }
  }

  @Test
  void shouldGiveUpDatagramsWhoseFragmentsContradictEachOther() {
    int[][][] contradictions = { // Offset, bytes, and whether more follow.
      {{0, 16, 1}, {8, 16, 1}},
      {{8, 16, 1}, {0, 16, 1}},
      {{0, 24, 1}, {8, 8, 1}},
      {{8, 8, 1}, {0, 24, 1}},
      {{0, 16, 1}, {0, 8, 1}},
      {{16, 8, 0}, {24, 8, 1}},
      {{16, 8, 0}, {8, 8, 0}},
      {{16, 8, 1}, {8, 8, 0}},
      {{16, 8, 1}, {16, 8, 0}},
      {{0, 8, 1}, {16, 8, 1}, {8, 16, 1}},
    };
    for (int[][] pieces : contradictions) {
      for (FragmentFrames frames : List.of(ipv4(1), ipv6(1))) {
        int last = pieces.length - 1;
        for (int i = 0; i < last; i++) {
          assertThat(add(frame(frames, pieces[i]))).isEqualTo(WAITS);
        }
        assertThat(add(frame(frames, pieces[last]))).isEqualTo(CONTRADICTION);
        assertThat(reassembler.size()).isZero();
        assertThat(held.size()).isZero();
      }
    }
  }

  private static byte[] frame(FragmentFrames frames, int[] piece) {
    return frames.frame(piece[0], piece[2] != 0, new byte[piece[1]]);
  }

  @Test
  void shouldForgetAfterTheTimeOfEachVersion() {
    byte[] payload = counting(16);
    add(ipv4(1).piece(payload, 0, 8));
    add(ipv6(1).piece(payload, 0, 8));
    nowNs += 30 * SECOND_NS - 1;
    assertThat(add(new byte[60])).isNull();
    assertThat(reassembler.size()).isEqualTo(2);
    nowNs += 1;
    assertThat(add(ipv4(1).piece(payload, 8, 16))).as("of another datagram").isEqualTo(WAITS);
    assertThat(reassembler.expired()).isEqualTo(1);
    assertThat(reassembler.size()).isEqualTo(2);
    nowNs += 30 * SECOND_NS - 1;
    reassembler.expire(nowNs);
    assertThat(reassembler.size()).isEqualTo(2);
    reassembler.expire(nowNs + 1);
    assertThat(reassembler.expired()).isEqualTo(3);
    assertThat(held.size()).isZero();
  }

  @Test
  void shouldNotExpireWhenTimeGoesBack() {
    byte[] payload = counting(16);
    add(ipv4(1).piece(payload, 0, 8));
    nowNs -= 100 * SECOND_NS;
    add(ipv4(2).piece(payload, 0, 8));
    assertThat(add(ipv4(1).piece(payload, 8, 16))).isEqualTo(COMPLETE);
    assertThat(add(ipv4(2).piece(payload, 8, 16))).isEqualTo(COMPLETE);
  }

  @Test
  void shouldCompleteNothingThatIsOverEvenIfManyAre() {
    byte[] payload = counting(16);
    for (int id = 0; id < 100; id++) {
      add(ipv6(id).piece(payload, 0, 8));
    }
    nowNs += 60 * SECOND_NS;
    assertThat(add(ipv6(99).piece(payload, 8, 16))).isEqualTo(WAITS);
    assertThat(reassembler.size()).isGreaterThan(1);
    for (int i = 0; i < 30; i++) {
      assertThat(add(new byte[60])).isNull();
    }
    assertThat(reassembler.size()).isEqualTo(1);
    assertThat(reassembler.expired()).isEqualTo(100);
  }

  @Test
  void shouldLetTheOldestGoWhenTheTableIsFull() {
    reassembler = reassembler(FragmentSettings.DEFAULT.withDatagrams(3));
    byte[] payload = counting(16);
    for (int id = 1; id <= 4; id++) {
      add((id == 2 ? ipv6(id) : ipv4(id)).piece(payload, 0, 8));
      nowNs++;
    }
    assertThat(reassembler.evicted()).isEqualTo(1);
    assertThat(reassembler.size()).isEqualTo(3);
    assertThat(add(ipv6(2).piece(payload, 8, 16))).isEqualTo(COMPLETE);
    assertThat(add(ipv4(3).piece(payload, 8, 16))).isEqualTo(COMPLETE);
    assertThat(add(ipv4(4).piece(payload, 8, 16))).isEqualTo(COMPLETE);
    assertThat(add(ipv4(1).piece(payload, 8, 16))).isEqualTo(WAITS);
  }

  @Test
  void shouldLetTheOldestGoWhenNoMorePacketsCanBeHeld() {
    byte[] payload = counting(8 * HELD + 16);
    add(ipv4(1).piece(payload, 0, 8));
    for (int i = 0; i < HELD - 1; i++) {
      assertThat(add(ipv4(2).piece(payload, 8 * i, 8 * i + 8))).isEqualTo(WAITS);
    }
    assertThat(held.size()).isEqualTo(HELD);
    assertThat(add(ipv4(3).piece(payload, 0, 8))).isEqualTo(WAITS);
    assertThat(reassembler.evicted()).isEqualTo(1);
    assertThat(add(ipv4(2).piece(payload, 8 * HELD - 8, 8 * HELD))).isEqualTo(NO_ROOM);
    assertThat(held.size()).isEqualTo(1);
    assertThat(add(ipv4(3).frame(8, false, new byte[8]))).isEqualTo(COMPLETE);
  }

  @Test
  void shouldGiveUpDatagramsOfTooManyFragments() {
    reassembler = reassembler(FragmentSettings.DEFAULT.withFragments(3));
    byte[] payload = counting(64);
    for (int i = 0; i < 3; i++) {
      add(ipv4(1).piece(payload, 8 * i, 8 * i + 8));
    }
    assertThat(add(ipv4(1).piece(payload, 8, 16))).isEqualTo(REPETITION);
    assertThat(add(ipv4(1).piece(payload, 24, 32))).isEqualTo(TOO_MANY);
    assertThat(held.size()).isZero();
  }

  @Test
  @Tag("sampled")
  void shouldNeverThrowWhateverFragmentsSay() {
    Random random = new Random(Soak.seed(11));
    reassembler = reassembler(FragmentSettings.DEFAULT.withDatagrams(16).withFragments(8));
    List<FragmentFrames> kinds = kinds();
    byte[] payload = counting(64);
    int complete = 0;
    for (int i = 0; i < Soak.times(40_000, 10_000_000); i++) {
      int from = 8 * random.nextInt(6);
      int end = random.nextInt(3) == 0 ? 64 : Math.min(64, from + 8 + 8 * random.nextInt(4));
      byte[] frame = kinds.get(random.nextInt(kinds.size())).piece(payload, from, end);
      for (int mutations = random.nextInt(3); mutations > 0; mutations--) {
        frame[12 + random.nextInt(frame.length - 12)] = (byte) random.nextInt();
      }
      nowNs += random.nextInt(1_000) == 0 ? 40 * SECOND_NS : 1;
      int length = random.nextInt(4) == 0 ? random.nextInt(frame.length) : frame.length;
      if (add(Arrays.copyOf(frame, length)) == COMPLETE) {
        complete++;
        assertThat(whole().length).isBetween(9, 65_535);
      }
      assertThat(reassembler.size()).isLessThanOrEqualTo(16);
      assertThat(held.size()).isLessThanOrEqualTo(16 * 8);
    }
    assertThat(complete).isPositive();
  }

  @Test
  void shouldMakeNoObjects() {
    Random random = new Random(3);
    byte[] payload = counting(3_000);
    List<byte[]> frames = new ArrayList<>();
    for (int id = 0; id < 20; id++) {
      frames.addAll((id % 2 == 0 ? ipv4(id) : ipv6(id)).cut(payload, 1_400, random));
    }
    Collections.shuffle(frames, random);
    byte[][] all = frames.toArray(byte[][]::new);
    PacketMaker maker = new PacketMaker("made", packets.pools(), 4 * HELD);
    AllocationMeter meter = new AllocationMeter(200_000);
    while (!meter.isDone()) {
      meter.add(addAll(maker, all));
    }
    meter.assertQuiet();
    assertThat(reassembler.reassembled()).isPositive();
  }

  private int addAll(PacketMaker maker, byte[][] frames) {
    for (byte[] frame : frames) {
      packets.clear();
      if (maker.append(packets.owned().array(), frame)) {
        Packet packet = packets.owned().packet(0);
        if (scanner.scan(packet) && reassembler.add(packet, scanner, nowNs) == WAITS) {
          waited++;
        } else { // It is complete: if not, this throws.
          nowNs += reassembler.datagram().u8(reassembler.datagram().length() - 1);
        }
      }
    }
    boolean _ = held.expire();
    return frames.length;
  }

  @Test
  void shouldRefuseSettingsThatCannotBe() {
    FragmentSettings settings = FragmentSettings.DEFAULT;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.withDatagrams(0))
        .withMessageContaining("datagrams=0");
    assertThatIllegalArgumentException().isThrownBy(() -> settings.withFragments(1));
    assertThatIllegalArgumentException().isThrownBy(() -> settings.withFragments(8_193));
    assertThatIllegalArgumentException().isThrownBy(() -> settings.withTimeout(Duration.ZERO));
  }
}
