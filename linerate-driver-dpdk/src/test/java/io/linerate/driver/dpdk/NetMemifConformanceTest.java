package io.linerate.driver.dpdk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PairFixture;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** net_memif: shared memory between two ports, here of one process. */
final @EnabledIfSystemProperty(
    named = "linerate.test.memif",
    matches = "true",
    disabledReason =
        "skipped: two ends of net_memif in one process sometimes stand still; run it with -Dlinerate.test.memif=true")
class NetMemifConformanceTest extends PortConformance {
  @TempDir private Path directory;

  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
    String arguments = ",id=0,socket=" + directory.resolve("memif") + ",socket-abstract=no";
    return new PairFixture(
        config,
        "dpdk-shared:net_memif0,role=server" + arguments,
        "dpdk-shared:net_memif1,role=client" + arguments,
        arriving);
  }

  /** The driver of the other side makes 2,048 zeroes of an empty frame. */
  @Override
  protected int minFrameBytes() {
    return 1;
  }
}
