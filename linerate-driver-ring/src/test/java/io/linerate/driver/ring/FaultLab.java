package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortRequest;
import io.linerate.core.time.EpochClock;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.VanishedPackets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** A fault port on one end of a wire, with a clock and both ends in the hands of the test. */
final class FaultLab implements AutoCloseable {
  static final int LENGTH_BYTES = 64;

  /** Time of the fault port. */
  long nowNs = 1_000;

  final RingPort far;
  final DriverPort port;
  final PacketMaker maker;
  private final Engine engine = new Engine(EngineConfig.DEFAULT);
  private final Wire wire;
  private final OwnedBurst burst = new OwnedBurst(new MbufArray(32_768));
  private int made;

  /**
   * @param faults "" or what ends with a comma
   */
  FaultLab(String faults, int size) {
    wire = new Wire("wire", 1, size, engine.drivers().pools());
    far = wire.end("far");
    port =
        new FaultProvider(() -> nowNs)
            .open(
                new PortRequest(
                    "near",
                    PortAddress.parse("fault:" + faults + "port=ring:wire"),
                    1,
                    1,
                    engine.config(),
                    engine.drivers().pools(),
                    EpochClock.SYSTEM,
                    _ -> wire.end("inner")));
    maker = new PacketMaker("maker", engine.drivers().pools(), 16_384);
  }

  long fault(String name) {
    return port.statistics().extended().get("fault_" + name);
  }

  /** Sends the next numbered frames from the far end, for which there is room. */
  void feed(int count) {
    assertThat(offer(far, count)).isEqualTo(count);
  }

  /** Sends a frame from the far end, once something was done to its header. */
  void feed(byte[] frame, LongConsumer mark) {
    assertThat(maker.append(burst.array(), frame)).isTrue();
    mark.accept(burst.handle(0));
    assertThat(far.txQueue(0).send(burst.array(), 0)).isEqualTo(1);
    burst.clear();
  }

  /** Sends frames from the far end, the last of which nobody can read. */
  void feedVanished(VanishedPackets vanished, int good, int bad) {
    OwnedBurst packets = packets(vanished, good, bad);
    assertThat(far.txQueue(0).send(packets.array(), 0)).isEqualTo(good + bad);
    packets.clear();
  }

  /** Frames, the last of which nobody can read: the caller ends them. */
  OwnedBurst packets(VanishedPackets vanished, int good, int bad) {
    OwnedBurst packets = new OwnedBurst(new MbufArray(good + bad));
    Frames.numbered(good, LENGTH_BYTES)
        .forEach(frame -> assertThat(maker.append(packets.array(), frame)).isTrue());
    vanished.append(engine.drivers().pools(), packets.array(), bad);
    return packets;
  }

  void free(OwnedBurst packets) {
    packets.finish(new FreeBuffer(engine.drivers().pools(), 1));
  }

  /** Offers the next numbered frames to the fault port; returns how many it took. */
  int send(int count) {
    return offer(port, count);
  }

  private int offer(DriverPort to, int count) {
    int first = made;
    made += count;
    Frames.numbered(made, LENGTH_BYTES)
        .subList(first, made)
        .forEach(frame -> assertThat(maker.append(burst.array(), frame)).isTrue());
    int taken = to.txQueue(0).send(burst.array(), 0);
    burst.array().removeFirst(taken);
    free(burst);
    made = first + taken;
    return taken;
  }

  /** The frames that the fault port brings now. */
  List<byte[]> receive() {
    return received(port, _ -> {});
  }

  List<byte[]> receive(Consumer<Packet> test) {
    return received(port, test);
  }

  /** The frames that have come to the far end. */
  List<byte[]> collect() {
    return received(far, _ -> {});
  }

  private List<byte[]> received(DriverPort from, Consumer<Packet> test) {
    List<byte[]> frames = new ArrayList<>();
    for (int idle = 0; idle < 2; ) {
      idle = from.rxQueue(0).receive(burst.array()) == 0 ? idle + 1 : 0;
      for (Packet packet : burst) {
        frames.add(packet.toBytes());
        test.accept(packet);
      }
      free(burst);
    }
    return frames;
  }

  static List<Integer> numbers(List<byte[]> frames) {
    return frames.stream().map(FaultLab::number).toList();
  }

  static int number(byte[] frame) {
    return ((frame[18] & 0xFF) << 24)
        | ((frame[19] & 0xFF) << 16)
        | ((frame[20] & 0xFF) << 8)
        | (frame[21] & 0xFF);
  }

  /** Throws if a buffer is missing. */
  @Override
  public void close() {
    port.close();
    wire.close();
    engine.close();
  }
}
