package io.linerate.driver.dpdk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
 * net_af_packet: two kernel interfaces, a veth pair, of this process's own names. The kernel takes
 * every frame at once and loses those that do not fit its receive ring; so frames are fed no faster
 * than they are received, and sent ones are collected one by one.
 */
final class NetAfPacketConformanceTest extends PortConformance {
  private static final String NEAR = "lra" + ProcessHandle.current().pid();
  private static final String FAR = "lrb" + ProcessHandle.current().pid();

  /** Frames of the receive ring, the half of which is used. */
  private static final int RING = 2_048;

  private static @Nullable VethPair veth;

  @BeforeAll
  static void makeInterfaces() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
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
    return new PairFixture(
        config.withMtu(1_500),
        "dpdk-shared:net_af_packet0,framecnt=" + RING + ",iface=" + NEAR,
        "dpdk-shared:net_af_packet1,framecnt=" + RING + ",iface=" + FAR,
        arriving,
        RING / 2);
  }

  /** The kernel drops frames without a whole header. */
  @Override
  protected int minFrameBytes() {
    return 15;
  }

  @Override
  protected int maxFrameBytes() {
    return 1_514;
  }

  @Override
  protected boolean losesWhatComesTooFast() {
    return true;
  }

  @Override
  protected boolean canFillUp() {
    return false;
  }
}
