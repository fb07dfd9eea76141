package io.linerate.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.bench.suite.RecordingSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The C program {@code fabric}, as a server and its client, on one of the providers. */
final class TwinPair {
  private static final int TIMEOUT_S = 60;

  private final Path program = RecordingSession.requireTwin("fabric");
  private final Provider provider;
  private final String address;

  TwinPair(Provider provider) {
    this.provider = provider;
    address =
        provider == Provider.SHM
            ? FabricTwin.SHM_PREFIX + Long.toHexString(System.nanoTime())
            : Provider.freeAddress();
  }

  /**
   * What one of them came to.
   *
   * @param said on standard output and standard error
   */
  record End(int status, String said) {}

  /** Both ends, that of the server first. */
  record Ends(End server, End client) {
    Ends requireGood() {
      assertThat(server.status).as(server.said).isZero();
      assertThat(client.status).as(client.said).isZero();
      return this;
    }
  }

  /** Name of the memory of both on shm. */
  String address() {
    return address;
  }

  /** Runs both to their end; options that differ are given to each. */
  Ends run(String serverRole, List<String> serverOptions, String role, List<String> options)
      throws IOException, InterruptedException {
    Process server = start(serverRole, List.of("--listen", address), serverOptions);
    try {
      BufferedReader said = server.inputReader(StandardCharsets.UTF_8);
      String first = said.readLine();
      assertThat(first).as("first line of the server").isEqualTo("ready");
      List<String> where = new ArrayList<>(List.of("--connect", address));
      if (provider == Provider.SHM) {
        where.addAll(List.of("--name", address + "-client"));
      }
      Process client = start(role, where, options);
      try {
        End clientEnd = end(client, client.inputReader(StandardCharsets.UTF_8));
        return new Ends(end(server, said), clientEnd);
      } finally {
        client.destroyForcibly();
      }
    } finally {
      server.destroyForcibly();
    }
  }

  /**
   * Runs it as a server, and a test as its client.
   *
   * @param client is told when the server has ended
   */
  End serve(String role, List<String> options, Consumer<BooleanSupplier> client)
      throws IOException, InterruptedException {
    Process server = start(role, List.of("--listen", address), options);
    try {
      BufferedReader said = server.inputReader(StandardCharsets.UTF_8);
      assertThat(said.readLine()).as("first line of the server").isEqualTo("ready");
      client.accept(() -> !server.isAlive());
      return end(server, said);
    } finally {
      server.destroyForcibly();
    }
  }

  /**
   * Runs it as a client, and a test as its server.
   *
   * @param where the server is
   * @param server is told when the client has ended
   */
  End ask(String role, List<String> options, String where, Consumer<BooleanSupplier> server)
      throws IOException, InterruptedException {
    List<String> address = new ArrayList<>(List.of("--connect", where));
    if (provider == Provider.SHM) {
      address.addAll(List.of("--name", this.address + "-client"));
    }
    Process client = start(role, address, options);
    try {
      server.accept(() -> !client.isAlive());
      return end(client, client.inputReader(StandardCharsets.UTF_8));
    } finally {
      client.destroyForcibly();
    }
  }

  private Process start(String role, List<String> where, List<String> options) throws IOException {
    List<String> words = new ArrayList<>(List.of(program.toString(), role));
    words.addAll(List.of("--provider", provider.title(), "--timeout", "20"));
    words.addAll(where);
    words.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("IPATH_NO_BACKTRACE", "1"); // It need not start again to have it.
    return builder.start();
  }

  private static End end(Process process, BufferedReader said)
      throws IOException, InterruptedException {
    StringBuilder all = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      all.append(line).append('\n');
    }
    assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).as(all.toString()).isTrue();
    return new End(process.exitValue(), all.toString());
  }
}
