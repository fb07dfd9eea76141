package io.linerate.bench.middlebox;

import io.linerate.bench.duel.DuelRunner;
import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Session;
import io.linerate.wire.Ipv4Address;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** {@code balance}: what clients send to a service goes to the backends of their connections. */
public final class BalanceBenchmark implements Benchmark {
  private static final int BURST = 32;
  private static final int BACKENDS = 16;
  private static final int CHECKED = 512;
  private static final List<Integer> CONNECTIONS = List.of(1_000, 65_536);

  @Override
  public String name() {
    return "balance";
  }

  @Override
  public String summary() {
    return "connections spread over servers: beside C of the same design";
  }

  @Override
  public void run(Session session) {
    DuelRunner runner = new DuelRunner(session, name());
    List<Integer> wanted =
        (session.quick() ? CONNECTIONS.subList(0, 1) : CONNECTIONS)
            .stream().filter(connections -> session.wants(title(connections))).toList();
    for (int i = 0; i < wanted.size(); i++) {
      int budgetMs = (int) (session.left().toMillis() / (wanted.size() - i));
      long before = session.left().toMillis();
      if (i == 0) {
        runner.check(match(session, CHECKED, CHECKED), checkFrames());
      }
      Match match = match(session, wanted.get(i), wanted.get(i) > 8_192 ? 1 << 16 : 1 << 13);
      int spentMs = (int) (before - session.left().toMillis());
      var _ = runner.fight(match, budgetMs - spentMs, _ -> {});
    }
  }

  private static String title(int connections) {
    return "translating, %d connections, %d backends, net_pcap 64 B burst %d"
        .formatted(connections, BACKENDS, BURST);
  }

  static Match match(Session session, int connections, int count) {
    Path data = PcapFrames.write(session.folder().resolve("data.pcap"), frames(connections, count));
    return new Match(
        title(connections),
        "balance",
        Feed.replay("net_pcap", data, count),
        BURST,
        List.of(data),
        Map.of(Match.C, List.of("backends=" + BACKENDS, "connections=" + connections)),
        List.of(
            BalanceProgram.class.getName(), String.valueOf(BACKENDS), String.valueOf(connections)));
  }

  /** Of any connections; those of TCP go on that have begun elsewhere. */
  private static List<byte[]> frames(int connections, int count) {
    Random random = new Random(connections);
    List<byte[]> frames = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      frames.add(toService(Conversation.of(random.nextInt(connections))));
    }
    return frames;
  }

  private static byte[] toService(Conversation one) {
    return one.data(Ipv4Address.parse(BalanceProgram.SERVICE), one.serverPort());
  }

  /** Of many connections, some to other addresses, which have no backends. */
  static List<byte[]> checkFrames() {
    List<byte[]> frames = new ArrayList<>(frames(CHECKED, 2_048));
    for (int i = 0; i < CHECKED; i++) {
      Conversation one = Conversation.of(i);
      frames.add(i % 7 == 0 ? one.data(0x0A01_0001, 443) : toService(one));
    }
    frames.add(PcapFrames.arp());
    return frames;
  }
}
