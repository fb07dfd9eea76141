package io.linerate.decode.reassembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.SlidingWindowBuffer;
import io.linerate.testkit.Packets;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Tcp;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TcpReassemblerTest {
  private static final int CLIENT_PORT = 40_000;
  private static final int SERVER_PORT = 80;
  private static final int ISN = -20; // The numbers wrap soon.

  private final Packets packets = new Packets(512);
  private final FreeBuffer freeBuffer = new FreeBuffer(packets.pools(), 1);
  private final HeldPackets held =
      new HeldPackets(128, 0, new DropCounts(), freeBuffer, () -> 0, packets.owned().owner());
  private final HeaderScanner scanner = new HeaderScanner();
  private final Log log = new Log();
  private TcpReassembler reassembler = reassembler(StreamSettings.DEFAULT);
  private long nowNs = 1_000_000_000L;

  /** What the listener was told. */
  private static final class Log implements StreamListener {
    private final ByteArrayOutputStream[] bytes = {
      new ByteArrayOutputStream(), new ByteArrayOutputStream()
    };
    private final List<String> events = new ArrayList<>();

    /** Bytes that are left for the next time, as those of a message that is not complete. */
    private int left;

    @Override
    public void onOpen(TcpStream stream) {
      events.add("open " + stream.number());
    }

    @Override
    public void onGap(TcpStream stream, Direction direction, long count) {
      events.add("gap " + count);
    }

    private boolean isThrowing;

    @Override
    public void onBytes(TcpStream stream, Direction direction) {
      if (isThrowing) {
        throw new IllegalStateException("listener");
      }
      SlidingWindowBuffer window = stream.bytes(direction);
      int count = Math.max(window.length() - left, 0);
      byte[] copy = new byte[count];
      window.get(0, copy, 0, count);
      bytes[direction == Direction.TO_SERVER ? 0 : 1].writeBytes(copy);
      window.slideTo(window.start() + count);
    }

    @Override
    public void onClose(TcpStream stream, StreamEnd end) {
      events.add("close " + end);
    }

    String text(Direction direction) {
      return bytes[direction == Direction.TO_SERVER ? 0 : 1].toString(StandardCharsets.ISO_8859_1);
    }
  }

  private TcpReassembler reassembler(StreamSettings settings) {
    return new TcpReassembler(settings, held, log, new Random(1));
  }

  @AfterEach
  void nothingIsHeld() {
    reassembler.close();
    assertThat(held.size()).isZero();
    held.dropAll(DropReason.CONSUMED);
    freeBuffer.flush();
    packets.close();
  }

  private void client(int sequence, int flags, String payload) {
    segment(CLIENT_PORT, SERVER_PORT, ISN + sequence, 0, flags, payload);
  }

  private void server(int sequence, int acknowledgment, int flags, String payload) {
    segment(SERVER_PORT, CLIENT_PORT, 5_000 + sequence, ISN + acknowledgment, flags, payload);
  }

  private void segment(
      int from, int to, int sequence, int acknowledgment, int flags, String payload) {
    byte[] data = payload.getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer frame = ByteBuffer.allocate(54 + data.length);
    frame.put(new byte[12]).putShort((short) 0x0800);
    frame.putShort((short) 0x4500).putShort((short) (40 + data.length)).putInt(0);
    frame.put((byte) 64).put((byte) 6).putShort((short) 0);
    frame.putInt(from < to ? 0x0A000002 : 0x0A000001).putInt(from < to ? 0x0A000001 : 0x0A000002);
    frame.putShort((short) from).putShort((short) to).putInt(sequence).putInt(acknowledgment);
    frame.put((byte) 0x50).put((byte) flags).putShort((short) 1_000).putInt(0).put(data);
    Packet packet = packets.of(frame.array());
    assertThat(scanner.scan(packet)).isTrue();
    reassembler.add(packet, scanner, nowNs);
  }

  private void open() {
    client(0, Tcp.SYN, "");
    server(0, 1, Tcp.SYN | Tcp.ACK, "");
  }

  @Test
  void shouldGiveBothDirectionsInOrder() {
    open();
    client(1, Tcp.ACK, "GET ");
    client(5, Tcp.ACK, "/");
    server(1, 6, Tcp.ACK, "200");
    client(6, Tcp.FIN | Tcp.ACK, "");
    server(4, 7, Tcp.FIN | Tcp.ACK, "!");
    assertThat(log.text(Direction.TO_SERVER)).isEqualTo("GET /");
    assertThat(log.text(Direction.TO_CLIENT)).isEqualTo("200!");
    assertThat(log.events).containsExactly("open 0", "close CLOSED");
  }

  @Test
  void shouldPutAnyOrderTogether() {
    Random random = new Random(7);
    byte[] content = new byte[3_000];
    random.nextBytes(content);
    String text = new String(content, StandardCharsets.ISO_8859_1);
    for (int round = 0; round < 50; round++) {
      log.bytes[0].reset();
      reassembler.close();
      log.left = round % 2 == 0 ? 0 : 10 * round;
      client(0, Tcp.SYN, "");
      List<int[]> pieces = new ArrayList<>();
      for (int at = 0; at < content.length; ) {
        int end = Math.min(content.length, at + 1 + random.nextInt(120));
        pieces.add(new int[] {at, end});
        if (random.nextInt(4) == 0) { // Once more, and more than that.
          pieces.add(
              new int[] {
                Math.max(0, at - random.nextInt(50)),
                Math.min(content.length, end + random.nextInt(50))
              });
        }
        at = end;
      }
      for (int i = 0; i + 8 < pieces.size(); i += 8) {
        Collections.shuffle(pieces.subList(i, i + 8), random);
      }
      for (int[] piece : pieces) {
        client(1 + piece[0], Tcp.ACK, text.substring(piece[0], piece[1]));
      }
      assertThat(log.text(Direction.TO_SERVER)).startsWith(text.substring(0, 2_500));
      if (log.left == 0) {
        assertThat(log.text(Direction.TO_SERVER)).isEqualTo(text);
        assertThat(held.size()).isZero();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    // Old bytes at 4 to 8; new ones that start before, with, or after them.
    "FIRST,   2, 8, nnOOOO", "LAST,    2, 8, nnnnnn", "BSD,     2, 8, nnnnnn",
    "LINUX,   2, 8, nnnnnn", "SOLARIS, 2, 8, nnnnnn", "VISTA,   2, 8, nnOOOO",
    "SOLARIS, 2, 6, nnOOOO", "BSD,     2, 6, nnnnOO", "OLD_LINUX, 2, 6, nnnnOO",
    "BSD,     4, 10, OOOOnn", "LINUX,   4, 10, nnnnnn", "OLD_LINUX, 4, 8, nnnn",
    "LINUX,   4, 8, OOOO", "SOLARIS, 4, 8, nnnn", "WINDOWS, 4, 8, OOOO",
    "BSD,     6, 10, OOOOnn", "SOLARIS, 6, 10, OOnnnn", "LAST,    5, 7, OnnO",
    "LINUX,   5, 7, OOOO", "HPUX11,  5, 8, OOOO", "MACOS,   3, 9, nnnnnn",
    "VISTA,   3, 9, nOOOOn"
  })
  void shouldKeepTheBytesThatTheReceiverKeeps(
      OverlapPolicy policy, int from, int to, String expected) {
    reassembler = reassembler(StreamSettings.DEFAULT.withPolicy(policy));
    client(0, Tcp.SYN, "");
    client(1 + 4, Tcp.ACK, "OOOO");
    client(1 + from, Tcp.ACK, "n".repeat(to - from));
    int start = Math.min(from, 4);
    client(1, Tcp.ACK, "-".repeat(start));
    assertThat(log.text(Direction.TO_SERVER)).isEqualTo("-".repeat(start) + expected);
  }

  @Test
  void shouldReportWhatWasAcknowledgedAndNeverSeen() {
    open();
    client(1, Tcp.ACK, "ab");
    client(6, Tcp.ACK, "fg");
    assertThat(log.text(Direction.TO_SERVER)).isEqualTo("ab");
    server(1, 8, Tcp.ACK, "");
    client(8, Tcp.ACK, "hi");
    assertThat(log.text(Direction.TO_SERVER)).isEqualTo("abfghi");
    assertThat(log.events).containsExactly("open 0", "gap 3");
  }

  @Test
  void shouldKeepNoMoreThanItMay() {
    reassembler = reassembler(StreamSettings.DEFAULT.withWindowBytes(1_024));
    open();
    for (int i = 0; i < 200; i++) {
      client(100 + 20 * i, Tcp.ACK, "01234567890123456789");
      assertThat(held.size()).isLessThan(60);
    }
    assertThat(log.events).contains("gap 99");
    log.left = Integer.MAX_VALUE;
    for (int i = 200; i < 400; i++) {
      client(100 + 20 * i, Tcp.ACK, "01234567890123456789");
      assertThat(held.size()).isLessThan(60);
    }
  }

  @Test
  void shouldGiveWhatWaitsWhenItEnds() {
    open();
    client(3, Tcp.ACK, "cd");
    client(9, Tcp.ACK, "ij");
    client(11, Tcp.RST, "");
    assertThat(log.text(Direction.TO_SERVER)).isEqualTo("cdij");
    assertThat(log.events).containsExactly("open 0", "gap 2", "gap 4", "close RESET");
    client(11, Tcp.ACK, "late");
    assertThat(log.text(Direction.TO_SERVER)).isEqualTo("cdij");
  }

  @Test
  void shouldTellStreamsWithOneAddressApart() {
    open();
    client(1, Tcp.ACK, "one");
    client(1_000, Tcp.SYN, "");
    client(1_001, Tcp.ACK, "two");
    assertThat(log.text(Direction.TO_SERVER)).isEqualTo("onetwo");
    nowNs += Duration.ofMinutes(2).toNanos();
    client(1_004, Tcp.ACK, "three");
    assertThat(log.events)
        .containsExactly("open 0", "close REPLACED", "open 1", "close IDLE", "open 2");
  }

  @Test
  void shouldKnowWhoTheServerIs() {
    server(0, 1, Tcp.SYN | Tcp.ACK, "");
    client(1, Tcp.ACK, "x");
    assertThat(log.text(Direction.TO_SERVER)).isEqualTo("x");
  }

  @Test
  void shouldBeginInTheMiddle() {
    server(700, 77, Tcp.ACK, "middle");
    client(80, Tcp.ACK, "d");
    client(77, Tcp.ACK, "abc");
    assertThat(log.text(Direction.TO_SERVER)).isEqualTo("middle");
    assertThat(log.text(Direction.TO_CLIENT)).isEqualTo("abcd");
    assertThat(Arrays.asList(log.events.get(0))).containsExactly("open 0");
  }

  @Test
  void shouldGoOnBehindAListenerThatThrows() {
    open();
    client(1, Tcp.ACK, "ab");
    log.isThrowing = true;
    assertThatIllegalStateException().isThrownBy(() -> client(3, Tcp.ACK, "cd"));
    assertThatIllegalStateException().isThrownBy(() -> client(5, Tcp.ACK, "ef"));
    log.isThrowing = false;
    client(7, Tcp.ACK, "gh");
    client(11, Tcp.ACK, "kl");
    client(9, Tcp.ACK, "ij");
    assertThat(log.text(Direction.TO_SERVER)).isEqualTo("abghijkl");
  }
}
