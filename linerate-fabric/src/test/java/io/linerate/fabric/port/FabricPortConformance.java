package io.linerate.fabric.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.Port;
import io.linerate.fabric.Fabric;
import io.linerate.testkit.PairFixture;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two ports of one process, which have found each other. */
abstract class FabricPortConformance extends PortConformance {
  /** An address that nobody has. */
  protected abstract String address();

  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) throws Exception {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    String address = address();
    PortFixture fixture = new PairFixture(config, address, address, arriving);
    long start = System.nanoTime();
    while (!fixture.engine().ports().stream().allMatch(Port::isLinkUp)) {
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
      Thread.sleep(1);
    }
    return fixture;
  }
}
