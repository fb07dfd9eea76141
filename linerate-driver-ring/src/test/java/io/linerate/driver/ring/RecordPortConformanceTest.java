package io.linerate.driver.ring;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

final class RecordPortConformanceTest extends PortConformance {
  @TempDir Path directory;

  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
    Path file = directory.resolve("conformance.pcapng");
    return RingFixture.ofWire(config, arriving, "record:file=" + file + ",snaplen=64,port=");
  }
}
