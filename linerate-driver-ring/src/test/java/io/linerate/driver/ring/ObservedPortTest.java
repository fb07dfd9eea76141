package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortRequest;
import io.linerate.core.time.EpochClock;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.PacketSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ports that trace and record. */
final class ObservedPortTest {
  private static List<byte[]> read(Path file) {
    List<byte[]> frames = new ArrayList<>();
    try (Engine reader = new Engine()) {
      reader
          .worker()
          .input(
              reader.port("pcap:rx=" + file),
              burst -> {
                for (Packet packet : burst) {
                  frames.add(packet.toBytes());
                }
              });
      assertThat(reader.run().failures()).isEmpty();
    }
    return frames;
  }

  @Test
  void shouldRecordWhatIsReceived(@TempDir Path directory) {
    Path file = directory.resolve("rx.pcapng");
    List<byte[]> frames = Frames.ofOddSizes(0, 9_000);
    try (Engine engine = new Engine()) {
      DriverPort feed = engine.drivers().open("feed", "ring:wire");
      DriverPort port =
          engine.drivers().open("recorded", "record:file=" + file + ",port=ring:wire");
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 1_024);
      OwnedBurst burst = new OwnedBurst(new MbufArray(frames.size()));
      frames.forEach(frame -> assertThat(maker.append(burst.array(), frame)).isTrue());
      assertThat(feed.txQueue(0).send(burst.array(), 0)).isEqualTo(frames.size());
      feed.close();
      engine.worker().input(port, received -> received.dropAll(DropReason.CONSUMED));
      assertThat(engine.run().packets().received()).isEqualTo(frames.size());
      assertThat(port.statistics().extended())
          .containsEntry("record_packets", (long) frames.size())
          .containsEntry("record_missed", 0L);
    }
    assertSame(read(file), frames);
  }

  @Test
  void shouldRecordWhatWasSentAndOnlyThat(@TempDir Path directory) {
    Path file = directory.resolve("tx.pcap");
    List<byte[]> frames = Frames.ofOddSizes(0, 9_000);
    long sent;
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withTxRetryUs(10))) {
      // Room for 64: the rest is refused, dropped as tx_full and not in the file.
      DriverPort port = engine.drivers().open("record:file=" + file + ",port=ring:wire,size=64");
      Output output = engine.worker().output(port);
      engine.worker().input(new PacketSource(engine.drivers().pools(), frames), output::sendAll);
      sent = engine.run().packets().sent();
      assertThat(sent).isEqualTo(64);
    }
    assertSame(read(file), frames.subList(0, 64));
  }

  private static void assertSame(List<byte[]> actual, List<byte[]> expected) {
    assertThat(actual.toArray(byte[][]::new)).isDeepEqualTo(expected.toArray(byte[][]::new));
  }

  @Test
  void shouldPrintLineForEachPacket() {
    List<String> lines = trace("rate=0,", 5);
    assertThat(lines).hasSize(10);
    assertThat(lines.getFirst())
        .startsWith(
            "2020-09-13T12:26:40.000000007Z tx traced/0 length=64 type=0x88b5 ffffffffffff020000000001")
        .endsWith("...");
    assertThat(lines.getLast()).contains(" rx traced/0 ");
  }

  @Test
  void shouldPrintNoMoreLinesThanItsRateAndSayHowManyAreMissing() {
    List<String> lines = trace("rate=3,", 50);
    assertThat(lines).hasSize(4);
    assertThat(lines.getLast()).contains("port=traced", "notShown=97", "rate=3");
  }

  /** Sends packets through a traced loopback and receives them. */
  private static List<String> trace(String options, int count) {
    List<String> lines = new ArrayList<>();
    EpochClock clock = () -> 1_600_000_000_000_000_007L;
    try (Engine engine = new Engine();
        Wire wire = Wire.loopback("loop", 1, 64, engine.drivers().pools());
        DriverPort port =
            new TraceProvider(lines::add)
                .open(
                    new PortRequest(
                        "traced",
                        PortAddress.parse("trace:" + options + "port=ring:loop"),
                        1,
                        1,
                        engine.config(),
                        engine.drivers().pools(),
                        clock,
                        inner -> wire.end("inner")))) {
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      OwnedBurst burst = new OwnedBurst(new MbufArray(count));
      Frames.numbered(count, 64).forEach(frame -> maker.append(burst.array(), frame));
      assertThat(port.txQueue(0).send(burst.array(), 0)).isEqualTo(count);
      burst.clear();
      assertThat(port.rxQueue(0).receive(burst.array())).isEqualTo(count);
      engine.drivers().pools().free(burst.array().address(), burst.size());
    }
    return lines;
  }

  @Test
  void shouldFreeAndCountWhatNobodyReceived() {
    try (Engine engine = new Engine();
        Wire wire = new Wire("wire", 2, 64, engine.drivers().pools())) {
      RingPort near = wire.end("near");
      RingPort far = wire.end("far");
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      OwnedBurst burst = new OwnedBurst(new MbufArray(10));
      Frames.numbered(10, 64).forEach(frame -> maker.append(burst.array(), frame));
      assertThat(near.txQueue(1).send(burst.array(), 0)).isEqualTo(10);
      assertThat(maker.pool().available()).isEqualTo(54);
      far.close();
      assertThat(maker.pool().available()).isEqualTo(64);
      assertThat(far.statistics().missed()).isEqualTo(10);
      assertThat(far.statistics().rxPackets()).isZero();
      assertThat(far.statistics().rxBytes()).isZero();
      assertThat(near.statistics().txPackets()).isEqualTo(10);
      assertThat(near.statistics().txBytes()).isEqualTo(640);
      // Nobody is there any more: nothing is taken.
      burst.clear();
      Frames.numbered(10, 64).forEach(frame -> maker.append(burst.array(), frame));
      assertThat(near.txQueue(1).send(burst.array(), 0)).isZero();
      engine.drivers().pools().free(burst.array().address(), burst.size());
    }
  }
}
