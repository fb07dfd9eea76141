package io.linerate.bench.relay;

import io.linerate.bench.duel.ProcessSignal;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.SkipException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A client, a server, and a translator between them, each in a network namespace of its own. The
 * client is 10.0.0.2, the server 192.0.2.1, and the interfaces of the one between them are {@code
 * inside} and {@code outside}.
 */
final class TestLine implements AutoCloseable {
  static final String SERVER = "192.0.2.1";
  static final int SERVER_PORT = 7;

  /** Of the translator, on both sides. */
  static final String INSIDE = "10.0.0.1";

  static final String OUTSIDE = "192.0.2.2";

  private final Session session;
  private final String name;
  private final Thread atEnd;
  private final List<Process> processes = new ArrayList<>();

  /**
   * Times of one slice.
   *
   * @param medianUs half of the round trips took no longer
   * @param p99Us 99 of a hundred
   * @param lost datagrams that did not come back within a second
   */
  record Times(double medianUs, double p99Us, int lost) {
    /** Reads "MEDIAN 99TH LOST", of which times are in ns. */
    static Times parse(String line) {
      String[] words = line.split(" ", -1);
      return new Times(
          Long.parseLong(words[0]) / 1e3,
          Long.parseLong(words[1]) / 1e3,
          Integer.parseInt(words[2]));
    }
  }

  /** Makes the namespaces, with a server that sends back what it gets. */
  TestLine(Session session, int number) {
    this.session = session;
    name = "lb" + ProcessHandle.current().pid() + "n" + number;
    atEnd = new Thread(this::removeAll);
    Runtime.getRuntime().addShutdownHook(atEnd); // Whoever interrupts it leaves nothing behind.
    try {
      for (String space : List.of(client(), middle(), server())) {
        require(List.of("ip", "netns", "add", space));
      }
      join(client(), "eth0", "inside");
      join(server(), "eth0", "outside");
      in(client(), "ip addr add 10.0.0.2/24 dev eth0");
      in(client(), "ip route add default via " + INSIDE);
      in(server(), "ip addr add " + SERVER + "/24 dev eth0");
      String echo = session.twin("linux-echo").toString();
      start(server(), session.otherCpu(), List.of(echo, "server", String.valueOf(SERVER_PORT)));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private String client() {
    return name + "c";
  }

  private String middle() {
    return name + "m";
  }

  private String server() {
    return name + "s";
  }

  private void join(String space, String near, String far) {
    require(
        List.of(
            "ip", "link", "add", near, "netns", space, "type", "veth", "peer", "name", far, "netns",
            middle()));
    in(space, "ip link set " + near + " up");
    in(middle(), "ip link set " + far + " up");
  }

  private static void in(String space, String command) {
    List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", space));
    words.addAll(List.of(command.split(" ", -1)));
    require(words);
  }

  /** Gives the kernel of the one between them its addresses. */
  void address() {
    between("ip addr add " + INSIDE + "/24 dev inside");
    between("ip addr add " + OUTSIDE + "/24 dev outside");
  }

  /** Runs a command where the translator is. */
  void between(String command) {
    in(middle(), command);
  }

  /** Starts the translator. */
  Process translator(List<String> command) {
    return start(middle(), session.cpu(), command);
  }

  /** Starts a client, which is there when something has come back to it. */
  Client client(String address, int port) {
    String echo = session.twin("linux-echo").toString();
    return new Client(
        start(
            client(), session.otherCpu(), List.of(echo, "client", address, String.valueOf(port))));
  }

  private Process start(String space, int cpu, List<String> command) {
    List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", space));
    words.addAll(List.of("taskset", "-c", String.valueOf(cpu)));
    words.addAll(command);
    try {
      Process process =
          new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      processes.add(process);
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start: command=" + String.join(" ", words), e);
    }
  }

  private static void require(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (process.waitFor() != 0) {
        throw new SkipException(
            "command failed: command=" + String.join(" ", command) + "; needs root and iproute2");
      }
    } catch (IOException e) {
      throw new SkipException("cannot run: command=" + String.join(" ", command) + ", error=" + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** What asks, one datagram after the other. */
  static final class Client {
    private final Process process;
    private final BufferedReader answers;
    private final Writer orders;

    Client(Process process) {
      this.process = process;
      answers = process.inputReader(StandardCharsets.UTF_8);
      orders = process.outputWriter(StandardCharsets.UTF_8);
      String ready = readLine();
      if (!ready.equals("ready")) {
        throw new IllegalStateException("client is not ready: said=" + ready);
      }
    }

    Times measure(int count) {
      try {
        orders.write("measure " + count + "\n");
        orders.flush();
        return Times.parse(readLine());
      } catch (IOException e) {
        throw new UncheckedIOException("client takes no orders: pid=" + process.pid(), e);
      }
    }

    private String readLine() {
      try {
        String line = answers.readLine();
        if (line == null) {
          throw new IllegalStateException("client ended: pid=" + process.pid());
        }
        return line;
      } catch (IOException e) {
        throw new UncheckedIOException("client does not answer: pid=" + process.pid(), e);
      }
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atEnd);
    removeAll();
  }

  private void removeAll() {
    for (Process process : processes.reversed()) {
      ProcessSignal.resume(process);
      process.destroyForcibly();
    }
    for (Process process : processes) {
      process.onExit().join();
    }
    for (String space : List.of(client(), middle(), server())) {
      try {
        require(List.of("ip", "netns", "del", space));
      } catch (SkipException e) {
        session.say("namespace stays: name=" + space);
      }
    }
  }
}
