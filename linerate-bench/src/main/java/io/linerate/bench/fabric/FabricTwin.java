package io.linerate.bench.fabric;

import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.SkipException;
import java.util.ArrayList;
import java.util.List;

/**
 * The program {@code src/main/c/fabric}.
 *
 * @param options more of both sides
 */
record FabricTwin(List<String> options) implements Contender.Programs {
  static final String PROGRAM = "fabric";

  /** Of the names of shared memory: what processes that were killed have left has it, too. */
  static final String SHM_PREFIX = "linerate-bench-" + ProcessHandle.current().pid() + "-";

  @Override
  public Contender.Pair pair(Session session, Exchange exchange) {
    boolean isShm = exchange.provider() == Provider.SHM;
    String address =
        isShm ? SHM_PREFIX + Long.toHexString(System.nanoTime()) : Provider.freeAddress();
    List<String> server = command(session, exchange, exchange.part().server(), session.otherCpu());
    server.addAll(List.of("--listen", address));
    List<String> client = command(session, exchange, exchange.part().client(), session.cpu());
    client.addAll(List.of("--connect", address, "--orders"));
    if (exchange.part().volumeBytes() > 0) {
      client.addAll(List.of("--bytes", String.valueOf(exchange.part().volumeBytes())));
    }
    if (isShm) {
      client.addAll(List.of("--name", address + "-client"));
    }
    return new Contender.Pair(server, client);
  }

  private List<String> command(Session session, Exchange exchange, String role, int cpu) {
    boolean isTarget = role.equals("target");
    int bytes = isTarget ? exchange.bytes() * exchange.window() : exchange.bytes();
    List<String> words = new ArrayList<>(List.of(session.twin(PROGRAM).toString(), role));
    words.addAll(List.of("--provider", exchange.provider().title(), "--cpu", String.valueOf(cpu)));
    words.addAll(List.of("--size", String.valueOf(bytes)));
    words.addAll(List.of("--window", String.valueOf(exchange.window())));
    words.addAll(options);
    return words;
  }

  @Override
  public String lack(Session session) {
    try {
      session.twin(PROGRAM);
      return "";
    } catch (SkipException e) {
      return e.reason();
    }
  }
}
