package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.libpcap.CaptureDevice;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.Soak;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A frame of every length from 14 bytes to jumbo frames, from a port of every kind to a port of
 * every kind: what the program says that it has sent is what the kernel has received behind it, and
 * the rest was dropped for its length.
 */
class EveryFrameTest {
  private static final String PREFIX = "le" + ProcessHandle.current().pid();
  private static final int LEAST_BYTES = 14;
  private static final int MOST_BYTES = 9_018;

  /** No more than the shortest of all queues holds: a tap device has 1,000 packets. */
  private static final int CHUNK = 512;

  private static final int GREETINGS = 10;
  private static final Pattern RECEIVED = Pattern.compile("([0-9,]+) received, .* 0 in flight");

  /** A kind of port, on the near end of a cable whose far end is the kernel's. */
  record Kind(String name, String prefix, String options, boolean isTap) {
    String address(String netInterface) {
      return prefix + netInterface + options;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final Kind PACKET = new Kind("packet", "packet:", "", false);

  /** With 1,024 slots of 64 KiB. */
  private static final Kind LIBPCAP = new Kind("libpcap", "libpcap:", ",buffer=64", false);

  private static final List<Kind> KINDS =
      List.of(
          PACKET,
          new Kind("xdp native", "xdp:", ",mode=native", false),
          new Kind("xdp generic", "xdp:", ",mode=generic", false),
          new Kind("tap", "tap:", "", true),
          LIBPCAP);

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "sysctl");
  }

  /** Every kind with every other in a soak; else each with {@code packet:} and with itself. */
  static Stream<Arguments> pairs() {
    boolean isAll = Soak.times(0, 1) == 1;
    return KINDS.stream()
        .flatMap(in ->
            KINDS.stream()
                .filter(out -> isAll || List.of(in, PACKET).contains(out) || in.equals(PACKET))
                .map(out -> Arguments.of(in, out)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  @Tag("sampled")
  void shouldDeliverEveryFrame(Kind in, Kind out) {
    Summary summary = forward(in, out, 9_000, 9_000);
    assertThat(summary.droppedTotal()).as(summary.json()).isZero();
  }

  /** A tap device takes what it is written, whatever its MTU. */
  static Stream<Arguments> pairsWithShortFrames() {
    return pairs().filter(pair -> !((Kind) pair.get()[1]).isTap);
  }

  @ParameterizedTest
  @MethodSource("pairsWithShortFrames")
  @Tag("sampled")
  void shouldDropWhatIsTooLongForWhereItGoes(Kind in, Kind out) {
    Summary summary = forward(in, out, 9_000, 1_500);
    assertThat(summary.dropped().keySet()).as(summary.json()).containsExactly("tx_too_long");
    assertThat(summary.sent())
        .as(summary.json())
        .isBetween(1_500L - LEAST_BYTES, 1_530L + GREETINGS);
  }

  private Summary forward(Kind in, Kind out, int mtuIn, int mtuOut) {
    assumeTrue(
        !List.of(in, out).contains(LIBPCAP) || !CaptureDevice.libraryVersion().isEmpty(),
        "skipped: libpcap is missing: install libpcap0.8");
    try (Cable left = new Cable("i", in, mtuIn);
        Cable right = new Cable("o", out, mtuOut);
        Command firewall = startFirewall(left, right, mtuIn)) {
      left.finish();
      right.finish();
      long injected = inject(left.far(), firewall);
      long received = right.received(); // A tap device goes with its program.
      firewall.terminate();
      assertThat(firewall.awaitExit()).as(firewall.errors()).isZero();
      Summary summary = new Summary(firewall.output());
      // A kernel greets its neighbors on a new tap device.
      long others = in.isTap || out.isTap ? GREETINGS : 0;
      assertThat(summary.received()).as(summary.json()).isBetween(injected, injected + others);
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      assertThat(received).as(summary.json()).isBetween(summary.sent() - others, summary.sent());
      return summary;
    }
  }

  private Command startFirewall(Cable left, Cable right, int mtuBytes) {
    Path rules = Lab.write(folder.resolve("rules"), "nonip pass");
    Path config =
        Lab.write(
            folder.resolve("firewall.properties"),
            "ports=left=" + left.address() + "; right=" + right.address(),
            "rules=" + rules,
            "mtu=" + mtuBytes);
    Command firewall =
        Command.start(Command.linerate("firewall", config.toString(), "--json", "--stats", "50ms"));
    firewall.awaitError(text -> text.contains("received"));
    return firewall;
  }

  /** Sends a frame of each length; returns how many the kernel has taken. */
  private static long inject(String netInterface, Command firewall) {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withMtu(9_000).withBuffers(4_096))) {
      DriverPort port = engine.drivers().open("packet:" + netInterface);
      port.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 8 * CHUNK);
      OwnedBurst burst = new OwnedBurst(new MbufArray(CHUNK));
      for (int length = LEAST_BYTES; length <= MOST_BYTES; length++) {
        assertThat(maker.append(burst.array(), frame(length))).isTrue();
        if (burst.room() == 0 || length == MOST_BYTES) {
          int sent = 0;
          while (sent < burst.size()) {
            sent += port.txQueue(0).send(burst.array(), sent);
            port.txQueue(0).flush();
          }
          burst.clear();
          burst.finish(new FreeBuffer(engine.drivers().pools(), 1));
          port.txQueue(0).decide();
          awaitReceived(firewall, port.statistics().txPackets());
        }
      }
      return port.statistics().txPackets();
    }
  }

