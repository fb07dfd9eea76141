package io.linerate.driver.pcap.libpcap;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PairFixture;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import io.linerate.testkit.VethPair;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The other end of the cable is a {@code packet:} port. */
abstract class LibpcapConformance extends PortConformance {
  private static final String NEAR = "lca" + ProcessHandle.current().pid();
  private static final String FAR = "lcb" + ProcessHandle.current().pid();

  /** The buffer has 512 slots. */
  private static final int MAX_ON_THE_WAY = 256;

  private static @Nullable VethPair veth;

  private final String options;

  LibpcapConformance(String options) {
    this.options = options;
  }

  @BeforeAll
  static void makeInterfaces() {
    LibpcapLab.assumeLibpcap();
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
        config, "libpcap:" + NEAR + options, "packet:" + FAR, arriving, MAX_ON_THE_WAY);
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
