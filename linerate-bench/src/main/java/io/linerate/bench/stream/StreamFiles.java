package io.linerate.bench.stream;

import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.Match;
import io.linerate.bench.suite.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What both sides read: messages, a key, and captures that the C program has made. */
final class StreamFiles {
  private static final int BURST = 32;

  /** Beyond a message: headers of a frame, and what is added to a payload. */
  private static final int ADDED_BYTES = 128;

  /** More than a receiver knows at once: the same capture comes again and again. */
  private static final int SALTS = 70;

  private static final int SALT_BYTES = 3_000_000;
  private static final int PACKED = 16_384;
  private static final int KEY_BYTES = 32;

  private final Session session;
  private final Path content;
  private final Path key;
  private String recorded = "";

  StreamFiles(Session session) {
    this.session = session;
    content = StreamContent.write(session.folder().resolve("content"));
    key = session.folder().resolve("key");
    byte[] secret = new byte[KEY_BYTES];
    new Random(1).nextBytes(secret);
    try {
      Files.write(key, secret);
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write: file=" + key, e);
    }
  }

  private List<String> options(String work, String side, int bytes) {
    return List.of(
        "work=" + work,
        "side=" + side,
        "bytes=" + bytes,
        "content=" + content,
        "key=" + key,
        "file=" + capture());
  }

  private Path capture() {
    return session.folder().resolve("datagrams.pcap");
  }

  /**
   * Makes the capture that sinks read, and has both sides read all of it.
   *
   * @throws IllegalStateException if they do not read the same messages
   */
  void record(String work, int bytes) {
    String wanted = work + bytes;
    if (recorded.equals(wanted)) {
      return;
    }
    int each = SALT_BYTES / (bytes + ADDED_BYTES);
    int count = work.equals("seal") ? SALTS * each : PACKED;
    List<String> record = new ArrayList<>(c(work, "record", bytes));
    record.addAll(List.of("count=" + count, "each=" + each));
    String _ = said(record);
    String c = said(c(work, "digest", bytes));
    String java = said(java(work, "digest", bytes, List.of(session.cpu())));
    if (!c.equals(java)) {
      throw new IllegalStateException(
          "not the same messages: work=%s, bytes=%d, c=%s, java=%s"
              .formatted(work, bytes, c, java));
    }
    recorded = wanted;
  }

  private static String said(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(
            "program failed: status=%d, command=%s"
                .formatted(process.exitValue(), String.join(" ", command)));
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start: command=" + String.join(" ", command), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The command of the C program. */
  List<String> c(String work, String side, int bytes, String... more) {
    List<String> options = new ArrayList<>(options(work, side, bytes));
    options.addAll(List.of(more));
    return new Match(
            side,
            "stream",
            Feed.nothing(bytes + ADDED_BYTES),
            BURST,
            List.of(),
            Map.of(Match.C, options),
            List.of())
        .cCommand(Match.C, session);
  }

  /** The command of Linerate's program, with an engine on each of the CPUs. */
  List<String> java(String work, String side, int bytes, List<Integer> cpus) {
    List<String> words = session.javaCommand(StreamProgram.class.getName());
    words.addAll(options(work, side, bytes));
    words.add("burst=" + BURST);
    words.add("cpus=" + String.join(",", cpus.stream().map(String::valueOf).toList()));
    return words;
  }

  /** Two of them, with an engine each. */
  List<String> javaTwice(String work, String side, int bytes, List<Integer> cpus) {
    List<String> words = session.javaCommand(TwoPrograms.class.getName());
    words.addAll(java(work, side, bytes, cpus.subList(0, 1)));
    words.add(TwoPrograms.AND);
    words.addAll(java(work, side, bytes, cpus.subList(1, 2)));
    return words;
  }
}
