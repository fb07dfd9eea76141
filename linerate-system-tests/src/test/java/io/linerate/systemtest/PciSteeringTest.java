package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.HashField;
import io.linerate.core.port.RssSettings;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.PacketMaker;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.ToeplitzHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Packets of many flows come by the queues of a PCI device that {@link ToeplitzHash} says, whatever
 * its key and table: {@code -Dlinerate.test.pci=NEAR,FAR} names it and a device at the other end of
 * its cable.
 */
@EnabledIfSystemProperty(
    named = "linerate.test.pci",
    matches = ".+,.+",
    disabledReason =
        "skipped: needs two PCI devices with a cable between them, -Dlinerate.test.pci=NEAR,FAR; ./linerate test --machine has emulated ones")
class PciSteeringTest {
  private static final int QUEUES = 4;
  private static final int FLOWS = 256;
  private static final int FRAME_BYTES = 80;
  private static final int FLOW_OFFSET = 74;
  private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(2);

  /** Protocol numbers of TCP, UDP and one without ports, VRRP. */
  private static final List<Integer> PROTOCOLS = List.of(6, 17, 112);

  @Test
  void shouldBringEachFlowByTheQueueThatTheHashSays() {
    String[] devices = System.getProperty("linerate.test.pci", "").split(",", 2);
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withQueues(QUEUES))) {
      DriverPort near = engine.drivers().open("near", "dpdk:" + devices[0]);
      DriverPort far = engine.drivers().open("far", "dpdk:" + devices[1]);
      near.start();
      far.start();
      near.attachThread();
      assertThat(near.rxQueues()).isEqualTo(QUEUES);
      FlowSteering steering = Objects.requireNonNull(near.steering());
      RssSettings first = steering.settings();
      System.out.printf(
          "possible=%s, fields=%s, key=%s, table=%s%n",
          steering.possibleFields(), first.fields(), first.key(), first.table());
      Traffic traffic = new Traffic(engine, near, far, steering);
      traffic.assertSpreads("as it starts", List.of(0, 1, 2, 3));

      byte[] key = new byte[first.key().length() / 2];
      new Random(7).nextBytes(key);
      steering.settings(steering.settings().withKey(HexFormat.of().formatHex(key)));
      traffic.assertSpreads("with another key", List.of(0, 1, 2, 3));

      steering.settings(steering.settings().withTable(table(first.table().size(), 1, 3)));
      traffic.assertSpreads("with a table of two queues", List.of(1, 3));

      steering.settings(
          steering.settings().withTable(table(first.table().size(), 3, 2, 1, 0)).symmetric());
      traffic.assertSpreads("with the symmetric key", List.of(0, 1, 2, 3));
      near.detachThread();
    }
  }

  private static List<Integer> table(int size, int... queues) {
    return IntStream.range(0, size).mapToObj(i -> queues[i % queues.length]).toList();
  }

  /** A packet of each flow, from the far device to the near one. */
  private static final class Traffic {
    private final Engine engine;
    private final DriverPort near;
    private final DriverPort far;
    private final FlowSteering steering;
    private final PacketMaker maker;
    private final HeaderScanner scanner = new HeaderScanner();
    private final FlowKey flow = new FlowKey();

    Traffic(Engine engine, DriverPort near, DriverPort far, FlowSteering steering) {
      this.engine = engine;
      this.near = near;
      this.far = far;
      this.steering = steering;
      maker = new PacketMaker("flows", engine.drivers().pools(), 1_024);
    }

    void assertSpreads(String what, List<Integer> queuesUsed) {
      List<byte[]> frames = frames();
      int[] queueOf = new int[frames.size()];
      int[] expected = new int[frames.size()];
      Arrays.fill(queueOf, -1);
      RssSettings settings = steering.settings();
      ToeplitzHash hash = new ToeplitzHash(settings.key());
      int received = 0;
      for (byte[] frame : frames) {
        send(frame);
        long end = System.nanoTime() + TIMEOUT_NS;
        while (receive(queueOf, expected, hash, settings.table()) == 0) {
          assertThat(System.nanoTime()).as("packet %d comes", received).isLessThan(end);
        }
        received++;
      }
      assertThat(queueOf).as("queues " + what).isEqualTo(expected);
      int[] counts = new int[QUEUES];
      Arrays.stream(queueOf).forEach(queue -> counts[queue]++);
      System.out.printf(
          "%s: %d flows, packets by queue %s%n", what, frames.size(), Arrays.toString(counts));
      for (int queue = 0; queue < QUEUES; queue++) {
        assertThat(counts[queue] > 0).as("queue %d", queue).isEqualTo(queuesUsed.contains(queue));
      }
    }

    private List<byte[]> frames() {
      List<byte[]> frames = new ArrayList<>();
      Random random = new Random(1);
      while (frames.size() < FLOWS) {
        int protocol = PROTOCOLS.get(frames.size() % PROTOCOLS.size());
        boolean isIpv6 = frames.size() % 2 == 1;
        if (canHash(protocol, isIpv6)) {
          frames.add(frame(frames.size(), protocol, isIpv6, random));
        } else {
          frames.add(frame(frames.size(), 6, false, random));
        }
      }
      return frames;
    }

    /** Whether the device hashes it by all that a flow key has of it. */
    private boolean canHash(int protocol, boolean isIpv6) {
      HashField field =
          switch (protocol) {
            case 6 -> isIpv6 ? HashField.IPV6_TCP : HashField.IPV4_TCP;
            case 17 -> isIpv6 ? HashField.IPV6_UDP : HashField.IPV4_UDP;
            default -> isIpv6 ? HashField.IPV6 : HashField.IPV4;
          };
      return steering.settings().fields().contains(field);
    }

    private static byte[] frame(int number, int protocol, boolean isIpv6, Random random) {
      byte[] bytes = new byte[FRAME_BYTES];
      random.nextBytes(bytes);
      ByteBuffer frame = ByteBuffer.wrap(bytes);
      frame.putInt(0, -1).putShort(4, (short) -1).put(6, (byte) 2);
      if (isIpv6) {
        frame.putShort(12, (short) 0x86DD).putInt(14, 0x6000_0000);
        frame.putShort(18, (short) (FRAME_BYTES - 54)).put(20, (byte) protocol).put(21, (byte) 64);
        frame.putShort(22, (short) 0x2001).putShort(38, (short) 0x2001);
      } else {
        frame.putShort(12, (short) 0x0800).putInt(14, 0x4500_0000 | (FRAME_BYTES - 14));
        frame.putInt(18, 0).put(22, (byte) 64).put(23, (byte) protocol);
        frame.put(26, (byte) 10).put(30, (byte) 10);
      }
      int l4 = isIpv6 ? 54 : 34;
      frame.putShort(l4 + 4, (short) (protocol == 17 ? FRAME_BYTES - l4 : 0));
      frame.put(l4 + 12, (byte) 0x50).putShort(FLOW_OFFSET, (short) number);
      return bytes;
    }

    private void send(byte[] frame) {
      OwnedBurst burst = new OwnedBurst(new MbufArray(1));
      assertThat(maker.append(burst.array(), frame)).as("buffer").isTrue();
      assertThat(far.txQueue(0).send(burst.array(), 0)).as("packets taken").isEqualTo(1);
      far.txQueue(0).flush();
      burst.clear();
    }

    /** Returns how many packets have come. */
    private int receive(int[] queueOf, int[] expected, ToeplitzHash hash, List<Integer> table) {
      int received = 0;
      for (int queue = 0; queue < QUEUES; queue++) {
        OwnedBurst burst = new OwnedBurst(new MbufArray(32));
        received += near.rxQueue(queue).receive(burst.array());
        for (Packet packet : burst) {
          int number = packet.u16(FLOW_OFFSET);
          scanner.scan(packet);
          assertThat(flow.read(packet, scanner)).as("packet is of a flow").isTrue();
          queueOf[number] = queue;
          expected[number] = table.get(Integer.remainderUnsigned(hash.of(flow), table.size()));
          packet.drop(DropReason.CONSUMED);
        }
        burst.finish(new FreeBuffer(engine.drivers().pools(), 1));
      }
      return received;
    }
  }
}
