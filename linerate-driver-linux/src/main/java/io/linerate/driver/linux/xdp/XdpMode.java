package io.linerate.driver.linux.xdp;

import io.linerate.driver.linux.NetInterface;
import java.util.Locale;

/** Where in the kernel an XDP program runs. */
public enum XdpMode {
  /** In the driver, before the kernel makes anything of a frame. */
  NATIVE(1 << 2, 5),
  /** In the stack, for drivers that cannot: slower, except on veth. */
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
   * The mode that {@code mode=auto} takes: {@link #GENERIC} for a veth with one queue, from Linux
   * 6.6 on, since it is as fast there and its peer keeps segmentation; otherwise {@link #NATIVE},
   * if the driver has it. With several queues a generic program is not told which a frame came by.
   */
  public static XdpMode preferred(NetInterface networkInterface) {
    return preferred(
        networkInterface.driver(), networkInterface.rxQueues(), System.getProperty("os.version"));
  }

  static XdpMode preferred(String driver, int rxQueues, String kernel) {
    return driver.equals("veth") && rxQueues == 1 && isSince(kernel, 6, 6) ? GENERIC : NATIVE;
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
