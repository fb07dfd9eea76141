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
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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

  /** The longest that has no VLAN tag is of 9,014 bytes: a kernel sends no longer one. */
  private static final int UNTAGGED_TOO_LONG_LENGTHS = 4;

  /** No more than the shortest of all queues holds: a tap device has 1,000 packets. */
  private static final int CHUNK = 512;

  private static final int GREETINGS = 10;
  private static final Pattern RECEIVED = Pattern.compile("([0-9,]+) received, .* 0 in flight");

  /**
   * A kind of port.
   *
   * @param address with the name of its interface, or {@code rx=FILE} or {@code tx=FILE}, and with
   *     a number that is the port's own
   */
  record Kind(String name, String address, End end) {
    /** What is behind it. */
    enum End {
      /** The near end of a cable whose far end is the kernel's. */
      CABLE,
      /** The kernel's end of an interface that the program makes. */
      OWN_INTERFACE,
      FILE
    }

    boolean makesItsInterface() {
      return end == End.OWN_INTERFACE;
    }

    boolean isFile() {
      return end == End.FILE;
    }

    boolean isDpdk() {
      return address.startsWith("dpdk:");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final Kind PACKET = new Kind("packet", "packet:%s", Kind.End.CABLE);

  /** With 1,024 slots of 64 KiB. */
  private static final Kind LIBPCAP = new Kind("libpcap", "libpcap:%s,buffer=64", Kind.End.CABLE);

  /** Tested with {@code packet:}, and each with itself, in the default run. */
  private static final List<Kind> KERNEL_KINDS =
      List.of(
          PACKET,
          new Kind("xdp native", "xdp:%s,mode=native", Kind.End.CABLE),
          new Kind("xdp generic", "xdp:%s,mode=generic", Kind.End.CABLE),
          new Kind("tap", "tap:%s", Kind.End.OWN_INTERFACE),
          LIBPCAP);

  /** Its port's MTU is 1,500, whatever that of its interface. */
  private static final Kind DPDK_TAP =
      new Kind("dpdk tap", "dpdk:net_tap%2$d,iface=%1$s", Kind.End.OWN_INTERFACE);

  /**
   * Tested with {@code packet:} only in the default run. The slots of net_af_packet have 2 KiB
   * unless told otherwise.
   */
  private static final List<Kind> OTHER_KINDS =
      List.of(
          new Kind(
              "dpdk af_packet",
              "dpdk:net_af_packet%2$d,iface=%1$s,blocksz=36864,framesz=9216,framecnt=2048",
              Kind.End.CABLE),
          DPDK_TAP,
          new Kind("pcap", "pcap:%s", Kind.End.FILE));

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "sysctl");
  }

  /**
   * Every kind with every other in a soak; else {@code packet:} with each, and others that are no
   * interface of the kernel with it.
   */
  static Stream<Arguments> pairs() {
    boolean isAll = isSoak();
    List<Kind> kinds = Stream.concat(KERNEL_KINDS.stream(), OTHER_KINDS.stream()).toList();
    return kinds.stream()
        .flatMap(in ->
            kinds.stream()
                .filter(out ->
                    isAll || in.equals(PACKET) || (out.equals(PACKET) && OTHER_KINDS.contains(in)))
                .filter(out -> !in.isFile() || !out.makesItsInterface()) // It is up too late.
                .map(out -> Arguments.of(in, out)));
  }

  static Stream<Arguments> pairsWithLongFrames() {
    return pairs().filter(pair -> !DPDK_TAP.equals(pair.get()[1]));
  }

  @ParameterizedTest
  @MethodSource("pairsWithLongFrames")
  @Tag("sampled")
  void shouldDeliverEveryFrame(Kind in, Kind out) {
    Summary summary = forward(in, out, 9_000, 9_000);
    assertThat(summary.dropped().keySet()).as(summary.json()).isSubsetOf("tx_too_long");
    assertThat(summary.droppedTotal())
        .as(summary.json())
        .isLessThanOrEqualTo(in.isFile() ? UNTAGGED_TOO_LONG_LENGTHS : 0);
  }

  /**
   * A tap device takes what it is written, and a file too, whatever the MTU. It is the way out that
   * refuses: in the default run all come from {@code packet:}.
   */
  static Stream<Arguments> pairsWithShortFrames() {
    return pairs()
        .filter(pair ->
            ((Kind) pair.get()[1]).end() == Kind.End.CABLE || DPDK_TAP.equals(pair.get()[1]))
        .filter(pair -> isSoak() || PACKET.equals(pair.get()[0]));
  }

  private static boolean isSoak() {
    return Soak.times(0, 1) == 1;
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

  /** From {@code packet:} to a ring, and from its other end to {@code packet:}. */
  @Test
  void shouldDeliverEveryFrameThroughARing() {
    try (Cable left = new Cable("i", PACKET, 9_000);
        Cable right = new Cable("o", PACKET, 9_000);
        Command firewall =
            startFirewall(
                "left=%s; near=ring:wire; far=ring:wire; right=%s"
                    .formatted(left.address(1), right.address(2)))) {
      left.finish();
      right.finish();
      long injected = inject("packet:" + left.far(), sent -> awaitReceived(firewall, 2 * sent));
      firewall.terminate();
      assertThat(firewall.awaitExit()).as(firewall.errors()).isZero();
      Summary summary = new Summary(firewall.output());
      assertThat(summary.received()).as(summary.json()).isEqualTo(2 * injected);
      assertThat(summary.sent()).as(summary.json()).isEqualTo(2 * injected);
      assertThat(right.received()).isEqualTo(injected);
    }
  }

  private Summary forward(Kind in, Kind out, int mtuIn, int mtuOut) {
    assumeTrue(
        !List.of(in, out).contains(LIBPCAP) || !CaptureDevice.libraryVersion().isEmpty(),
        "skipped: libpcap is missing: install libpcap0.8");
    if (out.isFile()) {
      Lab.requirePrograms("capinfos");
    }
    if (in.isDpdk() || out.isDpdk()) {
      Lab.requireDpdk();
    }
    try (Cable left = new Cable("i", in, mtuIn);
        Cable right = new Cable("o", out, mtuOut)) {
      if (in.isFile()) {
        long written = inject("pcap:tx=" + left.near, _ -> {});
        try (Command firewall = startFirewall(left, right)) {
          if (!out.isFile()) { // Between files it ends by itself.
            awaitReceived(firewall, written);
          }
          return endAndCheck(firewall, in, right, written);
        }
      }
      try (Command firewall = startFirewall(left, right)) {
        left.finish();
        right.finish();
        long injected = inject("packet:" + left.far(), sent -> awaitReceived(firewall, sent));
        return endAndCheck(firewall, in, right, injected);
      }
    }
  }

  private static Summary endAndCheck(Command firewall, Kind in, Cable right, long injected) {
    Kind out = right.kind;
    // Its own interface goes with the program, which completes files at its end.
    long receivedBefore = out.makesItsInterface() ? right.received() : 0;
    if (!in.isFile() || !out.isFile()) {
      firewall.terminate();
    }
    assertThat(firewall.awaitExit()).as(firewall.errors()).isZero();
    long received = out.makesItsInterface() ? receivedBefore : right.received();
    Summary summary = new Summary(firewall.output());
    // A kernel greets its neighbors on a new interface.
    long others = in.makesItsInterface() || out.makesItsInterface() ? GREETINGS : 0;
    assertThat(summary.received()).as(summary.json()).isBetween(injected, injected + others);
    assertThat(summary.isConserved()).as(summary.json()).isTrue();
    assertThat(received).as(summary.json()).isBetween(summary.sent() - others, summary.sent());
    return summary;
  }

  private Command startFirewall(Cable left, Cable right) {
    return startFirewall("left=" + left.address(1) + "; right=" + right.address(2));
  }

  private Command startFirewall(String ports) {
    Path rules = Lab.write(folder.resolve("rules"), "nonip pass");
    Path config =
        Lab.write(
            folder.resolve("firewall.properties"),
            "ports=" + ports,
            "rules=" + rules,
            "txretryus=1000000",
            ports.contains("framesz=") ? "mtu=9216" : "mtu=9000");
    Command firewall =
        Command.start(Command.linerate("firewall", config.toString(), "--json", "--stats", "50ms"));
    if (!ports.contains("pcap:rx=")) {
      firewall.awaitError(text -> text.contains("received"));
    }
    return firewall;
  }

  /**
   * Sends a frame of each length; returns how many the port has sent.
   *
   * @param awaitArrival waits until so many have arrived
   */
  private static long inject(String address, LongConsumer awaitArrival) {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withMtu(9_000).withBuffers(4_096))) {
      DriverPort port = engine.drivers().open(address);
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
          awaitArrival.accept(port.statistics().txPackets());
        }
      }
      long sent = port.statistics().txPackets();
      assertThat(sent)
          .isGreaterThanOrEqualTo(MOST_BYTES - UNTAGGED_TOO_LONG_LENGTHS - LEAST_BYTES + 1);
      return sent;
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

  /** A veth pair, an interface that the program makes, or a file; no host says anything there. */
  private final class Cable implements AutoCloseable {
    private final boolean isIn;
    private final String near;
    private final String far;
    private final Kind kind;
    private final int mtuBytes;

    Cable(String tag, Kind kind, int mtuBytes) {
      this.kind = kind;
      this.mtuBytes = mtuBytes;
      isIn = tag.equals("i");
      String name = PREFIX + tag;
      near = kind.isFile() ? folder.resolve(name + ".pcapng").toString() : name;
      far = kind.end() == Kind.End.CABLE ? near + "f" : near;
      if (kind.end() == Kind.End.CABLE) {
        Command.run("ip", "link", "add", near, "type", "veth", "peer", "name", far);
        prepare(near);
        prepare(far);
      }
    }

    private void prepare(String netInterface) {
      Command.run("sysctl", "-qw", "net.ipv6.conf." + netInterface + ".disable_ipv6=1");
      Command.run("ip", "link", "set", netInterface, "mtu", Integer.toString(mtuBytes), "up");
    }

    String address(int number) {
      String what = near;
      if (kind.isFile()) {
        what = isIn ? "rx=" + near + ",tx=/dev/null" : "tx=" + near;
      }
      return kind.address().formatted(what, number);
    }

    String far() {
      return far;
    }

    /** Once the program has made its own. */
    void finish() {
      if (kind.makesItsInterface()) {
        prepare(near);
      }
    }

    /** Packets that the kernel has received from the program, or that the file has. */
    long received() {
      if (kind.isFile()) {
        String counted = Command.run("capinfos", "-Mc", near);
        return Long.parseLong(counted.replaceAll("(?s).*packets: *([0-9]+).*", "$1"));
      }
      Path counter = Path.of("/sys/class/net", far, "statistics/rx_packets");
      try {
        return Long.parseLong(Files.readString(counter).strip());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      if (kind.end() == Kind.End.CABLE) {
        Command.status("ip", "link", "delete", near);
      }
    }
  }
}
