package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.HttpProtocol;
import io.linerate.decode.reassembly.StreamSettings;
import io.linerate.testkit.Packets;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages show in the packet that completes them, and are not looked for again and again. */
class StreamDecoderTest {
  private static final int HELD_PACKETS = 6_000;

  /** Of a packet, and of each of its bytes. */
  private static final int STEPS_PER_PACKET = 4_096;

  private static final int STEPS_PER_BYTE = 16;

  private static final int ACK = 0x10;
  private static final int FIN = 0x01;
  private static final int RESET = 0x14;
  private static final String HEAD = "HEAD / HTTP/1.1\r\n\r\n";
  private static final String GET = "GET / HTTP/1.1\r\n\r\n";

  /** Of an answer whose body has three bytes. */
  private static final String HEADER = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n";

  private final Packets packets = new Packets(4 * HELD_PACKETS + 64);
  private final FreeBuffer freeBuffer = new FreeBuffer(packets.pools(), 1);
  private final List<HeldPackets> stores = new ArrayList<>();

  /** Lengths of the messages, with those of the packets that complete them. */
  private final List<String> messages = new ArrayList<>();

  private final StreamDecoder decoder =
      new StreamDecoder(
          Protocols.standard(),
          StreamSettings.DEFAULT.withStreams(8),
          this::hold,
          this::show,
          new Random(1));
  private int port = 40_000;
  private int sequence = 1;
  private int answerSequence = 1;
  private int sent;

  private HeldPackets hold(int most) {
    int capacity = Math.min(most, HELD_PACKETS);
    var held =
        new HeldPackets(
            capacity, 0, new DropCounts(), freeBuffer, () -> 0, packets.owned().owner());
    stores.add(held);
    return held;
  }

  private void show(Decoder found, Packet packet) {
    assertThat(packet.length()).isPositive();
    for (int i = 0; i < found.count(); i++) {
      Layer layer = found.at(i);
      if (layer.protocol() instanceof HttpProtocol) {
        String cut = layer.mark() == Mark.CUT ? ", cut" : "";
        messages.add(sent + ": " + (layer.end() - layer.offset()) + cut);
      }
    }
  }

  @AfterEach
  void nothingIsLeft() {
    decoder.close();
    for (HeldPackets held : stores) {
      assertThat(held.size()).isZero();
      held.dropAll(DropReason.CONSUMED);
    }
    freeBuffer.flush();
    packets.close();
  }

