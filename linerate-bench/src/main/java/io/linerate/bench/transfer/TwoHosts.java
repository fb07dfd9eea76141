package io.linerate.bench.transfer;

import io.linerate.bench.suite.SkipException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two network namespaces with a veth pair between them: eth0 of each, 10.0.0.1 of who sends and
 * 10.0.0.2 of who receives. Both have a folder in memory.
 */
final class TwoHosts implements AutoCloseable {
  static final String RECEIVER = "10.0.0.2";
  private static final long TIMEOUT_S = 120;

  private final String name = "lb" + ProcessHandle.current().pid();
  private final Path memory;
  private final Path log;
  private final Thread atEnd = new Thread(this::removeAll);
  private final List<Process> servers = new ArrayList<>();

  TwoHosts(Path folder, int mtu) {
    memory = folder.resolve("memory");
    log = folder.resolve("log");
    Runtime.getRuntime().addShutdownHook(atEnd); // Whoever interrupts it leaves nothing behind.
    try {
      Files.createDirectories(memory);
      require("mount -t tmpfs -o size=12g tmpfs " + memory);
      require("ip netns add " + sender());
      require("ip netns add " + receiver());
      require(
          "ip link add eth0 netns %s type veth peer name eth0 netns %s"
              .formatted(sender(), receiver()));
      address(sender(), "10.0.0.1/24", mtu);
      address(receiver(), RECEIVER + "/24", mtu);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder: folder=" + memory, e);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private static void address(String space, String address, int mtu) {
    String in = "ip -n " + space;
    require(in + " addr add " + address + " dev eth0");
    require(in + " link set eth0 mtu " + mtu + " up");
    require(in + " link set lo up");
  }

  private String sender() {
    return name + "a";
  }

  private String receiver() {
    return name + "b";
  }

  /** A folder in memory. */
  Path memory() {
    return memory;
  }

  /** Starts a program at the receiver, which runs until this is closed. */
  void serve(List<String> command) {
    servers.add(start(receiver(), command));
  }

  /** Ends what runs at the receiver. */
  void endServers() {
    servers.forEach(TwoHosts::end);
    servers.clear();
  }

  /** Runs a program at the sender: for how many seconds, and what it has said. */
  Run run(List<String> command) throws IOException, InterruptedException {
    long startNs = System.nanoTime();
    Process process = start(sender(), command);
    if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
      end(process);
    }
    double seconds = (System.nanoTime() - startNs) / 1e9;
    String said = Files.readString(log, StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(
          "program failed: command=%s, status=%d, output=%s"
              .formatted(String.join(" ", command), process.exitValue(), said.strip()));
    }
    return new Run(seconds, said);
  }

  /** A program that has ended well. */
  record Run(double seconds, String said) {}

  private Process start(String space, List<String> command) {
    List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", space));
    words.addAll(command);
    Path to = space.equals(sender()) ? log : log.resolveSibling("server.log");
    try {
      return new ProcessBuilder(words)
          .redirectErrorStream(true)
          .redirectOutput(to.toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start: command=" + String.join(" ", words), e);
    }
  }

  private static void require(String command) {
    if (!isDone(command)) {
      throw new SkipException("command failed: command=" + command + "; needs root and iproute2");
    }
  }

  private static boolean isDone(String command) {
    try {
      return new ProcessBuilder(command.split(" ", -1))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      throw new SkipException("cannot run: command=" + command + ", error=" + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void removeAll() {
    endServers();
    boolean _ = isDone("ip netns del " + sender());
    boolean _ = isDone("ip netns del " + receiver());
    boolean _ = isDone("umount " + memory);
  }

  @Override
  public void close() {
    removeAll();
    Runtime.getRuntime().removeShutdownHook(atEnd);
  }
}
