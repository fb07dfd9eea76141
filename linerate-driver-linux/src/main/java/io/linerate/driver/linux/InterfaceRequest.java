package io.linerate.driver.linux;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.PortException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Questions about one interface, asked with ioctl(2): netdevice(7) and linux/ethtool.h.
 *
 * <pre>
 *   struct ifreq:          0 name (16) | 16 value, address or pointer (24)
 *   ethtool_channels:      0 cmd | 4 max rx | 8 tx | 12 other | 16 combined | 20 rx | 24 tx | 28 other | 32 combined
 *   ethtool_drvinfo:       0 cmd | 4 driver (32) | 36 version (32) | …
 *   ethtool_value:         0 cmd | 4 data
 * </pre>
 */
public final class InterfaceRequest implements AutoCloseable {
  // The commands of linux/ethtool.h that have one number as their answer.
  public static final int ETHTOOL_GTSO = 0x1E;
  public static final int ETHTOOL_GGSO = 0x23;
  public static final int ETHTOOL_GFLAGS = 0x25;
  public static final int ETHTOOL_GGRO = 0x2B;

  /** Entries of the indirection table of RSS. */
  public static final int ETHTOOL_GRXFHINDIR = 0x38;

  public static final int IFREQ_BYTES = 40;
  public static final int VALUE_OFFSET = 16;

  private static final int SIOCGIFNAME = 0x8910;
  private static final int SIOCGIFFLAGS = 0x8913;
  private static final int SIOCSIFFLAGS = 0x8914;
  private static final int SIOCGIFMTU = 0x8921;
  private static final int SIOCSIFMTU = 0x8922;
  private static final int SIOCGIFHWADDR = 0x8927;
  private static final int SIOCGIFINDEX = 0x8933;
  private static final int SIOCETHTOOL = 0x8946;
  private static final int ETHTOOL_GDRVINFO = 0x03;
  private static final int ETHTOOL_GLINK = 0x0A;
  private static final int ETHTOOL_GCHANNELS = 0x3C;

  private static final int IFF_UP = 1;
  private static final int IFF_RUNNING = 0x40;
  private static final int ANSWER_BYTES = 256;

  private final SystemCalls calls = new SystemCalls();
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment request = arena.allocate(IFREQ_BYTES, 8);
  private final MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
  private final String name;
  private final int socket;

  private InterfaceRequest(String name) {
    this.name = name;
    socket = calls.socket(SystemCalls.AF_INET, SystemCalls.SOCK_DGRAM, 0);
    if (socket < 0) {
      arena.close();
      throw new PortException(
          "cannot ask for interfaces: socket=" + Errno.text(socket) + "; check ulimit -n");
    }
  }

  /** Opens a socket to ask through. */
  public static InterfaceRequest open(String name) {
    return new InterfaceRequest(name);
  }

  boolean exists() {
    return name.getBytes(StandardCharsets.UTF_8).length < NetInterface.NAME_BYTES
        && !name.isEmpty()
        && calls.ifNameToIndex(name) != 0;
  }

  int index() {
    ask(SIOCGIFINDEX);
    return NativeMemory.u32(value());
  }

  int mtuBytes() {
    ask(SIOCGIFMTU);
    return NativeMemory.u32(value());
  }

  /** Sets the MTU; 0 or {@code -errno}. */
  public int mtuBytes(int bytes) {
    request.fill((byte) 0).setString(0, name);
    NativeMemory.u32(value(), bytes);
    return calls.ioctl(socket, SIOCSIFMTU, request.address());
  }

  int flags() {
    ask(SIOCGIFFLAGS);
    return NativeMemory.u16(value());
  }

  /**
   * Whether an interface, by its number, is up and has a carrier: 1 or 0, or {@code -errno}.
   * IFF_RUNNING says the same as much as a second later.
   */
  int link(int interfaceIndex) {
    request.fill((byte) 0);
    NativeMemory.u32(value(), interfaceIndex);
    int result = calls.ioctl(socket, SIOCGIFNAME, request.address());
    if (result < 0) {
      return result;
    }
    answer.fill((byte) 0);
    NativeMemory.u32(answer.address(), ETHTOOL_GLINK);
    NativeMemory.u64(value(), answer.address());
    if (calls.ioctl(socket, SIOCETHTOOL, request.address()) >= 0) {
      return NativeMemory.u32(answer.address() + 4);
    }
    NativeMemory.u64(value(), 0);
    result = calls.ioctl(socket, SIOCGIFFLAGS, request.address());
    return result < 0 ? result : (NativeMemory.u16(value()) & IFF_RUNNING) / IFF_RUNNING;
  }

  /** Sets the interface up; 0 or {@code -errno}. */
  public int switchOn() {
    NativeMemory.u16(value(), flags() | IFF_UP); // In what was answered.
    return calls.ioctl(socket, SIOCSIFFLAGS, request.address());
  }

  int hardwareType() {
    ask(SIOCGIFHWADDR);
    return NativeMemory.u16(value());
  }

  NetInterface.Channels channels() {
    if (askEthtool(ETHTOOL_GCHANNELS) < 0) {
      return new NetInterface.Channels(1, 1, 1);
    }
    long at = answer.address();
    int combined = NativeMemory.u32(at + 32);
    int maxCombined = NativeMemory.u32(at + 16);
    return new NetInterface.Channels(
        Math.max(1, NativeMemory.u32(at + 20) + combined),
        Math.max(1, NativeMemory.u32(at + 24) + combined),
        Math.max(1, Math.max(NativeMemory.u32(at + 4), NativeMemory.u32(at + 8)) + maxCombined));
  }

  String driver() {
    return askEthtool(ETHTOOL_GDRVINFO) < 0 ? "" : answer.getString(4);
  }

  /** The number that an ethtool command answers with, or {@code -errno}. */
  public long ethtoolValue(int command) {
    int result = askEthtool(command);
    return result < 0 ? result : Integer.toUnsignedLong(NativeMemory.u32(answer.address() + 4));
  }

  private long value() {
    return request.address() + VALUE_OFFSET;
  }

  private void ask(int command) {
    request.fill((byte) 0).setString(0, name);
    int result = calls.ioctl(socket, command, request.address());
    if (result < 0) {
      throw new PortException(
          "cannot ask for the interface: interface=%s, ioctl=0x%x, error=%s; see that it stays (ip link)"
              .formatted(name, command, Errno.text(result)));
    }
  }

  private int askEthtool(int command) {
    request.fill((byte) 0).setString(0, name);
    answer.fill((byte) 0);
    NativeMemory.u32(answer.address(), command);
    NativeMemory.u64(value(), answer.address());
    return calls.ioctl(socket, SIOCETHTOOL, request.address());
  }

  @Override
  public void close() {
    int _ = calls.close(socket);
    arena.close();
  }
}
