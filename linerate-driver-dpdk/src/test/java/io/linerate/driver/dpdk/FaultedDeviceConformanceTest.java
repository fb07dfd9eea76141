package io.linerate.driver.dpdk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PairFixture;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** A fault port that holds what passes in both directions, before a device. */
final class FaultedDeviceConformanceTest extends PortConformance {
  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
    return new PairFixture(
        config,
        "fault:direction=both,delay=300us,jitter=200us,port=dpdk-shared:net_ring0",
        "",
        arriving);
  }

  /** The driver leaves bytes uncounted. */
  @Override
  protected boolean countsBytes() {
    return false;
  }

  /** It does, but what is held leaves with the next flush only, and the suite asks for none. */
  @Override
  protected boolean canFillUp() {
    return false;
  }
}
