package io.linerate.bench.scan;

import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.InternetMix;
import io.linerate.bench.duel.LoopDuel;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.port.FrameSlots;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Session;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** {@code scan}: the layers of packets in memory, by {@code HeaderScanner} and by C. */
public final class ScanBenchmark implements Benchmark {
  private static final int BURST = 32;
  private static final int FRAME_BYTES = 64;
  private static final int IP = 14;
  private static final List<Integer> PACKETS = List.of(256, 4_096, 262_144);

  /** Which frames. */
  private enum Traffic {
    TCP("TCP over IPv4"),
    MIXED("mixed");

    private final String title;

    Traffic(String title) {
      this.title = title;
    }
  }

  private record Case(int packets, Traffic traffic) {
    String title() {
      return "%d packets, %s".formatted(packets, traffic.title);
    }
  }

  @Override
  public String name() {
    return "scan";
  }

  @Override
  public String summary() {
    return "the layers of packets in memory: HeaderScanner beside C with the same checks";
  }

  @Override
  public boolean startsFreshJvms() {
    return true;
  }

  @Override
  public void run(Session session) {
    List<Case> cases = new ArrayList<>();
    for (Traffic traffic : Traffic.values()) {
      for (int packets : PACKETS) {
        Case each = new Case(packets, traffic);
        if (session.wants(each.title()) && (!session.quick() || packets == 4_096)) {
          cases.add(each);
        }
      }
    }
    for (int i = 0; i < cases.size(); i++) {
      int budgetMs = (int) (session.left().toMillis() / (cases.size() - i));
      LoopDuel.fight(session, name(), match(session, cases.get(i)), "Mpps", budgetMs);
    }
  }

  private static Match match(Session session, Case one) {
    Path file = session.folder().resolve("frames");
    write(file, one);
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, List.of("frames=" + file));
    twins.put("c-call", List.of("frames=" + file, "way=call"));
    twins.put(Match.USUAL_C, List.of("frames=" + file, "way=usual"));
    return new Match(
        one.title(),
        "scan",
        Feed.nothing(FRAME_BYTES),
        BURST,
        List.of(),
        twins,
        List.of(ScanLoop.class.getName(), file.toString()));
  }

  private static void write(Path file, Case one) {
    Random random = new Random(one.packets);
    FrameSlots.write(
        file,
        one.packets,
        () -> one.traffic == Traffic.TCP ? plain(random, IpProtocol.TCP) : anyFrame(random));
  }

  private static byte[] plain(Random random, int protocol) {
    byte[] frame = PcapFrames.frame(random.nextInt(), protocol, FRAME_BYTES);
    if (protocol == IpProtocol.TCP) {
      frame[IP + 20 + 12] = 0x50;
    }
    return frame;
  }

  /** As on a link to the Internet: one in five is not plain IPv4, one in fifty not sound. */
  private static byte[] anyFrame(Random random) {
    byte[] frame = plain(random, PcapFrames.anyProtocol(random));
    return switch (random.nextInt(50)) {
      case 0, 1, 2 -> tagged(frame);
      case 3, 4, 5, 6, 7 -> ipv6(random, frame);
      case 8 -> {
        frame[IP] = 0x46;
        yield frame;
      }
      case 9 -> {
        frame[IP + 7] = 1; // A later fragment.
        yield frame;
      }
      case 10 -> PcapFrames.arp();
      case 11 -> Arrays.copyOf(frame, IP + random.nextInt(FRAME_BYTES - IP));
      default -> frame;
    };
  }

  private static byte[] tagged(byte[] frame) {
    ByteBuffer longer = ByteBuffer.allocate(frame.length + 4);
    longer.put(frame, 0, 12).putShort((short) EtherType.VLAN).putShort((short) 100);
    longer.put(frame, 12, frame.length - 12);
    return longer.array();
  }

  private static byte[] ipv6(Random random, byte[] ipv4) {
    return InternetMix.ipv6(random.nextLong(), random.nextLong(), ipv4[IP + 9], IP + 40 + 20);
  }
}
