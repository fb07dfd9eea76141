package io.linerate.bench.middlebox;

import io.linerate.bench.duel.DuelRunner;
import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.duel.TextFiles;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.GeometricMean;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code track}: a firewall that passes what is of connections that its rules let begin. */
public final class TrackBenchmark implements Benchmark {
  private static final int BURST = 32;
  private static final int CHECKED = 512;
  private static final List<Integer> CONNECTIONS = List.of(1_000, 65_536);

  @Override
  public String name() {
    return "track";
  }

  @Override
  public String summary() {
    return "a firewall that knows connections: beside C of the same design, and rte_hash";
  }

  @Override
  public void run(Session session) {
    DuelRunner runner = new DuelRunner(session, name());
    List<Integer> wanted =
        (session.quick() ? CONNECTIONS.subList(0, 1) : CONNECTIONS)
            .stream().filter(connections -> session.wants(title(connections))).toList();
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      int budgetMs = (int) (session.left().toMillis() / (wanted.size() - i));
      long before = session.left().toMillis();
      if (i == 0) {
        runner.check(checked(session), checkFrames());
      }
      Match match = match(session, wanted.get(i));
      int spentMs = (int) (before - session.left().toMillis());
      runner.fight(match, budgetMs - spentMs, _ -> {}).ifPresent(results::add);
    }
    if (!results.isEmpty()) {
      session.conclude(GeometricMean.sentence("connections that are known", results));
    }
  }

  private static String title(int connections) {
    return "%d connections, 64 rules for new ones, net_pcap 64 B burst %d"
        .formatted(connections, BURST);
  }

  /** Without frames beforehand: those of the check begin with them. */
  static Match checked(Session session) {
    return match(session, Feed.replay("check", session.folder()), CHECKED, "");
  }

  static Match match(Session session, int connections) {
    Conversations all = new Conversations(connections, Conversation::client);
    int frames = connections > 8_192 ? 1 << 16 : 1 << 13;
    Path data = PcapFrames.write(session.folder().resolve("data.pcap"), all.data(frames));
    Path setup = PcapFrames.write(session.folder().resolve("setup.pcap"), all.setup());
    return match(session, Feed.replay("net_pcap", data, frames), connections, setup.toString());
  }

  private static Match match(Session session, Feed feed, int connections, String setup) {
    Path rules = session.folder().resolve("track-rules");
    TextFiles.write(rules, rules());
    Path acl = session.folder().resolve("track-acl");
    TextFiles.write(acl, acl());
    List<String> common =
        List.of(
            "acl=" + acl,
            "setup=" + setup,
            "connections=" + connections,
            "limit=" + session.folder().resolve("track-limit"));
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put(Match.C, common);
    twins.put("c-rte_hash", with(common, "index=rte_hash"));
    return new Match(
        title(connections),
        "track",
        feed,
        BURST,
        List.of(rules),
        twins,
        List.of(
            TrackProgram.class.getName(), rules.toString(), setup, String.valueOf(connections)));
  }

  private static List<String> with(List<String> some, String more) {
    List<String> all = new ArrayList<>(some);
    all.add(more);
    return all;
  }

  /** Half of the networks of clients may ask for each of the services. */
  private static List<String> rules() {
    List<String> lines =
        new ArrayList<>(List.of("pass state established,related", "drop state invalid"));
    for (int network = 0; network < Conversation.CLIENT_NETWORKS; network++) {
      lines.add(
          "pass %s from 10.%d.0.0/16 to 198.51.100.0/24 port %d state new"
              .formatted(protocol(network), network, port(network)));
    }
    lines.add("nonip drop arp");
    lines.add("default drop");
    return lines;
  }

  /** Numbers of conversations and of networks have the same remainders. */
  private static String protocol(int network) {
    return Conversation.of(network).isTcp() ? "tcp" : "udp";
  }

  private static int port(int network) {
    return Conversation.of(network).serverPort();
  }

  private static List<String> acl() {
    List<String> lines = new ArrayList<>();
    for (int network = 0; network < Conversation.CLIENT_NETWORKS; network++) {
      lines.add(
          "@10.%d.0.0/16 198.51.100.0/24 0 : 65535 %d : %d 0x%02x/0xff"
              .formatted(
                  network, port(network), port(network), protocol(network).equals("tcp") ? 6 : 17));
    }
    return lines;
  }

  /** Half of the connections begin; packets of the others, and outside of windows, are dropped. */
  static List<byte[]> checkFrames() {
    Conversations all = new Conversations(CHECKED / 2, Conversation::client);
    List<byte[]> frames = new ArrayList<>(all.setup());
    frames.addAll(all.data(1_024));
    frames.addAll(new Conversations(CHECKED, Conversation::client).data(1_024));
    for (int i = 0; i < CHECKED; i++) {
      frames.add(Conversation.of(i).outsideWindow());
      frames.add(PcapFrames.frame(i, 0xC633_6401, 17, 64, 64));
    }
    frames.add(PcapFrames.arp());
    frames.addAll(all.setup());
    return frames;
  }
}
