package io.linerate.bench.decode;

import io.linerate.bench.duel.Duel;
import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.LoopDuel;
import io.linerate.bench.duel.Match;
import io.linerate.bench.port.FrameSlots;
import io.linerate.bench.scan.ScanLoop;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * {@code decode}: layers and fields of packets that lie in memory, by {@code Decoder}, by C of the
 * same depth, and by other libraries of Java.
 */
public final class DecodeBenchmark implements Benchmark {
  private static final int BURST = 32;
  private static final int LONG_SLOT_BYTES = 2_048;
  private static final int CAPTURE_PACKETS = 8_192;
  private static final List<Integer> TCP_PACKETS = List.of(256, 4_096, 262_144);
  private static final int FEW_PACKETS = 256;

  private static final String TWIN = "decode";
  private static final String CAPTURES =
      "%,d packets of %d captures".formatted(CAPTURE_PACKETS, DecodeFrames.CAPTURES);
  private static final String SHUFFLED = CAPTURES + ", shuffled";

  /** C that decodes header by header, as one usually writes it. */
  private static final String C_USUAL = "c-usual";

  private static final String USUAL = "usual";
  private static final String SCANNER = "scanner";
  private static final String C_SCANNER = "c-scanner";

  /** What is taken off for the price of what is asked alone. */
  private static final String BASE = "java-base";

  private static final String C_BASE = "c-base";

  /** A case with what measures it in its share of the budget. */
  private record Case(String title, boolean isQuick, Measure measure) {}

  /** Measures a case. */
  @FunctionalInterface
  private interface Measure {
    Result.Builder run(Session session, String title, int budgetMs) throws IOException;
  }

  @Override
  public String name() {
    return "decode";
  }

  @Override
  public String summary() {
    return "layers and fields of packets in memory: beside C as deep, Pcap4J and io.pkts";
  }

  @Override
  public boolean startsFreshJvms() {
    return true;
  }

  @Override
  public void run(Session session) throws IOException {
    List<Case> cases = new ArrayList<>();
    for (Case each : all()) {
      if (session.wants(each.title()) && (!session.quick() || each.isQuick())) {
        cases.add(each);
      }
    }
    for (int i = 0; i < cases.size(); i++) {
      int budgetMs = (int) (session.left().toMillis() / (cases.size() - i));
      Case each = cases.get(i);
      session.add(each.measure().run(session, each.title(), budgetMs).build());
    }
  }

  private List<Case> all() {
    List<Case> cases = new ArrayList<>();
    cases.add(new Case(CAPTURES, true, this::captures));
    cases.add(new Case(SHUFFLED, false, this::shuffled));
    for (int packets : TCP_PACKETS) {
      for (String asked : List.of(Questions.LAYERS, Questions.PORT)) {
        cases.add(
            new Case(
                "%,d packets, Ethernet to TCP%s"
                    .formatted(packets, asked.equals(Questions.PORT) ? ", port" : ""),
                packets == 4_096,
                (session, title, budgetMs) -> tcp(session, title, packets, asked, budgetMs)));
      }
    }
    cases.add(integer("an integer of the packet", Questions.NOTHING, Questions.READ, 1));
    cases.add(
        integer(
            "eight fields of a layer", Questions.LAYERS, Questions.FIELDS, Questions.FIELD_COUNT));
    cases.add(mapped("a packet as MappedBuffer", Questions.NOTHING, Questions.WRAP));
    cases.add(mapped("an integer of a MappedBuffer", Questions.WRAP, Questions.WRAP_READ));
    cases.add(mapped("an integer inside a part", Questions.PARTS, Questions.PARTS_INSIDE));
    cases.add(mapped("an integer across a seam", Questions.PARTS, Questions.PARTS_SEAM));
    return cases;
  }

