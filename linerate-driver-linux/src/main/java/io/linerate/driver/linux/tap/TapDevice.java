package io.linerate.driver.linux.tap;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.PortException;
import io.linerate.driver.linux.InterfaceRequest;
import io.linerate.driver.linux.NetInterface;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * An interface made through {@code /dev/net/tun}, and one of its queues for each descriptor: it is
 * there as long as one is open. Numbers are of linux/if_tun.h.
 */
final class TapDevice implements AutoCloseable {
  private static final String CLONE_DEVICE = "/dev/net/tun";
  private static final int TUNSETIFF = 0x400454CA;
  private static final short IFF_TAP = 0x0002;
  private static final short IFF_MULTI_QUEUE = 0x0100;
  private static final short IFF_NO_PI = 0x1000;
  private static final short IFF_VNET_HDR = 0x4000;
  private static final int TUNGETIFF = 0x800454D2;
  private static final int TUNSETOFFLOAD = 0x400454D0;

  /** TUN_F_CSUM, TSO4, TSO6 and TSO_ECN. */
  private static final int TCP_OFFLOADS = 0x01 | 0x02 | 0x04 | 0x08;

  /** TUN_F_USO4 and USO6, since Linux 6.2. */
  private static final int UDP_OFFLOADS = 0x20 | 0x40;

  /** Column of {@code /proc/net/dev}: what the kernel could not pass on to the program. */
  private static final int TX_DROPPED = 11;

  private final String name;
  private final SystemCalls calls = new SystemCalls();
  private final int[] descriptors;
  private long lastDropped;

  private TapDevice(String name, int queues) {
    this.name = name;
    descriptors = new int[queues];
    Arrays.fill(descriptors, -1);
  }

  /**
   * Makes an interface and switches it on.
   *
   * @throws PortException if that is not possible
   */
  static TapDevice open(String name, int queues, int mtuBytes) {
    TapDevice device = new TapDevice(name, queues);
    try {
      for (int i = 0; i < queues; i++) {
        device.descriptors[i] = device.attach(queues > 1);
      }
      device.switchOn(mtuBytes);
      return device;
    } catch (RuntimeException e) {
      device.close();
      throw e;
    }
  }

  private int attach(boolean multiQueue) {
    int descriptor = calls.open(CLONE_DEVICE, SystemCalls.O_RDWR | SystemCalls.O_NONBLOCK);
    require("open " + CLONE_DEVICE, descriptor);
    int flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR | (multiQueue ? IFF_MULTI_QUEUE : 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(InterfaceRequest.IFREQ_BYTES, 8);
      request.setString(0, name);
      request.set(ValueLayout.JAVA_SHORT, InterfaceRequest.VALUE_OFFSET, (short) flags);
      int result = calls.ioctl(descriptor, TUNSETIFF, request.address());
      if (result < 0) {
        int _ = calls.close(descriptor);
      }
      require("TUNSETIFF", result);
    }
    if (calls.ioctl(descriptor, TUNSETOFFLOAD, TCP_OFFLOADS | UDP_OFFLOADS) < 0) {
      int _ = calls.ioctl(descriptor, TUNSETOFFLOAD, TCP_OFFLOADS);
    }
    return descriptor;
  }

  private void switchOn(int mtuBytes) {
    try (InterfaceRequest request = InterfaceRequest.open(name)) {
      require("SIOCSIFMTU", request.mtuBytes(mtuBytes));
      require("SIOCSIFFLAGS", request.switchOn());
    }
  }

  private void require(String call, int result) {
    if (result >= 0) {
      return;
    }
    String remedy =
        switch (-result) {
          case Errno.EPERM, Errno.EACCES ->
              "missing capability=CAP_NET_ADMIN: run as root, or let root make it for you: sudo ip tuntap add dev "
                  + name
                  + " mode tap user $USER";
          case Errno.ENOENT, Errno.ENODEV, Errno.ENXIO -> "sudo modprobe tun";
          case Errno.EBUSY -> "another program uses it: choose another name";
          case Errno.EINVAL ->
              "there is an interface of that name that is no tap device, or one with another number of queues: choose another name";
          default -> "choose another name";
        };
    throw new PortException(
        "cannot make the tap device: interface=%s, %s=%s; %s"
            .formatted(name, call, Errno.text(result), remedy));
  }

  int queues() {
    return descriptors.length;
  }

  int descriptor(int queue) {
    return descriptors[queue];
  }

  /** Whether it was deleted: it may have another name by now, or be in another namespace. */
  boolean isGone() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(InterfaceRequest.IFREQ_BYTES, 8);
      return calls.ioctl(descriptors[0], TUNGETIFF, request.address()) == -Errno.EBADFD;
    }
  }

  PortException gone() {
    return new PortException(
        "tap device is gone: interface=%s; somebody deleted it: start again".formatted(name));
  }

  /**
   * Packets that the kernel lost because the program did not read fast enough; as many as were last
   * seen if the device was renamed or is in another namespace by now.
   */
  long dropped() {
    try {
      for (String line :
          Files.readAllLines(Path.of("/proc/self/net/dev"), StandardCharsets.UTF_8)) {
        if (line.strip().startsWith(name + ":")) {
          String[] columns = line.substring(line.indexOf(':') + 1).strip().split("\\s+", -1);
          lastDropped = Long.parseLong(columns[TX_DROPPED]);
        }
      }
    } catch (IOException e) {
      // Not known then.
    }
    return lastDropped;
  }

  /** The interface goes with its last descriptor, unless root made it to stay. */
  @Override
  public void close() {
    for (int descriptor : descriptors) {
      if (descriptor >= 0) {
        int _ = calls.close(descriptor);
      }
    }
  }

  static boolean isName(String name) {
    return name.matches("[^\\s/%:=]{1," + (NetInterface.NAME_BYTES - 1) + "}");
  }
}
