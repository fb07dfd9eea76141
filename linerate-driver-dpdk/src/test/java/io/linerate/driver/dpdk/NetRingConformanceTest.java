package io.linerate.driver.dpdk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PairFixture;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** net_ring receives what it sends. */
final class NetRingConformanceTest extends PortConformance {
  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
    return new PairFixture(config, "dpdk-shared:net_ring0", "", arriving);
  }

  /** The driver leaves bytes uncounted. */
  @Override
  protected boolean countsBytes() {
    return false;
  }
}