  /** As jNetPcap's author measured his: many packets of many files, again and again. */
  private Result.Builder captures(Session session, String title, int budgetMs) throws IOException {
    Input input =
        Input.write(
            session, DecodeFrames.captures(CAPTURE_PACKETS), CAPTURE_PACKETS, LONG_SLOT_BYTES);
    SequencedMap<String, List<String>> commands = input.layersCommands();
    commands.put(PeerLoop.PCAP4J, input.peer(PeerLoop.PCAP4J));
    commands.put(PeerLoop.PKTS, input.peer(PeerLoop.PKTS));
    Duel duel = LoopDuel.fight(session, commands, List.of(Match.JAVA, Match.C, C_USUAL), budgetMs);
    Result.Builder result = result(session, title, duel, commands, "Mpps");
    double headers = (double) input.layers() / CAPTURE_PACKETS;
    double mpps = duel.rates(Match.JAVA).median();
    result
        .figure(Match.JAVA + "/" + C_USUAL, ratio(session, duel, Match.JAVA, C_USUAL))
        .figure("headers a packet", headers)
        .figure("million headers a second", mpps * headers)
        .figure("ns a header", 1_000 / (mpps * headers));
    for (String peer : List.of(PeerLoop.PCAP4J, PeerLoop.PKTS)) {
      result.figure(Match.JAVA + "/" + peer, ratio(session, duel, Match.JAVA, peer));
      result.figure(peer + " heap B a packet", duel.heapBytesPerPacket(peer));
    }
    return result.theirs(
        "jNetPcap 1.3b1, its author's notes: 7,341 packets of 15 files in memory, 10,000 times; 3,845 ns a header",
        "Java over C, JRE 1.5, Core Duo",
        0.059_051);
  }

  /** The same packets in any order. */
  private Result.Builder shuffled(Session session, String title, int budgetMs) throws IOException {
    Input input =
        Input.write(
            session, DecodeFrames.shuffled(CAPTURE_PACKETS), CAPTURE_PACKETS, LONG_SLOT_BYTES);
    SequencedMap<String, List<String>> commands = input.layersCommands();
    Duel duel = LoopDuel.fight(session, commands, commands.sequencedKeySet(), budgetMs);
    return result(session, title, duel, commands, "Mpps")
        .figure(Match.JAVA + "/" + C_USUAL, ratio(session, duel, Match.JAVA, C_USUAL));
  }

  private Result.Builder tcp(Session session, String title, int packets, String asked, int budgetMs)
      throws IOException {
    Input input = Input.tcp(session, packets);
    SequencedMap<String, List<String>> commands = new LinkedHashMap<>();
    if (asked.equals(Questions.PORT)) {
      commands.put(Match.JAVA, input.java(asked));
      commands.put(Match.C, input.c(asked));
      Duel duel = LoopDuel.fight(session, commands, commands.sequencedKeySet(), budgetMs);
      return result(session, title, duel, commands, "Mpps");
    }
    commands.putAll(input.layersCommands());
    commands.put(SCANNER, input.scanner());
    commands.put(C_SCANNER, input.cScanner());
    Duel duel = LoopDuel.fight(session, commands, List.of(Match.JAVA, Match.C, C_USUAL), budgetMs);
    return result(session, title, duel, commands, "Mpps")
        .figure(Match.JAVA + "/" + C_USUAL, ratio(session, duel, Match.JAVA, C_USUAL))
        .figure(SCANNER + "/" + C_SCANNER, ratio(session, duel, SCANNER, C_SCANNER));
  }

  private Case integer(String title, String base, String asked, int integers) {
    return new Case(
        title,
        true,
        (session, text, budgetMs) -> {
          Input input = Input.tcp(session, FEW_PACKETS);
          SequencedMap<String, List<String>> commands = new LinkedHashMap<>();
          commands.put(Match.JAVA, input.java(asked));
          commands.put(Match.C, input.c(asked));
          commands.put(BASE, input.java(base));
          commands.put(C_BASE, input.c(base));
          Duel duel = LoopDuel.fight(session, commands, List.of(Match.JAVA, Match.C), budgetMs);
          return result(session, text, duel, commands, "ns")
              .figure("java ns an integer", more(session, duel, Match.JAVA, BASE) / integers)
              .figure("c ns an integer", more(session, duel, Match.C, C_BASE) / integers);
        });
  }

