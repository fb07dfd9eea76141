package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that go from one network namespace to another. */
class TransferTest {
  private static final String FROM_ADDRESS = "10.97.0.1";
  private static final String TO_ADDRESS = "10.97.0.2";
  private static final int HEAP_MIB = 128;

  /**
   * The heap; 3 pools of 16,384 packets of 2.2 KiB; 2 streams, each with 4 MiB in both directions;
   * and what a JVM has beside: code, classes, threads.
   */
  private static final long MOST_KIB = 1_024L * (HEAP_MIB + (3 * 36) + (2 * 8) + 128);

  private static final String BAD_NETWORK =
      "fault:direction=both,drop=0.01,duplicate=0.01,reorder=0.01,distance=5,corrupt=0.001,port=";

  private final String from = "lr" + ProcessHandle.current().pid() + "f";
  private final String to = "lr" + ProcessHandle.current().pid() + "t";

  @TempDir Path folder;

  @BeforeEach
  void makeALink() throws IOException {
    Lab.requireRoot();
    Lab.requirePrograms("ip");
    Command.run("ip", "netns", "add", from);
    Command.run("ip", "netns", "add", to);
    Command.run(
        "ip", "-n", from, "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns",
        to);
    Command.run("ip", "-n", from, "addr", "add", FROM_ADDRESS + "/24", "dev", "eth0");
    Command.run("ip", "-n", to, "addr", "add", TO_ADDRESS + "/24", "dev", "eth0");
    for (String namespace : List.of(from, to)) {
      Command.run("ip", "-n", namespace, "link", "set", "eth0", "addrgenmode", "none", "up");
    }
    Files.createDirectory(folder.resolve("in"));
  }

  @AfterEach
  void removeTheLink() {
    for (String namespace : List.of(from, to)) {
      int _ = Command.status("ip", "netns", "delete", namespace);
    }
  }

  private Command send(String... options) {
    return start(from, "send", options);
  }

  private Command receive(String... options) {
    List<String> words = new ArrayList<>(List.of("--into", folder.resolve("in").toString()));
    words.addAll(List.of(options));
    Command receive = start(to, "receive", words.toArray(new String[0]));
    receive.awaitError(said -> said.contains("Ctrl-C ends it"));
    return receive;
  }

  private static Command start(String namespace, String program, String... options) {
    List<String> words = new ArrayList<>(List.of(program));
    words.addAll(List.of(options));
    if (!words.contains("--via")) {
      words.addAll(List.of("--via", "packet:eth0"));
    }
    return Command.start(Command.in(namespace, Command.linerate(words.toArray(new String[0]))));
  }

