package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An interface that carries IP packets without Ethernet headers, as long as it is open. */
final class Tun {
  private static final int TUNSETIFF = 0x400454CA;
  private static final short IFF_TUN = 1;

  private Tun() {}

  /** Its descriptor, or {@code -errno}. */
  static int open(SystemCalls calls, String name) {
    int descriptor = calls.open("/dev/net/tun", SystemCalls.O_RDWR);
    if (descriptor < 0) {
      return descriptor;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(40, 8);
      request.setString(0, name);
      request.set(ValueLayout.JAVA_SHORT, 16, IFF_TUN);
      int result = calls.ioctl(descriptor, TUNSETIFF, request.address());
      return result < 0 ? result : descriptor;
    }
  }
}
