package io.linerate.driver.ring;

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

/**
 * A port at one end of a cable of the kernel, behind one that delays what is received, and one that
 * takes what is transmitted in hand, but never happens to damage anything.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FaultedInterfaceConformance extends PortConformance {
  static final String FAULTS =
      "fault:direction=tx,corrupt=1e-300,port=fault:delay=300us,jitter=200us,port=";

  private final String near;
  private final String far;
  private final String scheme;
  private final int mtu;
  private final int maxOnTheWay;
  private @Nullable VethPair veth;

  /**
   * @param tag a letter that sets the interfaces of a class apart
   * @param maxOnTheWay see {@link PairFixture}
   */
  FaultedInterfaceConformance(String tag, String scheme, int mtu, int maxOnTheWay) {
    near = "lf" + tag + "a" + ProcessHandle.current().pid();
    far = "lf" + tag + "b" + ProcessHandle.current().pid();
    this.scheme = scheme;
    this.mtu = mtu;
    this.maxOnTheWay = maxOnTheWay;
  }

  @BeforeAll
  void makeInterfaces() {
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
        config.withMtu(mtu), FAULTS + scheme + near, scheme + far, arriving, maxOnTheWay);
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
