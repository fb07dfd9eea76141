package io.linerate.bench.latency;

import io.linerate.bench.suite.Session;
import java.util.ArrayList;
import java.util.List;

/** The forwarders: with their names in the report. */
enum Contestant {
  C("C", ""),
  SERIAL("Java, Serial", "-XX:+UseSerialGC"),
  PARALLEL("Java, Parallel", "-XX:+UseParallelGC"),
  G1("Java, G1", "-XX:+UseG1GC"),
  ZGC("Java, ZGC", "-XX:+UseZGC");

  private static final String HEAP = "256m";

  private final String title;
  private final String collector;

  Contestant(String title, String collector) {
    this.title = title;
    this.collector = collector;
  }

  String title() {
    return title;
  }

  boolean isC() {
    return this == C;
  }

  /** The command line; both ports are clients of the meter's. */
  List<String> command(Session session, Link link) {
    if (isC()) {
      List<String> words = new ArrayList<>();
      words.add(session.twin("latency-forwarder").toString());
      words.addAll(link.ealArguments("forwarder", session.cpu()));
      words.addAll(List.of("--vdev", link.there("client"), "--vdev", link.back("client")));
      return words;
    }
    List<String> words =
        new ArrayList<>(
            session.javaCommand(
                Forwarder.class.getName(),
                "-XX:-UseSerialGC",
                collector,
                "-Xms" + HEAP,
                "-Xmx" + HEAP));
    words.add(Integer.toString(session.cpu()));
    words.add("dpdk:" + link.there("client"));
    words.add("dpdk:" + link.back("client"));
    return words;
  }
}
