package io.linerate.driver.linux.tap;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PairFixture;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import io.linerate.testkit.VethPair;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kernel's end of the cable is a {@code packet:} port. */
final class TapPortConformanceTest extends PortConformance {
  private static final String NAME = "ltp" + ProcessHandle.current().pid();

  /** The device keeps 1,000 packets for who reads it. */
  private static final int MAX_ON_THE_WAY = 256;

  /** A device that is there before the port: the kernel sends nothing of its own through it. */
  @BeforeAll
  static void makeQuietDevice() {
    assumeTrue(
        VethPair.ip(List.of("tuntap", "add", "dev", NAME, "mode", "tap")),
        "cannot make a tap device: needs root, iproute2 and TUN/TAP in the kernel");
    VethPair.ip(List.of("link", "set", NAME, "addrgenmode", "none"));
  }

  @AfterAll
  static void removeDevice() {
    VethPair.ip(List.of("tuntap", "del", "dev", NAME, "mode", "tap"));
  }

  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
    return new PairFixture(config, "tap:" + NAME, "packet:" + NAME, arriving, MAX_ON_THE_WAY);
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
