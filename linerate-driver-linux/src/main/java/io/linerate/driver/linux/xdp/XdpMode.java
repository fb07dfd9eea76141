package io.linerate.driver.linux.xdp;

import java.util.Locale;

/** Where in the kernel an XDP program runs. */
public enum XdpMode {
  /** In the driver, before the kernel makes anything of a frame. */
  NATIVE(1 << 2, 5),
  /**
   * In the stack, for drivers that cannot: slower, except on veth, and a packet that stands for
   * several comes without saying of how many bytes each is.
   */
  GENERIC(1 << 1, 6),
  /** In the device itself. */
  OFFLOADED(1 << 3, 7);

  private final int attachFlag;
  private final int programIdAttribute;

  XdpMode(int attachFlag, int programIdAttribute) {
    this.attachFlag = attachFlag;
    this.programIdAttribute = programIdAttribute;
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
