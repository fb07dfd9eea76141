package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.Port;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.VethPair;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the kernel says of its packets, and DPDK's drivers do not. */
class KernelRxQueueTest {
  private static final long PID = ProcessHandle.current().pid();
  private static final String NEAR = "lrk" + PID;
  private static final String FAR = "lrl" + PID;
  private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
  private static final int IPV4 = 0x0800;

  /** Room of a frame of 2,048 bytes in the kernel's ring. */
  private static final int RING_BYTES = 1_982;

  /** The folded sum of the pseudo header of {@link #udp}'s datagrams, of so many bytes. */
  private static final int PSEUDO_SUM = 0x0A00 + 1 + 0x0A00 + 2 + 17;

  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  /** A frame with a datagram from 10.0.0.1 to 10.0.0.2, whose bytes are zeroes. */
  private static byte[] udp(int lengthBytes, int checksum) {
    ByteBuffer frame = ByteBuffer.allocate(lengthBytes);
    frame.put(6, (byte) 2).putShort(12, (short) IPV4);
    frame.putInt(14, 0x4500_0000 | lengthBytes - 14).putInt(22, 0x4011_0000);
    frame.putInt(26, 0x0A00_0001).putInt(30, 0x0A00_0002);
    frame.putInt(34, 0x0400_0035).putShort(38, (short) (lengthBytes - 34));
    return frame.putShort(40, (short) checksum).array();
  }

  /** Sends by a socket of the kernel's, from the other end of the cable. */
  private static void send(List<byte[]> frames) throws IOException, InterruptedException {
    String script =
        """
        import socket, sys
        sender = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        sender.bind((sys.argv[1], 0))
        for frame in sys.argv[2:]:
            sender.send(bytes.fromhex(frame))
        """;
    List<String> words = new ArrayList<>(List.of("python3", "-c", script, NEAR));
    frames.forEach(frame -> words.add(HexFormat.of().formatHex(frame)));
    assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
  }

  private record Seen(int lengthBytes, int checksum) {
    static Seen of(Packet packet) {
      return new Seen(packet.length(), packet.u16(40));
    }
  }

  @Test
  void shouldDropWhatTheDriverCutAndFinishChecksums() throws IOException, InterruptedException {
    int unfinished = PSEUDO_SUM + 166;
    List<byte[]> frames =
        List.of(udp(RING_BYTES, 7), udp(3_000, 7), udp(200, unfinished), udp(RING_BYTES + 1, 7));
    int finished = ~(unfinished + 0x0400 + 0x0035 + 166) & 0xFFFF;
    List<Seen> expected = List.of(new Seen(RING_BYTES, 7), new Seen(200, finished));
    try (VethPair _ = VethPair.make(NEAR, FAR)) {
      List<Seen> seen = new CopyOnWriteArrayList<>();
      try (Engine engine = new Engine(EngineConfig.DEFAULT)) {
        Port port = engine.port("dpdk-shared:net_af_packet0,iface=" + FAR);
        engine
            .worker()
            .input(
                port,
                burst ->
                    burst.forEach(packet -> {
                      if (packet.u16(12) == IPV4) {
                        seen.add(Seen.of(packet));
                      }
                    }));
        engine.start();
        send(frames);
        long end = System.nanoTime() + TIMEOUT_NS;
        while ((seen.size() < expected.size() || port.statistics().errors() < 2)
            && System.nanoTime() < end) {
          boolean _ = engine.awaitEnd(10);
        }
        engine.stop();
        boolean _ = engine.awaitEnd(1_000);
        assertThat(port.statistics().errors()).isEqualTo(2);
        assertThat(port.statistics().rxBytes())
            .as("without what was cut")
            .isBetween(RING_BYTES + 200L, 2L * RING_BYTES);
        assertThat(engine.summary().packets().isConserved()).isTrue();
      }
      assertThat(seen).isEqualTo(expected);
    }
  }
}
