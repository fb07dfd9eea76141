package io.linerate.driver.linux.xdp;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PairFixture;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import io.linerate.testkit.VethPair;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Both ends of a cable are {@code xdp:} ports, in one of the ways that the kernel has. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class XdpConformance extends PortConformance {
  /** Half of what the kernel's queue between them holds. */
  private static final int MAX_ON_THE_WAY = 128;

  private final String near;
  private final String far;
  private final int mtu;
  private final String options;
  private final String nearOptions;
  private @Nullable VethPair veth;

  /**
   * @param tag a letter that sets the interfaces of a class apart
   */
  XdpConformance(String tag, int mtu, String options) {
    this(tag, mtu, options, "");
  }

  /**
   * @param nearOptions of the port that is tested, and not of its peer
   */
  XdpConformance(String tag, int mtu, String options, String nearOptions) {
    this.nearOptions = nearOptions;
    near = "lx" + tag + "a" + ProcessHandle.current().pid();
    far = "lx" + tag + "b" + ProcessHandle.current().pid();
    this.mtu = mtu;
    this.options = options;
  }

  @BeforeAll
  void makeInterfaces() {
    Lab.requireXdp();
    VethPair made = VethPair.make(near, far);
    made.run("link", "set", near, "mtu", Integer.toString(mtu));
    made.run("link", "set", far, "mtu", Integer.toString(mtu));
    veth = made;
  }

  @AfterAll
  void removeInterfaces() {
    if (veth != null) {
      veth.close();
    }
  }

  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
    return new PairFixture(
        config.withMtu(mtu),
        "xdp:" + near + options + nearOptions,
        "xdp:" + far + options,
        arriving,
        MAX_ON_THE_WAY);
  }

  /** The kernel drops frames without a whole header. */
  @Override
  protected int minFrameBytes() {
    return 15;
  }

  @Override
  protected int maxFrameBytes() {
    return Math.min(9_000, mtu + 14);
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
