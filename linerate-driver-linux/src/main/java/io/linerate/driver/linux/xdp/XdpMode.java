package io.linerate.driver.linux.xdp;

import io.linerate.driver.linux.NetInterface;
import java.util.Locale;

/** Where in the kernel an XDP program runs. */
public enum XdpMode {
  /** In the driver, before the kernel makes anything of a frame. */
  NATIVE(1 << 2, 5),
  /** In the stack, for drivers that cannot: slower, but for veth. */
  GENERIC(1 << 1, 6),
  /** In the device itself. */
  OFFLOADED(1 << 3, 7);

  private final int attachFlag;
  private final int programIdAttribute;

  XdpMode(int attachFlag, int programIdAttribute) {
    this.attachFlag = attachFlag;
    this.programIdAttribute = programIdAttribute;
  }

  /**
   * The one to try first. It is {@link #GENERIC} for veth: as fast, and segmentation stays on at
   * its peer, whose packets come whole, as Linux 6.6 and newer can receive them. But with several
   * queues the kernel does not say there which of them a frame came by.
   */
  public static XdpMode preferred(NetInterface networkInterface) {
    return networkInterface.driver().equals("veth")
            && networkInterface.rxQueues() == 1
            && isSince(System.getProperty("os.version"), 6, 6)
        ? GENERIC
        : NATIVE;
  }

  private static boolean isSince(String kernel, int major, int minor) {
    String[] numbers = kernel.split("\\D+", 3);
    int its = Integer.parseInt(numbers[0]);
    return its > major || (its == major && Integer.parseInt(numbers[1]) >= minor);
  }

  /** XDP_FLAGS_ of linux/if_link.h. */
  int attachFlag() {
    return attachFlag;
  }

  /** IFLA_XDP_ of linux/if_link.h. */
  int programIdAttribute() {
    return programIdAttribute;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
