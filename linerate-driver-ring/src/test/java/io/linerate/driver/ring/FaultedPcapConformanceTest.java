package io.linerate.driver.ring;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** A fault port before capture files: what it holds has to come out at their end. */
final class FaultedPcapConformanceTest extends PortConformance {
  @TempDir private Path folder;

  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) throws IOException {
    Path in = Files.write(folder.resolve("in.pcap"), pcap(arriving));
    Path out = folder.resolve("out.pcap");
    Engine engine = new Engine(config);
    String address = FaultedInterfaceConformance.FAULTS + "pcap:rx=" + in + ",tx=" + out;
    return new Fixture(engine, engine.drivers().open(address), out);
  }

  private static byte[] pcap(List<byte[]> frames) {
    int bytes = frames.stream().mapToInt(frame -> 16 + frame.length).sum();
    ByteBuffer file = ByteBuffer.allocate(24 + bytes);
    file.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4).putLong(0);
    file.putInt(0xFFFF).putInt(1);
    for (byte[] frame : frames) {
      file.putInt(1).putInt(2).putInt(frame.length).putInt(frame.length).put(frame);
    }
    return file.array();
  }

  private record Fixture(Engine engine, DriverPort port, Path out) implements PortFixture {
    @Override
    public void pump() {}

    @Override
    public List<byte[]> sent() {
      List<byte[]> frames = new ArrayList<>();
      if (engine.ports().isEmpty()) { // It is closed: the file is whole.
        read(frames);
      }
      return frames;
    }

    private void read(List<byte[]> frames) {
      try (Engine reader = new Engine()) {
        reader
            .worker()
            .input(
                reader.port("pcap:rx=" + out),
                burst -> {
                  for (Packet packet : burst) {
                    frames.add(packet.toBytes());
                  }
                });
        reader.run();
      }
    }
  }

  /** A file takes all that it is given. */
  @Override
  protected boolean canFillUp() {
    return false;
  }
}