  /** Sends a text in segments of so many bytes. */
  private void send(String text, int segmentBytes) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    for (int at = 0; at < bytes.length; at += segmentBytes) {
      segment(bytes, at, Math.min(segmentBytes, bytes.length - at));
    }
  }

  private void segment(byte[] bytes, int offset, int count) {
    segment(true, ACK, bytes, offset, count);
  }

  /** The server says it in one segment. */
  private void answer(String text, int flags) {
    segment(false, flags, text.getBytes(StandardCharsets.ISO_8859_1), 0, text.length());
  }

  private void segment(boolean isAsked, int flags, byte[] bytes, int offset, int count) {
    ByteBuffer frame = ByteBuffer.allocate(54 + count);
    frame.put(new byte[12]).putShort((short) 0x0800);
    frame.putShort((short) 0x4500).putShort((short) (40 + count)).putInt(0);
    frame.put((byte) 64).put((byte) 6).putShort((short) 0);
    frame.putInt(isAsked ? 0x0A000001 : 0x0A000002).putInt(isAsked ? 0x0A000002 : 0x0A000001);
    frame.putShort((short) (isAsked ? port : 80)).putShort((short) (isAsked ? 80 : port));
    frame.putInt(isAsked ? sequence : answerSequence);
    frame.putInt(isAsked ? answerSequence : sequence);
    frame.put((byte) 0x50).put((byte) flags).putShort((short) 1_000).putInt(0);
    frame.put(bytes, offset, count);
    int next = count + ((flags & FIN) != 0 ? 1 : 0);
    sequence += isAsked ? next : 0;
    answerSequence += isAsked ? 0 : next;
    sent++;
    decoder.decode(packets.of(frame.array()));
  }

  @Test
  void shouldShowAMessageInThePacketThatCompletesIt() {
    String header = "POST / HTTP/1.1\r\nContent-Length: 300000\r\n\r\n";
    send(header + "x".repeat(300_000), 1_400);
    assertThat(messages).containsExactly(sent + ": " + (header.length() + 300_000));
    assertThat(decoder.messageSteps()).as("the header, twice").isLessThan(1_000);
  }

  @Test
  void shouldShowMessagesOfChunksInThePacketThatCompletesThem() {
    String chunk = "400\r\n" + "y".repeat(1_024) + "\r\n";
    String message =
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk.repeat(300) + "0\r\n\r\n";
    send(message, 1_000);
    assertThat(messages).containsExactly(sent + ": " + message.length());
    requireLittleWork(message.length());
  }

  @Test
  void shouldShowMessagesWhoseHeadersComeByteByByte() {
    String message = "GET / HTTP/1.1\r\nCookie: " + "z".repeat(3_000) + "\r\n\r\n";
    send(message, 1);
    assertThat(messages).containsExactly(sent + ": " + message.length());
    requireLittleWork(message.length());
  }

  private void requireLittleWork(int bytes) {
    assertThat(decoder.messageSteps())
        .isLessThanOrEqualTo((long) STEPS_PER_PACKET * sent + (long) STEPS_PER_BYTE * bytes);
  }

  @Test
  void shouldNotReadALongHeaderAgainForEachByte() {
    String header = "GET / HTTP/1.1\r\n";
    send(header + "Cookie: " + "z".repeat(100_000), 1_400);
    int before = sent;
    String rest = "a: b\r\n".repeat(600);
    send("\r\n" + rest, 1);
    assertThat(messages).as("nothing is complete").isEmpty();
    requireLittleWork(200_000);
    send("\r\n" + header + "\r\n", 1);
    for (int i = 0; i < 100 && messages.isEmpty(); i++) {
      send(header + "\r\n", 1);
    }
    assertThat(messages).isNotEmpty();
    requireLittleWork(200_000 + sent - before);
  }

  private String answered(int bytes) {
    return sent + ": " + (HEADER.length() + bytes);
  }

  /** What was shown since this was asked last. */
  private List<String> shown() {
    List<String> shown = List.copyOf(messages);
    messages.clear();
    return shown;
  }

  @Test
  void shouldKnowThatAnswersToHeadHaveNoBody() {
    for (int i = 0; i < 100; i++) {
      send(HEAD, 1_000);
      assertThat(shown()).containsExactly(sent + ": " + HEAD.length());
      answer(HEADER, ACK);
      assertThat(shown()).containsExactly(answered(0));
      send(GET, 1_000);
      assertThat(shown()).containsExactly(sent + ": " + GET.length());
      answer("HTTP/1.1 103 Early Hints\r\n\r\n", ACK);
      assertThat(shown()).hasSize(1);
      answer(HEADER + "abc", ACK);
      assertThat(shown()).containsExactly(answered(3));
    }
  }

  @Test
  void shouldMatchAnswersWithRequestsThatCameTogether() {
    send((GET + HEAD).repeat(16), 1_000);
    send((GET + HEAD).repeat(4), 1_000); // Of these it is known only that they are there.
    messages.clear();
    for (int i = 0; i < 16; i++) {
      answer(HEADER + "abc" + HEADER, ACK);
      assertThat(shown()).containsExactly(answered(3), answered(0));
    }
    for (int i = 0; i < 8; i++) {
      answer(HEADER + "abc", ACK);
      assertThat(shown()).containsExactly(answered(3));
    }
    send(HEAD, 1_000);
    answer(HEADER, ACK);
    assertThat(shown()).hasSize(2).endsWith(answered(0));
  }

  @Test
  void shouldMatchRequestsAgainAfterWhatIsTooLong() {
    send(GET, 1_000);
    answer("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n", ACK);
    for (int i = 0; i < 300; i++) {
      answer("z".repeat(10_000), ACK);
    }
    send(HEAD, 1_000);
    messages.clear();
    answer(HEADER, ACK);
    assertThat(shown()).containsExactly(answered(0));
  }

  @Test
  void shouldShowWhatThereIsOfAMessageWhenItsEndSaysThatNothingMoreComes() {
    answer(HEADER, ACK); // What it answers was not seen.
    assertThat(shown()).isEmpty();
    answer("", ACK | FIN);
    assertThat(shown()).containsExactly(answered(0) + ", cut");
  }

  @Test
  void shouldShowWhatThereIsOfAMessageWhenTheLastSegmentHasAPartOfIt() {
    send(GET, 1_000);
    answer(HEADER, ACK);
    messages.clear();
    answer("ab", ACK | FIN);
    assertThat(shown()).containsExactly(answered(2) + ", cut");
  }

  @Test
  void shouldShowWhatThereIsOfMessagesWhenTheirStreamIsReset() {
    send("POST / HTTP/1.1\r\nCont", 1_000);
    assertThat(shown()).isEmpty();
    segment(false, RESET, new byte[0], 0, 0);
    assertThat(shown()).containsExactly(sent + ": 21, cut");
    for (HeldPackets held : stores) {
      assertThat(held.size()).isZero();
    }
  }

  @Test
  void shouldNotShowInAPacketWhatAnotherStreamHasLeft() {
    send("GET", 3);
    sequence += 100; // They never come.
    send(GET, 1_000);
    for (int i = 0; i < 50; i++) {
      port++;
      send("GET", 3);
    }
    assertThat(shown()).isEmpty();
  }

  @Test
  void shouldNotMarkARestThatIsNoMessage() {
    answer("ab", ACK | FIN);
    assertThat(shown()).isEmpty();
    assertThat(decoder.decoder().at(decoder.decoder().count() - 1).name()).isEqualTo("data");
    assertThat(decoder.decoder().mark()).isEqualTo(Mark.SOUND);
  }
}