  private Path key(String name, int seed) throws IOException {
    byte[] key = new byte[32];
    new Random(seed).nextBytes(key);
    Path file = folder.resolve(name);
    Files.write(file, key);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  /** Half of it can be compressed. */
  private static void fill(Path file, long bytes, long seed) throws IOException {
    Random random = new Random(seed);
    byte[] block = new byte[1 << 16];
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long left = bytes; left > 0; left -= block.length) {
        if (random.nextBoolean()) {
          random.nextBytes(block);
        }
        out.write(block, 0, (int) Math.min(left, block.length));
      }
    }
  }

  /** Everything below a directory: names, and of files modes, times and bytes. */
  private static Map<String, String> content(Path directory) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.toList()) {
        content.put(
            directory.relativize(path).toString(),
            Files.isDirectory(path)
                ? "directory"
                : "%s %s %s"
                    .formatted(
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(path)),
                        Files.getLastModifiedTime(path),
                        sum(path)));
      }
    }
    return content;
  }

  private static String sum(Path path) {
    return Command.run("sha256sum", path.toString()).split(" ", 2)[0];
  }

  private Path tree(long totalBytes) throws IOException {
    Path tree = folder.resolve("out");
    fill(tree.resolve("empty"), 0, 1);
    fill(tree.resolve("one"), 1, 2);
    fill(tree.resolve("deep/er/text with blanks.txt"), 100_000, 3);
    fill(tree.resolve("new\nline"), 100, 6);
    for (int i = 0; i < 100; i++) {
      fill(tree.resolve("many/" + i), i * 777L, 100 + i);
    }
    fill(tree.resolve("large"), totalBytes / 2, 4);
    fill(tree.resolve("larger"), totalBytes / 2, 5);
    Files.createDirectories(tree.resolve("nothing/in/it"));
    Files.setPosixFilePermissions(
        tree.resolve("one"), PosixFilePermissions.fromString("rwxr-x---"));
    return tree;
  }

  @Test
  @Tag("sampled")
  void shouldBringADirectoryThroughABadNetwork() throws Exception {
    Path tree = tree(Soak.times(40_000_000, 2_000_000_000));
    String key = key("key", 1).toString();
    try (Command receive = receive("--once", "--key", key);
        Command send =
            send(
                tree.toString(),
                "--to",
                TO_ADDRESS,
                "--via",
                BAD_NETWORK + "packet:eth0",
                "--key",
                key,
                "--compress",
                "zstd",
                "--json")) {
      assertThat(send.awaitExit()).as(send.errors()).isZero();
      assertThat(receive.awaitExit()).as(receive.errors()).isZero();
      assertThat(send.output()).contains("\"filesFailed\":0");
      assertThat(content(folder.resolve("in/out"))).isEqualTo(content(tree));
      assertThat(folder.resolve("in/.linerate-receive")).doesNotExist();
    }
  }

  @Test
  void shouldGoOnWhereItWasWhenEitherSideIsKilled() throws Exception {
    Path file = folder.resolve("large");
    fill(file, 80_000_000, 1);
    Path in = folder.resolve("in/large");
    Command receive = receive();
    Command send = send(file.toString(), "--to", TO_ADDRESS, "--rate", "200Mbps", "--json");
    awaitExtents(1);
    receive.kill();
    receive.close();
    assertThat(in).doesNotExist();
    receive = receive("--once");
    awaitExtents(2);
    send.kill();
    send.close();
    assertThat(in).doesNotExist();
    // The one before may still be at it, as far as the receiver knows: this one waits.
    send = send(file.toString(), "--to", TO_ADDRESS, "--json");
    assertThat(send.awaitExit()).as(send.errors()).isZero();
    assertThat(receive.awaitExit()).as(receive.errors()).isZero();
    assertThat(send.output()).containsPattern("\"bytesThere\":[1-9]");
    assertThat(sum(in)).isEqualTo(sum(file));
    send.close();
    receive.close();
  }

  /** Until so many extents are known to be there. */
  private void awaitExtents(int extents) throws IOException {
    Path parts = folder.resolve("in/.linerate-receive");
    for (int i = 0; i < 6_000; i++) {
      if (Files.isDirectory(parts)) {
        try (Stream<Path> all = Files.list(parts)) {
          long bytes =
              all.filter(path -> path.toString().endsWith(".journal"))
                  .mapToLong(path -> path.toFile().length())
                  .sum();
          // In front are a number, the start of the machine, and what the file is.
          if (bytes >= 4L + 37 + 4 + "large".length() + 8 + 8 + 4 + 4 + 1 + (4L * extents)) {
            return;
          }
        }
      }
      Command.pause(10);
    }
    throw new AssertionError("no extent has come");
  }

  /**
   * 2 GB in files of 0 B to 1 GB; each side is killed while the largest is on its way. Memory stays
   * within what the settings say, and the work on packets makes no objects: what is made for each
   * chunk of 128 KiB is a few bytes for each packet.
   */
  @Test
  @Tag("soak")
  void shouldBringTwoGigabytesThroughABadNetworkWhicheverSideIsKilled() throws Exception {
    Path tree = folder.resolve("out");
    fill(tree.resolve("a/empty"), 0, 1);
    fill(tree.resolve("a/one"), 1, 2);
    for (int i = 0; i < 1_000; i++) {
      fill(tree.resolve("a/many/" + i), i * 331L, 100L + i);
    }
    fill(tree.resolve("b/large"), 1_000_000_000, 3);
    fill(tree.resolve("c/half"), 500_000_000, 4);
    for (int i = 0; i < 20; i++) {
      fill(tree.resolve("d/" + i), 16_000_000L + (i * 77_777L), 5_000L + i);
    }
    Measured receive = measured(to, "receive", "--into", folder.resolve("in").toString());
    Measured send = measured(from, sendBadly(tree));
    awaitExtents(10);
    receive.kill();
    Measured secondReceive =
        measured(to, "receive", "--once", "--into", folder.resolve("in").toString());
    awaitExtents(30);
    send.kill();
    Measured secondSend = measured(from, sendBadly(tree));
    assertThat(secondSend.awaitExit()).as(secondSend.command.errors()).isZero();
    assertThat(secondReceive.awaitExit()).as(secondReceive.command.errors()).isZero();

    assertThat(content(folder.resolve("in/out"))).isEqualTo(content(tree));
    assertThat(folder.resolve("in/.linerate-receive")).doesNotExist();
    for (Measured one : List.of(receive, send, secondReceive, secondSend)) {
      System.out.println(one);
      assertThat(one.peakKiB).as(one.toString()).isBetween(1L, MOST_KIB);
    }
    for (Measured one : List.of(secondReceive, secondSend)) {
      assertThat(one.bytesPerPacket()).as(one.toString()).isBetween(0.0, 32.0);
    }
  }

  private static String[] sendBadly(Path tree) {
    return new String[] {
      "send",
      tree.toString(),
      "--to",
      TO_ADDRESS,
      "--via",
      BAD_NETWORK + "packet:eth0",
      "--compress",
      "deflate:1",
      "--json"
    };
  }

  private static Measured measured(String namespace, String... words) {
    List<String> all = new ArrayList<>(Command.linerate(words));
    all.add(1, "-Xmx" + HEAP_MIB + "m");
    if (!all.contains("--via")) {
      all.addAll(List.of("--via", "packet:eth0"));
    }
    Command command = Command.start(Command.in(namespace, all));
    if (words[0].equals("receive")) {
      command.awaitError(said -> said.contains("Ctrl-C ends it"));
    }
    return new Measured(command);
  }

  /** A program whose memory is looked at while it runs. */
  private static final class Measured {
    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+([0-9]+) kB");
    private static final Pattern ALLOCATED =
        Pattern.compile("linerate_worker_allocated_bytes_total\\{[^}]*} ([0-9]+)");
    private static final Pattern PACKETS =
        Pattern.compile("linerate_(?:received|sent)_packets_total ([0-9]+)");

    /** Compilers are done with most by then. */
    private static final int WARM_S = 40;

    final Command command;
    private volatile long peakKiB;
    private volatile long bytes;
    private volatile long packets;

    Measured(Command command) {
      this.command = command;
      Thread.ofPlatform().daemon().start(this::look);
    }

    private void look() {
      long startNs = System.nanoTime();
      long firstBytes = 0;
      long firstPackets = 0;
      while (command.isAlive()) {
        try {
          String status = Files.readString(Path.of("/proc/" + command.pid() + "/status"));
          peakKiB = Math.max(peakKiB, sum(PEAK, status));
        } catch (IOException e) {
          return; // It has ended.
        }
        Command.pause(5_000);
        if (System.nanoTime() - startNs < WARM_S * 1_000_000_000L) {
          continue;
        }
        try (Command stats =
            Command.start(Command.linerate("stats", String.valueOf(command.pid())))) {
          if (stats.awaitExit() != 0) {
            return; // It has ended.
          }
          long nowBytes = sum(ALLOCATED, stats.output());
          long nowPackets = sum(PACKETS, stats.output());
          firstBytes = firstPackets == 0 ? nowBytes : firstBytes;
          firstPackets = firstPackets == 0 ? nowPackets : firstPackets;
          bytes = nowBytes - firstBytes;
          packets = nowPackets - firstPackets;
        }
      }
    }

    private static long sum(Pattern pattern, String text) {
      return pattern
          .matcher(text)
          .results()
          .mapToLong(result -> Long.parseLong(result.group(1)))
          .sum();
    }

    double bytesPerPacket() {
      return (double) bytes / packets;
    }

    void kill() {
      command.kill();
      command.close();
    }

    int awaitExit() {
      for (int i = 0; i < 20_000 && command.isAlive(); i++) {
        Command.pause(100);
      }
      return command.awaitExit();
    }

    @Override
    public String toString() {
      return "pid=%d, peak=%d KiB, packets=%d, heap of each=%.2f B"
          .formatted(command.pid(), peakKiB, packets, bytesPerPacket());
    }
  }

  @Test
  void shouldNotSendAgainWhatIsThere() throws Exception {
    Path tree = tree(1_000_000);
    try (Command receive = receive()) {
      for (int there : List.of(0, 106)) {
        try (Command send = send(tree.toString(), "--to", TO_ADDRESS, "--json")) {
          assertThat(send.awaitExit()).as(send.errors()).isZero();
          assertThat(send.output()).contains("\"filesThere\":" + there + ",");
        }
      }
      receive.terminate();
      assertThat(receive.awaitExit()).as(receive.errors()).isZero();
      assertThat(receive.output()).contains("received: files=106, ");
      assertThat(receive.errors())
          .contains("sender has ended: peer=" + FROM_ADDRESS + ", files=106, there=")
          .contains("sender has ended: peer=" + FROM_ADDRESS + ", files=0, there=1")
          .doesNotContain("stream has");
    }
  }

  @Test
  void shouldBringWhatComesByAPipe() throws Exception {
    bringByAPipe(40_000_001, "--compress lz4");
  }

  @Test
  void shouldEncryptHowMuchComesByAPipe() throws Exception {
    String key = " --file-key " + key("file.key", 3);
    bringByAPipe(20_000_001, "--rule '*: encrypt'" + key, key.strip().split(" "));
  }

  private void bringByAPipe(int bytes, String options, String... ofReceiver) throws Exception {
    Path file = folder.resolve("large");
    fill(file, bytes, 1);
    String program =
        String.join(" ", Command.linerate("send", "-", "--name", "copy", "--to", TO_ADDRESS))
            + " --via packet:eth0 "
            + options;
    List<String> receiver = new ArrayList<>(List.of(ofReceiver));
    receiver.add("--once");
    try (Command receive = receive(receiver.toArray(new String[0]));
        Command send =
            Command.start(
                Command.in(from, List.of("sh", "-c", "cat %s | %s".formatted(file, program))))) {
      assertThat(send.awaitExit()).as(send.errors()).isZero();
      assertThat(receive.awaitExit()).as(receive.errors()).isZero();
      assertThat(sum(folder.resolve("in/copy"))).isEqualTo(sum(file));
    }
  }

  /** All that it has is read at once, and what the receiver knows of it is asked for. */
  @Test
  void shouldBringWhatComesByAPipeOnASlowLink() throws Exception {
    bringByAPipe(3_000_001, "--rate 4Mbps");
  }

  @Test
  void shouldBringADirectoryBySeveralStreamsOfEachWorker() throws Exception {
    Path tree = tree(40_000_000);
    try (Command receive = receive("--once");
        Command send = send(tree.toString(), "--to", TO_ADDRESS, "--flows", "3", "--json")) {
      assertThat(send.awaitExit()).as(send.errors()).isZero();
      assertThat(receive.awaitExit()).as(receive.errors()).isZero();
      assertThat(content(folder.resolve("in/out"))).isEqualTo(content(tree));
      // No more was sent than there is, but for what an answer was late for.
      assertThat(receivedBytes(receive)).isLessThan(50_000_000);
    }
  }

  @Test
  void shouldLeaveItToTheKernelToCutDatagrams() throws Exception {
    int bytes = 40_000_000;
    fill(folder.resolve("whole"), bytes, 1);
    try (Command receive = receive("--once");
        Command send = send(folder.resolve("whole").toString(), "--to", TO_ADDRESS)) {
      assertThat(send.awaitExit()).as(send.errors()).isZero();
      assertThat(receive.awaitExit()).as(receive.errors()).isZero();
      String made = send.output().replaceFirst("(?s).* ([0-9,]+) made.*", "$1").replace(",", "");
      assertThat(Long.parseLong(made)).as(send.output()).isLessThan(bytes / 1_500);
    }
  }

  private static long receivedBytes(Command receive) {
    String said = receive.output();
    String figure = said.replaceFirst("(?s).*received: files=[0-9,]+, bytes=([0-9,]+).*", "$1");
    return Long.parseLong(figure.replace(",", ""));
  }

  @Test
  void shouldEncryptAndPutElsewhereWhatARuleSays() throws Exception {
    Lab.requirePrograms("tcpdump");
    Path tree = folder.resolve("out");
    Files.createDirectory(tree);
    Files.writeString(tree.resolve("my.key"), "this is secret");
    Files.writeString(tree.resolve("my.txt"), "this is public");
    Files.writeString(tree.resolve("text"), "this is compressed ".repeat(1_000));
    Path capture = folder.resolve("capture");
    Command tcpdump =
        Command.start(
            Command.in(
                to,
                List.of(
                    "tcpdump",
                    "--immediate-mode",
                    "-i",
                    "eth0",
                    "-U",
                    "-s",
                    "0",
                    "-w",
                    capture.toString(),
                    "udp")));
    String key = key("key", 1).toString();
    try (tcpdump;
        Command receive = receive("--once", "--file-key", key)) {
      tcpdump.awaitError(said -> said.contains("listening on"));
      try (Command send =
          send(
              tree.toString(),
              "--to",
              TO_ADDRESS,
              "--file-key",
              key,
              "--compress",
              "deflate",
              "--rule",
              "*.key: encrypt into=keys/mine",
              "--rule",
              "*.txt: compress=none")) {
        assertThat(send.awaitExit()).as(send.errors()).isZero();
        assertThat(receive.awaitExit()).as(receive.errors()).isZero();
      }
      tcpdump.terminate();
      int _ = tcpdump.awaitExit();
    }
    Path in = folder.resolve("in");
    assertThat(in.resolve("keys/mine/out/my.key")).hasSameTextualContentAs(tree.resolve("my.key"));
    assertThat(in.resolve("out/my.txt")).hasSameTextualContentAs(tree.resolve("my.txt"));
    assertThat(in.resolve("out/text")).hasSameTextualContentAs(tree.resolve("text"));
    assertThat(in.resolve("out/my.key")).doesNotExist();
    assertThat(Files.readString(capture, StandardCharsets.ISO_8859_1))
        .contains("this is public")
        .doesNotContain("this is secret", "compressed this is compressed");
  }

  @Test
  void shouldKeepNothingThatAnotherFileKeyHasEncrypted() throws Exception {
    Path file = folder.resolve("file");
    fill(file, 100, 1);
    String rule = "*: encrypt";
    String one = key("one", 1).toString();
    String other = key("other", 2).toString();
    assertThat(failed(send(file.toString(), "--to", TO_ADDRESS, "--rule", rule), 2))
        .contains("no key for rules that encrypt: write --file-key FILE at both ends");
    assertThat(failed(send(file.toString(), "--to", TO_ADDRESS, "--rule", "* encrypt"), 2))
        .contains("no rule: * encrypt; write what matches, a colon and what is done");
    for (List<String> keyOfReceiver : List.of(List.of("--file-key", other), List.<String>of())) {
      try (Command receive = receive(keyOfReceiver.toArray(new String[0]))) {
        Command send = send(file.toString(), "--to", TO_ADDRESS, "--rule", rule, "--file-key", one);
        assertThat(failed(send, 1))
            .contains(
                keyOfReceiver.isEmpty()
                    ? "it is encrypted, and the receiver has no --file-key"
                    : "not authentic: both ends need the same --file-key");
        receive.terminate();
        int _ = receive.awaitExit();
      }
      assertThat(folder.resolve("in").toFile().list()).isEmpty();
    }
  }

  @Test
  void shouldHaveADirectoryToItself() throws Exception {
    try (Command receive = receive()) {
      Command second = start(to, "receive", "--into", folder.resolve("in").toString());
      assertThat(failed(second, 2)).contains("another linerate receive puts files there");
      receive.terminate();
      assertThat(receive.awaitExit()).as(receive.errors()).isZero();
    }
    assertThat(folder.resolve("in").toFile().list()).isEmpty();
  }

  @Test
  void shouldSayWhichFilesCannotBeSent() throws Exception {
    Path tree = tree(1_000);
    Files.createDirectory(folder.resolve("other"));
    Files.createDirectory(folder.resolve("other/out"));
    Files.createSymbolicLink(tree.resolve("link"), Path.of("/etc/passwd"));
    Command.run("mkfifo", tree.resolve("pipe").toString());
    assertThat(failed(send(tree.toString(), folder + "/other/out", "--to", TO_ADDRESS), 2))
        .contains("two files have one name at the receiver: name=out");
    assertThat(failed(send("-", "--name", "../x", "--to", TO_ADDRESS), 2))
        .contains("no name below the receiver's directory: --name ../x");
    try (Command receive = receive("--once")) {
      try (Command send = send(tree.toString(), "--to", TO_ADDRESS)) {
        assertThat(send.awaitExit()).as(send.errors()).isZero();
        assertThat(send.errors())
            .contains("not a file, not sent: file=" + tree.resolve("link"))
            .contains("not a file, not sent: file=" + tree.resolve("pipe"));
        assertThat(send.output()).contains("sent: files=106, there=0, skipped=2, failed=0, ");
      }
      assertThat(receive.awaitExit()).as(receive.errors()).isZero();
    }
    Files.delete(tree.resolve("link"));
    Files.delete(tree.resolve("pipe"));
    assertThat(content(folder.resolve("in/out"))).isEqualTo(content(tree));
  }

  @Test
  void shouldSayWhatIsWrong() throws Exception {
    Path file = folder.resolve("file");
    fill(file, 100, 1);
    assertThat(failed(send(file.toString(), "--to", TO_ADDRESS, "--key", folder + "/none"), 2))
        .contains("key file is not there: file=" + folder + "/none; make one");
    Path open = key("open", 1);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(failed(send(file.toString(), "--to", TO_ADDRESS, "--key", open.toString()), 2))
        .contains("key file is not secret: file=" + open + ", mode=rw-r--r--; chmod 600");
    assertThat(failed(send("none", "--to", TO_ADDRESS), 2)).contains("no such file: file=none");
    assertThat(failed(send(file.toString()), 2)).contains("no receiver: --to is missing");
    assertThat(
            failed(
                send(file.toString(), "--to", TO_ADDRESS, "--flows", "33", "--set", "workers=2"),
                2))
        .contains("too many streams: --flows 33, workers=2, most=64");
    assertThat(failed(send(file.toString(), "--to", "nowhere"), 2)).contains("nowhere");
    assertThat(failed(send(file.toString(), "--to", TO_ADDRESS, "--timeout", "2s"), 1))
        .contains("peer is lost: peer=" + TO_ADDRESS + ":4242, why=it has not answered for 2 s")
        .contains("not all was sent: files=1, left=1");
  }

  private static String failed(Command command, int status) {
    try (command) {
      assertThat(command.awaitExit()).as(command.errors()).isEqualTo(status);
      return command.errors();
    }
  }

  @Test
  void shouldNotTakeWhatAnotherKeyHasSent() throws Exception {
    Path file = folder.resolve("file");
    fill(file, 100, 1);
    try (Command receive = receive("--key", key("one", 1).toString())) {
      String said =
          failed(
              send(
                  file.toString(),
                  "--to",
                  TO_ADDRESS,
                  "--key",
                  key("other", 2).toString(),
                  "--timeout",
                  "2s"),
              1);
      assertThat(said).contains("with the same key");
      receive.terminate();
      assertThat(receive.awaitExit()).isZero();
      assertThat(folder.resolve("in").toFile().list()).isEmpty();
    }
  }

  @Test
  void shouldLeaveNothingHalfWrittenWhenTheDiskIsFull() throws Exception {
    Path file = folder.resolve("large");
    fill(file, 20_000_000, 1);
    Path small = folder.resolve("small");
    fill(small, 1_000, 1);
    Path in = folder.resolve("in");
    Command.run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", in.toString());
    try (Command receive = receive();
        Command send = send(file.toString(), small.toString(), "--to", TO_ADDRESS)) {
      assertThat(send.awaitExit()).as(send.errors()).isEqualTo(1);
      assertThat(send.errors())
          .contains("receiver has not kept a file: file=large, why=No space left on device");
      receive.awaitError(said -> said.contains("file cannot be written: file=large, why=No space"));
      receive.terminate();
      assertThat(receive.awaitExit()).isEqualTo(1);
      assertThat(in.toFile().list()).containsExactly("small");
      assertThat(sum(in.resolve("small"))).isEqualTo(sum(small));
    } finally {
      Command.run("umount", in.toString());
    }
  }
}