  private Case mapped(String title, String base, String asked) {
    return new Case(
        title,
        true,
        (session, text, budgetMs) -> {
          Input input = Input.tcp(session, FEW_PACKETS);
          SequencedMap<String, List<String>> commands = new LinkedHashMap<>();
          commands.put(Match.JAVA, input.java(asked));
          commands.put(BASE, input.java(base));
          Duel duel = LoopDuel.fight(session, commands, List.of(), budgetMs);
          return Result.of(name(), text, "ns")
              .contestant(Match.JAVA, ns(duel.rates(Match.JAVA)))
              .contestant(BASE, ns(duel.rates(BASE)))
              .heapBytesPerPacket(duel.heapBytesPerPacket(Match.JAVA))
              .figure("ns more", more(session, duel, Match.JAVA, BASE));
        });
  }

  private Result.Builder result(
      Session session, String title, Duel duel, SequencedMap<String, ?> contestants, String unit) {
    Result.Builder result = Result.of(name(), title, unit);
    boolean isTime = unit.equals("ns");
    for (String each : contestants.keySet()) {
      result.contestant(each, isTime ? ns(duel.rates(each)) : duel.rates(each));
    }
    return result
        .ratio(Match.JAVA, Match.C, session.jvms())
        .heapBytesPerPacket(duel.heapBytesPerPacket(Match.JAVA));
  }

  /** How often as fast as another one is: the median of JVMs, each the median of its pairs. */
  private static double ratio(Session session, Duel duel, String one, String other) {
    return duel.rates(one).dividedBy(duel.rates(other)).medians(session.jvms()).median();
  }

  /** By how many ns a packet takes longer than with another, pair by pair. */
  private static double more(Session session, Duel duel, String one, String other) {
    double[] asked = ns(duel.rates(one)).samples();
    double[] base = ns(duel.rates(other)).samples();
    double[] more = new double[asked.length];
    Arrays.setAll(more, i -> asked[i] - base[i]);
    return new Spread(more).medians(session.jvms()).median();
  }

  /** Time for a packet. */
  private static Spread ns(Spread mpps) {
    return new Spread(Arrays.stream(mpps.samples()).map(rate -> 1_000 / rate).toArray());
  }

  /** Packets in a file, and the commands of who asks about them. */
  private record Input(Session session, Path frames, int slotBytes, Path ports) {
    static Input tcp(Session session, int packets) throws IOException {
      return write(session, DecodeFrames.tcp(packets), packets, FrameSlots.SLOT_BYTES);
    }

    static Input write(Session session, Supplier<byte[]> made, int packets, int slotBytes)
        throws IOException {
      Path frames = session.folder().resolve("frames");
      FrameSlots.write(frames, packets, slotBytes, made);
      Path ports = Files.write(session.folder().resolve("ports"), DecodeLoop.ports());
      return new Input(session, frames, slotBytes, ports);
    }

    /** Of Java, and of both kinds of C. */
    SequencedMap<String, List<String>> layersCommands() {
      SequencedMap<String, List<String>> commands = new LinkedHashMap<>();
      commands.put(Match.JAVA, java(Questions.LAYERS));
      commands.put(Match.C, c(Questions.LAYERS));
      commands.put(C_USUAL, c(USUAL));
      return commands;
    }

    /** Of all packets together. */
    long layers() throws IOException {
      return DecodeLoop.layers(frames, slotBytes);
    }

    List<String> java(String question) {
      return java(DecodeLoop.class, String.valueOf(slotBytes), question);
    }

    List<String> peer(String library) {
      return java(PeerLoop.class, String.valueOf(slotBytes), library);
    }

    List<String> scanner() {
      return java(ScanLoop.class);
    }

    private List<String> java(Class<?> main, String... more) {
      List<String> words = new ArrayList<>(List.of(main.getName(), frames.toString()));
      words.addAll(List.of(more));
      return LoopDuel.javaCommand(session, words, BURST);
    }

    List<String> c(String question) {
      return c(TWIN, "slot=" + slotBytes, "ports=" + ports, "way=" + question);
    }

    List<String> cScanner() {
      return c("scan", "way=best");
    }

    private List<String> c(String program, String... more) {
      List<String> options = new ArrayList<>(List.of("frames=" + frames));
      options.addAll(List.of(more));
      Feed feed = Feed.nothing(64);
      return new Match("", program, feed, BURST, List.of(), Map.of(Match.C, options), List.of())
          .cCommand(Match.C, session);
    }
  }
}
