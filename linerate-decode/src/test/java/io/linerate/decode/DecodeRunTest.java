package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.LoadedCapture;
import io.linerate.testkit.Soak;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many packets, from all captures in memory. */
class DecodeRunTest {
  private static final int ROUND_PACKETS = 200_000;

  /**
   * Packets of jNetPcap's own run, 7,341 of them 10,000 times: version 1.3b1, as its author told.
   */
  private static final int MANY_PACKETS = 73_410_000;

  /** What the virtual machine itself may take meanwhile. */
  private static final long SLACK_KIB = 64 * 1_024;

  private final Decoder decoder = new Decoder(Protocols.standard());
  private LoadedCapture capture;

  @BeforeEach
  void load() throws IOException {
    capture =
        LoadedCapture.of(
            DecoderTest.captures().stream()
                .map(file -> "pcap:rx=" + file + ",linktype=any")
                .toArray(String[]::new));
  }

  @AfterEach
  void close() {
    capture.close();
  }

  /** Takes what it is told. */
  private static final class Taker implements FieldSink {
    private long fields;

    @Override
    public void number(Layer layer, Field field, long value, int offset, int bytes) {
      fields++;
    }

    @Override
    public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
      fields++;
    }

    @Override
    public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
      fields++;
    }
  }

  @Test
  void shouldMakeNoObjectForAPacket() {
    AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
    Consumer<Packet> decode = decoder::decode;
    while (!meter.isDone()) {
      capture.forEach(decode);
      meter.add(capture.packets());
    }
    meter.assertQuiet();
  }

  @Test
  @Tag("sampled")
  void shouldLeaveMemoryWhereItWas() throws IOException {
    for (int i = 0; i < ROUND_PACKETS; i += capture.packets()) {
      capture.forEach(decoder::decode);
    }
    long before = anonymousKib();
    int wanted = Soak.times(2_000_000, MANY_PACKETS);
    for (int i = 0; i < wanted; i += capture.packets()) {
      capture.forEach(decoder::decode);
    }
    assertThat(anonymousKib() - before).isLessThan(SLACK_KIB);
    assertThat(decoder.frame().number()).isGreaterThan(wanted);
  }

  private static long anonymousKib() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("RssAnon:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  @Test
  void shouldPrintNothingByItself() {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream listening = new PrintStream(printed, true, StandardCharsets.UTF_8);
    Taker taker = new Taker();
    System.setOut(listening);
    System.setErr(listening);
    try {
      capture.forEach(packet -> {
        decoder.decode(packet);
        decoder.dissect(taker);
      });
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(taker.fields).isGreaterThan(capture.packets());
  }
}
