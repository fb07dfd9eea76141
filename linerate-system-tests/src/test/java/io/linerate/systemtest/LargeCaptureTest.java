package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A capture that is larger than what a program should need is decoded, and seen to be. */
class LargeCaptureTest {
  private static final long SMALL_BYTES = 256L << 20;
  private static final long LARGE_BYTES = 4L << 30;

  /** What the memory of two runs may differ by: when code is compiled, and what of it is kept. */
  private static final long SLACK_KIB = 32 << 10;

  /** So that also the smaller run has touched all memory that new objects get. */
  private static final String YOUNG = "JDK_JAVA_OPTIONS=-Xmn16m";

  /** What has less is no virtual machine. */
  private static final long LEAST_KIB = 32 << 10;

  private static final int FILE_HEADER_BYTES = 24;
  private static final int RECORD_HEADER_BYTES = 16;
  private static final int NETWORK = 26;
  private static final int NETWORKS = 0xFF;

  @TempDir Path folder;

  /** What a run was seen to do. */
  private record Seen(long anonymousKib, String terminal) {}

  @Test
  @Tag("soak")
  void shouldDecodeInConstantMemoryAndShowHowFarItIs() throws IOException {
    Lab.requirePrograms("script", "tshark");
    assumeTrue(
        Files.getFileStore(folder).getUsableSpace() > 2 * LARGE_BYTES,
        "skipped: needs 8 GiB of disk: folder=" + folder);
    Seen small = decode(capture("small.pcap", SMALL_BYTES));
    Seen large = decode(capture("large.pcap", LARGE_BYTES));
    assertThat(small.anonymousKib()).isGreaterThan(LEAST_KIB);
    assertThat(large.anonymousKib()).isBetween(LEAST_KIB, small.anonymousKib() + SLACK_KIB);
    assertThat(large.terminal()).containsPattern("\\[#+\\.+\\] +[1-9]\\d? %");
  }

  /** The capture of the examples again and again, each time with other addresses. */
  private Path capture(String name, long bytes) throws IOException {
    Path once = folder.resolve("once.pcap");
    String mixed = Lab.project().resolve("examples/captures/mixed.pcapng").toString();
    Command.run("tshark", "-r", mixed, "-F", "pcap", "-w", once.toString());
    ByteBuffer packets = ByteBuffer.wrap(Files.readAllBytes(once)).order(ByteOrder.LITTLE_ENDIAN);
    Path file = folder.resolve(name);
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      write(out, packets.position(0).limit(FILE_HEADER_BYTES));
      for (int pass = 0; out.position() < bytes; pass++) {
        change(packets.clear(), pass);
        write(out, packets.position(FILE_HEADER_BYTES));
      }
    }
    return file;
  }

  private static void write(FileChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int _ = out.write(bytes);
    }
  }

  /** Sets the second byte of addresses of IPv4. */
  private static void change(ByteBuffer packets, int pass) {
    int at = FILE_HEADER_BYTES;
    while (at < packets.limit()) {
      int frame = at + RECORD_HEADER_BYTES;
      if (packets.getShort(frame + 12) == 0x0008) { // The ether type, last byte first.
        packets.put(frame + NETWORK + 1, (byte) (pass & NETWORKS));
        packets.put(frame + NETWORK + 5, (byte) (pass & NETWORKS));
      }
      at = frame + packets.getInt(at + 8);
    }
  }

  private Seen decode(Path file) throws IOException {
    List<String> words = new ArrayList<>();
    for (String word :
        Command.linerate(
            "decode", file.toString(), "--fields", "frame.number,ip.src,ip.dst,tcp.dstport")) {
      words.add("'" + word + "'");
    }
    Path script =
        Lab.write(folder.resolve("run.sh"), "exec " + String.join(" ", words) + " > /dev/null");
    Path terminal = folder.resolve("terminal");
    long most = 0;
    try (Command command =
        Command.start(
            "env",
            "TERM=xterm",
            YOUNG,
            "script",
            "-q",
            "-e",
            "-c",
            "sh " + script,
            terminal.toString())) {
      while (command.isAlive()) {
        most = Math.max(most, anonymousKib(command.pid()));
        Command.pause(20);
      }
      assertThat(command.awaitExit()).as(command.errors()).isZero();
    }
    Files.delete(file);
    return new Seen(most, Files.readString(terminal));
  }

  /** The most of what a process has started, itself or by others: the shell has little. */
  private static long anonymousKib(long pid) {
    return ProcessHandle.of(pid).stream()
        .flatMap(ProcessHandle::descendants)
        .mapToLong(LargeCaptureTest::anonymousKib)
        .max()
        .orElse(0);
  }

  /** Resident pages of no file. */
  private static long anonymousKib(ProcessHandle process) {
    Path status = Path.of("/proc/" + process.pid() + "/status");
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("RssAnon:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException e) {
      return 0; // It has ended.
    }
  }
}
