package io.linerate.driver.pcap;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.PortFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A port on two files: one that has the frames that arrive, and one for what is sent. */
final class PcapFixture implements PortFixture {
  private final Path directory;
  private final Path sentFile;
  private final Engine engine;
  private final DriverPort port;
  private List<byte[]> sent = List.of();
  private long sentFileBytes;

  PcapFixture(EngineConfig config, List<byte[]> arriving, String suffix) throws IOException {
    directory = Files.createTempDirectory("linerate-pcap");
    Path arrivingFile = directory.resolve("arriving" + suffix);
    sentFile = directory.resolve("sent" + suffix);
    Files.write(arrivingFile, suffix.equals(".pcap") ? pcap(arriving) : pcapng(arriving));
    engine = new Engine(config);
    port = engine.drivers().open("pcap:rx=%s,tx=%s".formatted(arrivingFile, sentFile));
  }

  private static byte[] pcap(List<byte[]> frames) {
    CaptureBuilder builder =
        new CaptureBuilder(ByteOrder.BIG_ENDIAN).pcapHeader(PcapFormat.MICROSECONDS_MAGIC, 0, 1);
    frames.forEach(frame -> builder.pcapRecord(1, 2, frame.length, frame));
    return builder.build();
  }

  private static byte[] pcapng(List<byte[]> frames) {
    CaptureBuilder builder =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN).section().networkInterface(1, 0);
    frames.forEach(frame -> builder.enhanced(0, 1, frame.length, frame));
    return builder.build();
  }

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public DriverPort port() {
    return port;
  }

  @Override
  public void pump() {}

  @Override
  public List<byte[]> sent() {
    try {
      if (Files.size(sentFile) != sentFileBytes) {
        byte[] file = Files.readAllBytes(sentFile);
        sentFileBytes = file.length;
        sent = frames(file);
      }
      return sent;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<byte[]> frames(byte[] file) {
    List<byte[]> frames = new ArrayList<>();
    MemorySegment bytes = MemorySegment.ofArray(file);
    CaptureReader reader = CaptureReader.of("sent", bytes, Set.of());
    while (reader.next()) {
      frames.add(
          bytes.asSlice(reader.dataOffset(), reader.lengthBytes()).toArray(ValueLayout.JAVA_BYTE));
    }
    return frames;
  }

  @Override
  public void close() throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
