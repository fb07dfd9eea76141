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
  private static final List<String> MODES =
      List.of(BalanceProgram.TRANSLATE, BalanceProgram.DIRECT);
  private static final List<Integer> CONNECTIONS = List.of(1_000, 65_536);

  @Override
  public String name() {
    return "balance";
  }

  @Override
  public String summary() {
    return "connections spread over servers, translated and directly: beside C";
  }

  @Override
  public void run(Session session) {
    DuelRunner runner = new DuelRunner(session, name());
    List<Case> wanted =
        MODES.stream()
            .flatMap(mode ->
                (session.quick() ? CONNECTIONS.subList(0, 1) : CONNECTIONS)
                    .stream().map(connections -> new Case(mode, connections)))
            .filter(one -> session.wants(one.title()))
            .toList();
    String checked = "";
    for (int i = 0; i < wanted.size(); i++) {
      Case one = wanted.get(i);
      int budgetMs = (int) (session.left().toMillis() / (wanted.size() - i));
      long before = session.left().toMillis();
      if (!checked.equals(one.mode)) {
        checked = one.mode;
        runner.check(match(session, new Case(one.mode, CHECKED), CHECKED), checkFrames());
      }
      Match match = match(session, one, one.connections > 8_192 ? 1 << 16 : 1 << 13);
      int spentMs = (int) (before - session.left().toMillis());
      var _ = runner.fight(match, budgetMs - spentMs, _ -> {});
    }
  }

  /** One row. */
  record Case(String mode, int connections) {
    String title() {
      return "%s, %d connections, %d backends, net_pcap 64 B burst %d"
          .formatted(mode, connections, BACKENDS, BURST);
    }
  }

  static Match match(Session session, Case one, int count) {
    Path data =
        PcapFrames.write(session.folder().resolve("data.pcap"), frames(one.connections, count));
    return new Match(
        one.title(),
        "balance",
        Feed.replay("net_pcap", data, count),
        BURST,
        List.of(data),
        Map.of(
            Match.C,
            List.of("mode=" + one.mode, "backends=" + BACKENDS, "connections=" + one.connections)),
        List.of(
            BalanceProgram.class.getName(),
            one.mode,
            String.valueOf(BACKENDS),
            String.valueOf(one.connections)));
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
