package io.linerate.bench.scaling;

import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.SkipException;
import io.linerate.bench.suite.Spread;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Two workers beside one, in turn, in one program: both have a queue of their own, and slices have
 * the first queue open, the second, or both. One worker's rate is the mean of the two alone.
 *
 * <p>The row without packets shows what the machine gives: 2, unless its CPUs share a core or other
 * programs run.
 */
public final class ScalingBenchmark implements Benchmark {
  /** A file is mapped anew when it begins again: it is not so small that this shows. */
  private static final int FRAMES = 65_536;

  private static final int FRAME_BYTES = 64;

  @Override
  public String name() {
    return "scaling";
  }

  @Override
  public String summary() {
    return "two workers on two queues beside one on one";
  }

  @Override
  public void run(Session session) throws IOException, InterruptedException {
    if (session.cpu() == session.otherCpu()) {
      throw new SkipException("two workers need two CPUs, and there is one");
    }
    String file = write(session.folder().resolve("frames.pcap")).toString();
    String again = write(session.folder().resolve("frames2.pcap")).toString();
    List<String[]> cases =
        List.of(
            new String[] {"arithmetic, no packets", "none"},
            new String[] {"net_null, a device each", "dpdk:net_null0", "dpdk:net_null1"},
            new String[] {"net_null, a queue each", "dpdk:net_null0"},
            new String[] {"ring in memory, a queue each", "ring:loop,loopback"},
            new String[] {
              "mapped capture file, a file each",
              "pcap:rx=" + file + ",loop=forever",
              "pcap:rx=" + again + ",loop=forever"
            });
    int left = cases.size();
    for (String[] one : cases) {
      long budgetMs = session.left().toMillis() / left--;
      if (session.wants(one[0])) {
        measure(session, one, budgetMs);
      }
    }
    session.conclude(
        "Workers share no line that any of them writes; what is left below 2 is the machine's: its"
            + " memory, its caches and its other programs.");
  }

  private void measure(Session session, String[] one, long budgetMs)
      throws IOException, InterruptedException {
    int pairs = session.pairs();
    long warmUpMs = Math.min(3_000, budgetMs / 3);
    long sliceMs = Math.clamp((budgetMs - warmUpMs - 1_000) / (3L * pairs), 50, 500);
    List<String> command = session.javaCommand(ScalingProgram.class.getName());
    command.addAll(
        List.of(
            Integer.toString(session.cpu()),
            Integer.toString(session.otherCpu()),
            Integer.toString(pairs),
            Long.toString(sliceMs),
            Long.toString(warmUpMs)));
    command.addAll(List.of(one).subList(1, one.length));
    List<double[]> samples = new ArrayList<>();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(ScalingProgram.SAMPLE)) {
          String[] words = line.substring(ScalingProgram.SAMPLE.length()).split(" ", 2);
          add(samples, Double.parseDouble(words[0]), Double.parseDouble(words[1]));
        }
      }
    } finally {
      process.destroy();
    }
    if (process.waitFor() != 0 || samples.isEmpty()) {
      session.skip(one[0], "its program ended with status " + process.exitValue());
      return;
    }
    session.add(
        Result.of(name(), one[0], "Mpps")
            .contestant("two", new Spread(samples.stream().mapToDouble(two -> two[1]).toArray()))
            .contestant("one", new Spread(samples.stream().mapToDouble(two -> two[0]).toArray()))
            .ratio("two", "one")
            .note("by the CPU time of the workers' threads")
            .build());
  }

  /** A slice in which a thread never ran says nothing. */
  private static void add(List<double[]> samples, double one, double two) {
    if (one > 0 && two > 0) {
      samples.add(new double[] {one, two});
    }
  }

  /** UDP packets of many flows, in the classic pcap format. */
  private static Path write(Path path) throws IOException {
    int recordBytes = 16 + FRAME_BYTES;
    ByteBuffer file = ByteBuffer.allocate(24 + FRAMES * recordBytes).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4);
    file.putLong(0).putInt(0x40000).putInt(1);
    for (int i = 0; i < FRAMES; i++) {
      file.putInt(i).putInt(0).putInt(FRAME_BYTES).putInt(FRAME_BYTES);
      byte[] frame = new byte[FRAME_BYTES];
      ByteBuffer bytes = ByteBuffer.wrap(frame);
      bytes.putShort(12, (short) 0x0800).put(14, (byte) 0x45).putShort(16, (short) 50);
      bytes.put(22, (byte) 64).put(23, (byte) 17);
      bytes.putInt(26, 0x0A000000 + i).putInt(30, 0x0A010000).putInt(34, i << 16 | 53);
      bytes.putShort(38, (short) 30);
      file.put(frame);
    }
    return Files.write(path, file.array());
  }
}
