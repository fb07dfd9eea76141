package io.linerate.bench.fabric;

import io.linerate.bench.fabric.link.MessageProgram;
import io.linerate.bench.suite.Session;
import java.util.ArrayList;
import java.util.List;

/**
 * Two JVMs that run {@link MessageProgram}.
 *
 * @param kind of link
 * @param variant of UCX its transports, of a socket {@code uds} for the Unix domain
 */
record JavaPeers(String kind, String variant) implements Contender.Programs {
  @Override
  public Contender.Pair pair(Session session, Exchange exchange) {
    String address =
        variant.equals("uds")
            ? session.folder().resolve("socket").toString()
            : Provider.freeAddress();
    return new Contender.Pair(
        command(session, session.otherCpu(), exchange, exchange.part().server(), address),
        command(session, session.cpu(), exchange, exchange.part().client(), address));
  }

  private List<String> command(
      Session session, int cpu, Exchange exchange, String role, String address) {
    List<String> words = new ArrayList<>(java(session, cpu));
    words.addAll(List.of(kind, role, address));
    words.addAll(List.of(String.valueOf(exchange.bytes()), String.valueOf(exchange.window())));
    return words;
  }

  /** UCX reads its settings from the environment; signals are the JVM's own business. */
  private List<String> java(Session session, int cpu) {
    List<String> words = new ArrayList<>(List.of("taskset", "-c", String.valueOf(cpu)));
    if (kind.equals("ucx")) {
      words.addAll(
          List.of("env", "UCX_TLS=" + variant, "UCX_ERROR_SIGNALS=", "UCX_LOG_LEVEL=fatal"));
    }
    words.addAll(session.javaCommand(MessageProgram.class.getName()));
    return words;
  }

  @Override
  public String lack(Session session) {
    if (!kind.equals("ucx")) {
      return "";
    }
    List<String> words = new ArrayList<>(java(session, session.cpu()));
    words.add(kind);
    return Trial.failure(words);
  }
}
