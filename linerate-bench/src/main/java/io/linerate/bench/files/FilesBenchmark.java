package io.linerate.bench.files;

import io.linerate.bench.duel.Contestant;
import io.linerate.bench.duel.InternetMix;
import io.linerate.bench.duel.PcapFrames;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Installation;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.SkipException;
import io.linerate.bench.suite.Spread;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * {@code files}: capture files, read once by a program that starts and ends, and again and again:
 * beside {@code tcpdump -r FILE --count}.
 */
public final class FilesBenchmark implements Benchmark {
  private static final String JAVA = "java";
  private static final String TCPDUMP = "tcpdump";
  private static final int MB = 1_000_000;
  private static final int CHUNK_FRAMES = 8_192;
  private static final int FILE_HEADER_BYTES = 24;
  private static final int WARM_UP_MS = 3_000;
  private static final int SLICE_MS = 300;
  private static final int TCP = 6;

  /** What is in a file; frames are repeated until it is as large. */
  private record Content(int megabytes, String frames, IntFunction<List<byte[]>> make) {
    String title(String way) {
      return "%,d MB, %s, %s".formatted(megabytes, frames, way);
    }
  }

  private static final List<Content> CONTENTS =
      List.of(
          new Content(600, "155-byte frames", count -> alike(count, 155)),
          new Content(600, "576-byte frames", count -> alike(count, 576)),
          new Content(1_000, InternetMix.TITLE, InternetMix::frames));

  private static final List<Content> QUICK_CONTENTS =
      List.of(new Content(60, "576-byte frames", count -> alike(count, 576)));

  @Override
  public String name() {
    return "files";
  }

  @Override
  public String summary() {
    return "capture files, read once and again and again: beside tcpdump";
  }

  @Override
  public void run(Session session) throws IOException, InterruptedException {
    Installation installation = Installation.find();
    for (Content content : session.quick() ? QUICK_CONTENTS : CONTENTS) {
      String once = content.title("once");
      String looped = content.title("looped");
      if (!session.wants(once) && !session.wants(looped)) {
        continue;
      }
      Path file = session.folder().resolve("capture.pcap");
      long packets = write(file, content.make.apply(CHUNK_FRAMES), content.megabytes);
      if (session.wants(once)) {
        session.add(once(session, once, installation, file));
      }
      if (session.wants(looped)) {
        session.add(looped(session, looped, file, packets));
      }
      Files.delete(file);
    }
  }

  private static List<byte[]> alike(int count, int bytes) {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      frames.add(PcapFrames.frame(0x0A00_0000 + i, TCP, bytes));
    }
    return frames;
  }

  /** Returns how many packets it has. */
  private static long write(Path file, List<byte[]> frames, int megabytes) throws IOException {
    byte[] chunk = Files.readAllBytes(PcapFrames.write(file, frames));
    long bytes = chunk.length;
    long packets = frames.size();
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(chunk);
      while (bytes < (long) megabytes * MB) {
        out.write(chunk, FILE_HEADER_BYTES, chunk.length - FILE_HEADER_BYTES);
        bytes += chunk.length - FILE_HEADER_BYTES;
        packets += frames.size();
      }
    }
    return packets;
  }

  private Result once(Session session, String title, Installation installation, Path file)
      throws IOException, InterruptedException {
    List<String> java =
        new ArrayList<>(
            installation.javaCommand(
                installation
                    .cache()
                    .map(path -> List.of("-XX:AOTCache=" + path))
                    .orElse(List.of())));
    java.addAll(List.of("capture", "--port", "pcap:rx=" + file));
    List<List<String>> both = List.of(java, tcpdump(file));
    double[][] seconds = new double[2][session.pairs()];
    for (int i = -1; i < session.pairs(); i++) {
      for (int turn = 0; turn < 2; turn++) {
        int which = i % 2 == 0 ? turn : 1 - turn;
        double time = seconds(session, both.get(which));
        if (i >= 0) { // Before that, the file comes into memory.
          seconds[which][i] = time;
        }
      }
    }
    return Result.of(name(), title, "s")
        .contestant(JAVA, new Spread(seconds[0]))
        .contestant(TCPDUMP, new Spread(seconds[1]))
        .ratio(JAVA, TCPDUMP)
        .note(
            "Both from the start of the process to its end, on both CPUs"
                + (installation.cache().isPresent() ? "." : "; the launcher has made no cache."))
        .build();
  }

  private static List<String> tcpdump(Path file) {
    return List.of("tcpdump", "-r", file.toString(), "--count");
  }

  private static double seconds(Session session, List<String> command)
      throws IOException, InterruptedException {
    Path output = session.folder().resolve("output");
    long startNs = System.nanoTime();
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
    } catch (IOException e) {
      throw new SkipException("cannot start: command=" + command.getFirst() + "; install it");
    }
    int status = process.waitFor();
    double time = (System.nanoTime() - startNs) / 1e9;
    if (status != 0) {
      throw new IllegalStateException(
          "program failed: command="
              + String.join(" ", command)
              + ", status="
              + status
              + ", output="
              + Files.readString(output).strip());
    }
    return time;
  }

  /** tcpdump cannot read a file again: its rate is that of the whole process. */
  private Result looped(Session session, String title, Path file, long packets)
      throws IOException, InterruptedException {
    double[] java = new double[session.pairs()];
    double[] tcpdump = new double[session.pairs()];
    double heapBytes = 0;
    try (Contestant contestant = Contestant.start(javaLooped(session, file))) {
      var _ = contestant.measure(session.quick() ? WARM_UP_MS / 2 : WARM_UP_MS);
      for (int i = 0; i < session.pairs(); i++) {
        boolean isJavaFirst = i % 2 == 0;
        if (!isJavaFirst) {
          tcpdump[i] = packets / seconds(session, tcpdump(file)) / 1e6;
        }
        var sample = contestant.measure(SLICE_MS);
        java[i] = sample.mpps();
        heapBytes += (double) sample.heapBytes() / sample.received() / session.pairs();
        if (isJavaFirst) {
          tcpdump[i] = packets / seconds(session, tcpdump(file)) / 1e6;
        }
      }
    }
    return Result.of(name(), title, "Mpps")
        .contestant(JAVA, new Spread(java))
        .contestant(TCPDUMP, new Spread(tcpdump))
        .ratio(JAVA, TCPDUMP)
        .heapBytesPerPacket(heapBytes)
        .build();
  }

  private static List<String> javaLooped(Session session, Path file) {
    List<String> words = new ArrayList<>(session.javaCommand("io.linerate.apps.Main"));
    words.addAll(
        Arrays.asList("capture", "--port", "bench:frame=0,port=pcap:rx=" + file + ",loop=forever"));
    words.addAll(List.of("--set", "cpus=" + session.cpu(), "--set", "idle=busy-spin", "--json"));
    return words;
  }
}
