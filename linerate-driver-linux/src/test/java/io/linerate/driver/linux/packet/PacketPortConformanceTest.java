package io.linerate.driver.linux.packet;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PairFixture;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import io.linerate.testkit.VethPair;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Both ends of a cable are {@code packet:} ports. The kernel's queue between them holds 1,000
 * frames and loses what comes faster than the CPU carries it over.
 */
final class PacketPortConformanceTest extends PortConformance {
  private static final String NEAR = "lpa" + ProcessHandle.current().pid();
  private static final String FAR = "lpb" + ProcessHandle.current().pid();
  private static final int MAX_ON_THE_WAY = 512;

  private static @Nullable VethPair veth;

  @BeforeAll
  static void makeInterfaces() {
    veth = VethPair.make(NEAR, FAR);
  }

  @AfterAll
  static void removeInterfaces() {
    if (veth != null) {
      veth.close();
    }
  }

  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
    return new PairFixture(config, "packet:" + NEAR, "packet:" + FAR, arriving, MAX_ON_THE_WAY);
  }

  /** The kernel drops frames without a whole header. */
  @Override
  protected int minFrameBytes() {
    return 15;
  }

  @Override
  protected boolean losesWhatComesTooFast() {
    return true;
  }

  /** The kernel takes every frame at once. */
  @Override
  protected boolean canFillUp() {
    return false;
  }
}
