package io.linerate.bench.middlebox;

import io.linerate.bench.duel.Contestant;
import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many sessions a translator sets up in a second, how many it holds, and how many it removes in
 * a second, by the method of RFC 9693 (sections 4.5 to 4.7): between one address inside and one
 * outside, of all combinations of their ports in random order (RFC 4814).
 */
final class SetupRow {
  private static final int QUICK_SESSIONS = 1 << 16;
  private static final int SESSIONS = 1 << 20;
  private static final int QUICK_LASTING_S = 2;
  private static final int LASTING_S = 6;
  private static final int CLIENT_PORTS = 1 << 14;
  private static final int FIRST_PORT = 1_024;
  private static final int PORTS = 34;
  private static final int UDP = 17;
  private static final int START_MS = 4_000;
  private static final int MOST_ROUNDS = 12;

  private static final Pattern SETUP_NS = Pattern.compile("\"setupNs\":(\\d+)");

  private final Session session;
  private final int sessions;
  private final int lastingS;

  SetupRow(Session session) {
    this.session = session;
    sessions = session.quick() ? QUICK_SESSIONS : SESSIONS;
    lastingS = session.quick() ? QUICK_LASTING_S : LASTING_S;
  }

  String title() {
    return "set up %d sessions of UDP".formatted(sessions);
  }

  /** Measures it and hands in the result. */
  void run(int budgetMs) throws IOException, InterruptedException {
    Path file = PcapFrames.write(session.folder().resolve("sessions.pcap"), frames());
    int rounds = Math.clamp((budgetMs - START_MS) / (1_000L * (lastingS + 2)), 2, MOST_ROUNDS);
    List<SetupRound> java = java(file, rounds);
    List<SetupRound> c = new ArrayList<>();
    for (int i = 0; i < java.size(); i++) {
      c.add(c(file));
    }
    session.add(
        Result.of("nat", title(), "Msessions/s")
            .contestant(Match.JAVA, millions(java, SetupRound::setupPerSecond))
            .contestant(Match.C, millions(c, SetupRound::setupPerSecond))
            .ratio(Match.JAVA, Match.C)
            .figure("removed, Msessions/s", millions(java, SetupRound::teardownPerSecond).median())
            .figure("held", (double) java.getFirst().held())
            .build());
  }

  private static Spread millions(List<SetupRound> rounds, ToDoubleFunction<SetupRound> of) {
    return new Spread(
        rounds.stream().mapToDouble(round -> of.applyAsDouble(round) / 1e6).toArray());
  }

  private List<byte[]> frames() {
    List<byte[]> frames = new ArrayList<>(sessions);
    for (int i = 0; i < sessions; i++) {
      byte[] frame = PcapFrames.frame(0x0A00_0001, 0xC633_6401, UDP, 64, 64);
      ByteBuffer.wrap(frame)
          .putShort(PORTS, (short) (FIRST_PORT + i % CLIENT_PORTS))
          .putShort(PORTS + 2, (short) (FIRST_PORT + i / CLIENT_PORTS));
      frames.add(frame);
    }
    Collections.shuffle(frames, new Random(1));
    return frames;
  }

  /** All but the first, in which the compiler is at work. */
  private List<SetupRound> java(Path file, int rounds) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(session.javaCommand(SetupProgram.class.getName()));
    command.addAll(List.of(file.toString(), String.valueOf(sessions), String.valueOf(lastingS)));
    command.addAll(List.of(String.valueOf(rounds), String.valueOf(session.cpu())));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("program failed: command=" + String.join(" ", command));
    }
    return said.lines().skip(1).map(SetupRound::parse).toList();
  }

  private SetupRound c(Path file) {
    Match match =
        new Match(
            title(),
            "nat",
            Feed.nothing(64),
            32,
            List.of(file),
            Map.of(Match.C, List.of("setup=" + file, "connections=" + sessions)));
    try (Contestant twin = Contestant.start(match.cCommand(Match.C, session))) {
      Matcher matcher = SETUP_NS.matcher(twin.finish());
      if (!matcher.find()) {
        throw new IllegalStateException("twin does not say how long it took: twin=nat");
      }
      return new SetupRound(sessions * 1e9 / Long.parseLong(matcher.group(1)), 0, sessions);
    }
  }
}
