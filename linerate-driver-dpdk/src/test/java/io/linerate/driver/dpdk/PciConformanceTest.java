package io.linerate.driver.dpdk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PairFixture;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Two PCI devices with a cable between them, of a real driver of DPDK's: {@code
 * -Dlinerate.test.pci=0000:00:10.0,0000:00:11.0}, both bound to vfio-pci. The machine test gives it
 * those of a virtual machine.
 */
final @EnabledIfSystemProperty(
    named = "linerate.test.pci",
    matches = ".+,.+",
    disabledReason =
        "skipped: needs two PCI devices with a cable between them, -Dlinerate.test.pci=NEAR,FAR; ./linerate test --machine has emulated ones")
class PciConformanceTest extends PortConformance {
  /** Half of the smallest receive ring, that of virtio-net. */
  private static final int MOST_ON_THE_WAY = 128;

  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
    String[] devices = System.getProperty("linerate.test.pci", "").split(",", 2);
    return new PairFixture(
        config.withMtu(1_500),
        "dpdk-shared:" + devices[0],
        "dpdk-shared:" + devices[1],
        arriving,
        MOST_ON_THE_WAY);
  }

  /** Without the frame check sequence; cards pad what is shorter. */
  @Override
  protected int minFrameBytes() {
    return 60;
  }

  @Override
  protected int maxFrameBytes() {
    return 1_514;
  }

  /** No cable waits for its receiver. */
  @Override
  protected boolean losesWhatComesTooFast() {
    return true;
  }

  /**
   * em_ethdev.c gives the numbers of Intel's cards as they are, with the frame check sequence of
   * each; an emulated igb loses the bytes of what comes while they are read.
   */
  @Override
  protected boolean countsBytes() {
    return !id("vendor").equals("0x8086");
  }

  private static String id(String name) {
    String device = System.getProperty("linerate.test.pci", "").split(",", 2)[0];
    try {
      return Files.readString(Path.of("/sys/bus/pci/devices", device, name)).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected boolean canFillUp() {
    return false;
  }
}
