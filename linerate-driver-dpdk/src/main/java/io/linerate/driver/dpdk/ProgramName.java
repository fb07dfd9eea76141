package io.linerate.driver.dpdk;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.Errno;
import io.linerate.core.driver.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The name that sets a program apart from other DPDK programs, taken until it ends: an abstract
 * socket (unix(7)), which the kernel takes back however the process ends, and which leaves no file.
 * Programs in other network namespaces are not seen.
 *
 * <pre>
 *   struct sockaddr_un: 0 family u16 | 2 zero byte, name
 * </pre>
 */
record ProgramName(SystemCalls calls, int descriptor) implements AutoCloseable {
  private static final int AF_UNIX = 1;
  private static final int PATH_BYTES = 108;

  /**
   * Takes a name; "" is nobody's.
   *
   * @throws ConfigException if another program of this user has it
   */
  static ProgramName take(String name) {
    SystemCalls calls = new SystemCalls();
    if (name.isEmpty()) {
      return new ProgramName(calls, -1);
    }
    ProgramName taken = new ProgramName(calls, calls.socket(AF_UNIX, SystemCalls.SOCK_DGRAM, 0));
    if (taken.bind("linerate-dpdk-" + System.getProperty("user.name") + "-" + name)) {
      return taken;
    }
    taken.close();
    throw new ConfigException(
        "another program has this programid: programid=%s; end it, or give this one another: programid=%s-2"
            .formatted(name, name));
  }

  /** False if another has it; whatever else goes wrong keeps nobody from starting. */
  private boolean bind(String name) {
    if (descriptor < 0) {
      return true;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(2 + PATH_BYTES, 8);
      address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
      int bytes = Math.min(name.length(), PATH_BYTES - 2);
      for (int i = 0; i < bytes; i++) {
        address.set(ValueLayout.JAVA_BYTE, 3 + i, (byte) name.charAt(i));
      }
      return calls.bind(descriptor, address.address(), 3 + bytes) != -Errno.EADDRINUSE;
    }
  }

  @Override
  public void close() {
    if (descriptor >= 0) {
      int _ = calls.close(descriptor);
    }
  }
}
