package io.linerate.driver.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.RxQueue;
import io.linerate.core.time.EpochClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/** Opens ports as an engine does, and checks at the end that every buffer is free. */
final class PortHarness implements AutoCloseable {
  /** A packet that was received. */
  record Received(long timestampNs, String hex) {
    static Received of(Packet packet) {
      return new Received(packet.timestampNs(), hex(packet.toBytes()));
    }

    static String hex(byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
  }

  static final long CLOCK_NS = 1_234_567_890_123_456_789L;

  final PacketPools pools = new PacketPools();
  final PcapPortProvider provider = new PcapPortProvider();
  final OwnedBurst burst;
  final FreeBuffer freeBuffer = new FreeBuffer(pools, 1);
  private final EngineConfig config;
  private final List<DriverPort> ports = new ArrayList<>();

  PortHarness() {
    this(EngineConfig.DEFAULT.withBuffers(2_048));
  }

  PortHarness(EngineConfig config) {
    this.config = config;
    burst =
        new OwnedBurst(
            new MbufArray(config.rxBurst()), new DropCounts(), () -> CLOCK_NS, new BurstOwner());
  }

  DriverPort open(String address) {
    DriverPort port =
        provider.open(
            new PortRequest(
                "p" + ports.size(),
                PortAddress.parse(address),
                2,
                2,
                config,
                pools,
                EpochClock.SYSTEM,
                inner -> {
                  throw new IllegalStateException("no inner ports");
                }));
    ports.add(port);
    return port;
  }

  DriverPort reading(Path file) {
    return open("pcap:rx=" + file);
  }

  /** All packets of a port that is not damaged. */
  List<Received> receiveAll(DriverPort port) {
    List<Received> all = new ArrayList<>();
    receiveAll(port, packet -> all.add(Received.of(packet)));
    return all;
  }

  /** Hands each packet to {@code handler}, and drops it. */
  void receiveAll(DriverPort port, Consumer<Packet> handler) {
    RxQueue queue = port.rxQueue(0);
    long deadline = System.nanoTime() + 120_000_000_000L;
    while (!queue.exhausted()) {
      assertThat(System.nanoTime()).as("the end of " + port.address()).isLessThan(deadline);
      receive(queue, handler);
    }
  }

  int receive(RxQueue queue, Consumer<Packet> handler) {
    try {
      int count = queue.receive(burst.array());
      for (Packet packet : burst) {
        handler.accept(packet);
        if (packet.isLive()) {
          packet.drop(DropReason.CONSUMED);
        }
      }
      return count;
    } finally {
      burst.finish(freeBuffer);
    }
  }

  /** Receives until the port says that its file is damaged: then it must be exhausted. */
  PortException receiveUntilDamage(DriverPort port, List<Received> packets) {
    try {
      receiveAll(port, packet -> packets.add(Received.of(packet)));
    } catch (PortException e) {
      assertThat(port.rxQueue(0).exhausted()).isTrue();
      assertThat(port.rxQueue(0).receive(burst.array())).isZero();
      return e;
    }
    throw new AssertionError("the port did not see that its file is damaged");
  }

  @Override
  public void close() {
    for (DriverPort port : ports.reversed()) {
      port.close();
    }
    provider.close();
    assertThat(pools.close()).as("pools that miss buffers").isEmpty();
  }
}
