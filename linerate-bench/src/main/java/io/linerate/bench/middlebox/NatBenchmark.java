package io.linerate.bench.middlebox;

import io.linerate.bench.duel.DuelRunner;
import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code nat}: addresses and ports of both directions of many sessions are translated. */
public final class NatBenchmark implements Benchmark {
  private static final int BURST = 32;
  private static final int CHECKED = 512;
  private static final List<Integer> SESSIONS = List.of(1_000, 65_536);

  @Override
  public String name() {
    return "nat";
  }

  @Override
  public String summary() {
    return "addresses and ports translated: beside C of the same design";
  }

  @Override
  public void run(Session session) throws IOException, InterruptedException {
    SetupRow setup = new SetupRow(session);
    boolean isSetupWanted = session.wants(setup.title());
    DuelRunner runner = new DuelRunner(session, name());
    List<Integer> wanted =
        (session.quick() ? SESSIONS.subList(0, 1) : SESSIONS)
            .stream().filter(sessions -> session.wants(title(sessions))).toList();
    for (int i = 0; i < wanted.size(); i++) {
      int rows = wanted.size() - i + (isSetupWanted ? 1 : 0);
      int budgetMs = (int) (session.left().toMillis() / rows);
      long before = session.left().toMillis();
      if (i == 0) {
        runner.check(checked(session), checkFrames());
      }
      Match match = match(session, wanted.get(i));
      int spentMs = (int) (before - session.left().toMillis());
      var _ = runner.fight(match, budgetMs - spentMs, _ -> {});
    }
    if (isSetupWanted) {
      setup.run((int) session.left().toMillis());
    }
  }

  private static String title(int sessions) {
    return "%d sessions, net_pcap 64 B burst %d".formatted(sessions, BURST);
  }

  /** Without frames beforehand: those of the check begin with them. */
  static Match checked(Session session) {
    return match(Feed.replay("check", session.folder()), CHECKED, "");
  }

  static Match match(Session session, int sessions) {
    Conversations all = new Conversations(sessions, _ -> NatProgram.OUTSIDE);
    int frames = sessions > 8_192 ? 1 << 16 : 1 << 13;
    Path data = PcapFrames.write(session.folder().resolve("data.pcap"), all.data(frames));
    Path setup = PcapFrames.write(session.folder().resolve("setup.pcap"), all.setup());
    return match(Feed.replay("net_pcap", data, frames), sessions, setup.toString());
  }

  private static Match match(Feed feed, int sessions, String setup) {
    return new Match(
        title(sessions),
        "nat",
        feed,
        BURST,
        List.of(Path.of(setup)),
        Map.of(Match.C, List.of("setup=" + setup, "connections=" + sessions)),
        List.of(NatProgram.class.getName(), setup, String.valueOf(sessions)));
  }

  /** Half of the sessions begin; what comes from outside for the others is dropped. */
  static List<byte[]> checkFrames() {
    Conversations all = new Conversations(CHECKED / 2, _ -> NatProgram.OUTSIDE);
    List<byte[]> frames = new ArrayList<>(all.setup());
    frames.addAll(all.data(1_024));
    for (int i = 0; i < CHECKED / 2; i++) {
      frames.add(Conversation.of(i).outsideWindow());
    }
    for (int i = CHECKED / 2; i < CHECKED; i++) {
      frames.add(Conversation.of(i).reply(NatProgram.OUTSIDE));
    }
    frames.addAll(all.setup());
    // Last, so that all bursts before are of one side: those of two leave side by side.
    frames.add(PcapFrames.arp());
    return frames;
  }
}