  /** Of an EtherType for experiments (IEEE 802, section 9.2.4), which no host answers. */
  private static byte[] frame(int length) {
    byte[] frame = new byte[length];
    frame[0] = 2;
    frame[6] = 2;
    frame[11] = 1;
    frame[12] = (byte) 0x88;
    frame[13] = (byte) 0xB5;
    for (int i = 14; i < length; i++) {
      frame[i] = (byte) (i + length);
    }
    return frame;
  }

  private static void awaitReceived(Command firewall, long packets) {
    firewall.awaitError(text -> received(text) >= packets);
  }

  /** The last number of packets that it has said when all had left. */
  private static long received(String text) {
    Matcher said = RECEIVED.matcher(text);
    long last = 0;
    while (said.find()) {
      last = Long.parseLong(said.group(1).replace(",", ""));
    }
    return last;
  }

  /** A veth pair, or an interface that the program makes; no host says anything on it by itself. */
  private static final class Cable implements AutoCloseable {
    private final String near;
    private final String far;
    private final Kind kind;
    private final int mtuBytes;

    Cable(String tag, Kind kind, int mtuBytes) {
      this.kind = kind;
      this.mtuBytes = mtuBytes;
      near = PREFIX + tag;
      far = kind.isTap ? near : near + "f";
      if (!kind.isTap) {
        Command.run("ip", "link", "add", near, "type", "veth", "peer", "name", far);
        prepare(near);
        prepare(far);
      }
    }

    private void prepare(String netInterface) {
      Command.run("sysctl", "-qw", "net.ipv6.conf." + netInterface + ".disable_ipv6=1");
      Command.run("ip", "link", "set", netInterface, "mtu", Integer.toString(mtuBytes), "up");
    }

    String address() {
      return kind.address(near);
    }

    String far() {
      return far;
    }

    /** Once the program has made its own. */
    void finish() {
      if (kind.isTap) {
        prepare(near);
      }
    }

    /** Packets that the kernel has received from the program. */
    long received() {
      Path counter = Path.of("/sys/class/net", far, "statistics/rx_packets");
      try {
        return Long.parseLong(Files.readString(counter).strip());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      if (!kind.isTap) {
        Command.status("ip", "link", "delete", near);
      }
    }
  }
}
