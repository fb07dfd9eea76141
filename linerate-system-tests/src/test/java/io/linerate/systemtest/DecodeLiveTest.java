package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What decode, follow and flows say of a real client and a real server while these talk: they
 * listen at a hub between both, until they are told to end.
 */
class DecodeLiveTest {
  private static final String LISTENER = "lr-listen";
  private static final String CLIENT_ADDRESS = "10.98.0.1";
  private static final String SERVER_ADDRESS = "10.98.0.2";
  private static final String CONTENT = "what the server says";
  private static final int REQUESTS = 3;

  private final String hub = "lr" + ProcessHandle.current().pid() + "h";
  private final String client = "lr" + ProcessHandle.current().pid() + "c";
  private final String server = "lr" + ProcessHandle.current().pid() + "s";

  @TempDir Path folder;

  @BeforeEach
  void makeAHub() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "curl", "python3");
    for (String namespace : List.of(hub, client, server)) {
      Command.run("ip", "netns", "add", namespace);
    }
    // A bridge that forgets at once where addresses are is a hub: all of its ports get all frames.
    ip("link", "add", "hub", "type", "bridge", "ageing_time", "0", "mcast_snooping", "0");
    ip("link", "set", "hub", "up");
    plug("eth0", client);
    plug("eth0", server);
    plug(LISTENER, hub);
    Command.run("ip", "-n", client, "addr", "add", CLIENT_ADDRESS + "/24", "dev", "eth0");
    Command.run("ip", "-n", server, "addr", "add", SERVER_ADDRESS + "/24", "dev", "eth0");
  }

  private void ip(String... words) {
    List<String> all = new ArrayList<>(List.of("ip", "-n", hub));
    all.addAll(List.of(words));
    Command.run(all.toArray(new String[0]));
  }

  private void plug(String name, String namespace) {
    String port = "to-" + namespace;
    ip("link", "add", port, "type", "veth", "peer", "name", name, "netns", namespace);
    ip("link", "set", port, "master", "hub", "up");
    Command.run("ip", "-n", namespace, "link", "set", name, "addrgenmode", "none", "up");
  }

  @AfterEach
  void removeTheHub() {
    for (String namespace : List.of(hub, client, server)) {
      int _ = Command.status("ip", "netns", "delete", namespace);
    }
  }

  private Command listen(String program, String... options) {
    List<String> words = new ArrayList<>(List.of(program, "packet:" + LISTENER));
    words.addAll(List.of(options));
    Command command =
        Command.start(Command.in(hub, Command.linerate(words.toArray(new String[0]))));
    command.awaitError(said -> said.contains("Ctrl-C ends it"));
    return command;
  }

  private void talk() {
    Lab.write(folder.resolve("page.txt"), CONTENT);
    String url = "http://" + SERVER_ADDRESS + ":8000/page.txt";
    try (Command _ = HttpLab.serve(server, SERVER_ADDRESS, folder)) {
      for (int i = 0; i < REQUESTS; i++) {
        List<String> curl = List.of("curl", "-s", "-S", "--max-time", "120", url);
        assertThat(Command.run(Command.in(client, curl).toArray(new String[0]))).contains(CONTENT);
      }
    }
  }

  /** Waits for so many lines of a kind. */
  private static void await(Command program, int lines, Predicate<String> areOfIt) {
    program.awaitOutput(all -> all.lines().filter(areOfIt).count() >= lines);
  }

  private static String end(Command program) {
    program.terminate();
    assertThat(program.awaitExit()).as(program.errors()).isZero();
    return program.output();
  }

  @Test
  void shouldTellOfConversationsWhileTheyGoOn() {
    try (Command decode =
            listen(
                "decode",
                "--filter",
                "tcp port 8000",
                "--bind",
                "tcp.port=8000:http",
                "--fields",
                "ip.src,tcp.dstport,tcp.stream,http.request.uri,http.response.code");
        Command all = listen("decode");
        Command follow = listen("follow", "--filter", "tcp");
        Command flows = listen("flows", "--filter", "tcp")) {
      talk();
      await(decode, REQUESTS, line -> line.endsWith("\t200"));
      await(all, 1, line -> line.contains(" eth:arp "));
      String request = CLIENT_ADDRESS + ":\\d+ > " + SERVER_ADDRESS + ":8000 ";
      await(all, 1, line -> Pattern.compile(request).matcher(line).find());
      await(follow, REQUESTS, line -> line.endsWith(" < " + CONTENT));
      // Each of them has ended, which is told of two seconds later.
      await(flows, REQUESTS, line -> line.contains(SERVER_ADDRESS + ":8000"));
      List<String> columns = end(decode).lines().toList();
      assertThat(columns)
          .allMatch(line -> line.matches("10\\.98\\.0\\.[12]\t\\d+\t\\d\t.*"))
          .contains(
              CLIENT_ADDRESS + "\t8000\t0\t/page.txt\t",
              CLIENT_ADDRESS + "\t8000\t" + (REQUESTS - 1) + "\t/page.txt\t");
      assertThat(columns.stream().filter(line -> line.endsWith("\t200"))).hasSize(REQUESTS);
      assertThat(end(all)).contains(" eth:arp ").containsPattern(request);
      String said = end(follow);
      assertThat(said.lines().filter(line -> line.endsWith(" < " + CONTENT))).hasSize(REQUESTS);
      assertThat(said).contains("0 > GET /page.txt HTTP/1.1\n");
      for (Command program : List.of(decode, all, follow)) {
        assertThat(program.errors()).containsPattern("[1-9]\\d* packets received, 0 missed by");
      }
      assertThat(end(flows).lines().filter(line -> line.contains(SERVER_ADDRESS + ":8000")))
          .hasSize(REQUESTS);
      assertThat(flows.errors()).contains(REQUESTS + " flows of ");
    }
  }

  /** Nobody talks any more when the last window ends. */
  @Test
  void shouldTellOfWindowsWhenTheirTimeHasPassed() {
    try (Command windows = listen("flows", "--filter", "tcp", "--window", "1s", "--json")) {
      talk();
      Pattern begun = Pattern.compile("\"kind\":\"window\".*\"tcpConnections\":(\\d+)");
      windows.awaitOutput(said ->
          begun.matcher(said).results().mapToInt(one -> Integer.parseInt(one.group(1))).sum()
              == REQUESTS);
      await(
          windows,
          REQUESTS,
          line -> line.contains("\"kind\":\"flow\"") && line.contains("\"destinationPort\":8000"));
      String said = end(windows);
      assertThat(said).contains("\"host\":\"" + SERVER_ADDRESS + "\"");
      assertThat(windows.errors()).contains(" windows of ").doesNotContain("warning");
    }
  }

  /** As one looks who is there: so many packets, and no more. */
  @Test
  void shouldEndAfterSoManyPackets() {
    try (Command decode = listen("decode", "--packets", "5", "--filter", "tcp", "--json")) {
      talk();
      assertThat(decode.awaitExit()).as(decode.errors()).isZero();
      assertThat(decode.output()).hasLineCount(5).contains("\"protocol\":\"tcp\"");
    }
  }
}
