package io.linerate.bench.filter;

import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.LoopDuel;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.port.FrameSlots;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Session;
import io.linerate.wire.IpProtocol;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * {@code filter}: which packets that lie in memory a filter accepts, by its class, by C that is
 * written by hand, and by libpcap's interpreter.
 */
public final class FilterBenchmark implements Benchmark {
  /** What filter.c has by hand. */
  private static final String FILTER =
      "tcp and dst port 443 and src net 10.0.0.0/8 and not host 10.1.2.3 and len >= 64";

  private static final String PCAP = "c-pcap";
  private static final int BURST = 32;
  private static final int FRAME_BYTES = 64;
  private static final int PACKETS = 4_096;
  private static final int TRANSPORT = 34;

  /** Which frames. */
  private enum Traffic {
    ACCEPTED("all accepted"),
    MIXED("one in four accepted"),
    REJECTED("none accepted");

    private final String title;

    Traffic(String title) {
      this.title = title;
    }
  }

  @Override
  public String name() {
    return "filter";
  }

  @Override
  public String summary() {
    return "packets in memory that a filter accepts: beside libpcap's interpreter and C by hand";
  }

  @Override
  public boolean startsFreshJvms() {
    return true;
  }

  @Override
  public void run(Session session) {
    List<Traffic> cases = new ArrayList<>();
    for (Traffic traffic : Traffic.values()) {
      if (session.wants(traffic.title) && (!session.quick() || traffic == Traffic.MIXED)) {
        cases.add(traffic);
      }
    }
    for (int i = 0; i < cases.size(); i++) {
      int budgetMs = (int) (session.left().toMillis() / (cases.size() - i));
      LoopDuel.fight(session, name(), match(session, cases.get(i)), "Mpps", budgetMs);
    }
  }

  private static Match match(Session session, Traffic traffic) {
    Path file = session.folder().resolve("frames");
    Random random = new Random(PACKETS);
    FrameSlots.write(file, PACKETS, () -> frame(random, traffic));
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, List.of("frames=" + file, "filter=" + FILTER));
    twins.put(PCAP, List.of("frames=" + file, "filter=" + FILTER, "way=pcap"));
    return new Match(
        traffic.title,
        "filter",
        Feed.nothing(FRAME_BYTES),
        BURST,
        List.of(),
        twins,
        List.of(FilterLoop.class.getName(), file.toString(), FILTER));
  }

  private static byte[] frame(Random random, Traffic traffic) {
    return switch (traffic) {
      case ACCEPTED -> tcp(random, 10, 443);
      case MIXED -> anyFrame(random);
      case REJECTED -> random.nextBoolean() ? tcp(random, 10, 80) : udp(random);
    };
  }

  private static byte[] anyFrame(Random random) {
    return switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> tcp(random, 10, 443);
      case 4, 5, 6, 7 -> tcp(random, 10, 1 + random.nextInt(400));
      case 8, 9 -> tcp(random, 192, 443);
      case 10 -> PcapFrames.arp();
      case 11 -> PcapFrames.frame(0x0A01_0203, 0x0A01_0001, IpProtocol.TCP, 64, FRAME_BYTES);
      default -> udp(random);
    };
  }

  private static byte[] udp(Random random) {
    return PcapFrames.frame(random.nextInt(), IpProtocol.UDP, FRAME_BYTES);
  }

  private static byte[] tcp(Random random, int network, int port) {
    int source = (network << 24) | (1 + random.nextInt(0xFFFF));
    byte[] frame = PcapFrames.frame(source, IpProtocol.TCP, FRAME_BYTES);
    ByteBuffer.wrap(frame).putShort(TRANSPORT + 2, (short) port).put(TRANSPORT + 12, (byte) 0x50);
    return frame;
  }
}
