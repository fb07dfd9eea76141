package io.linerate.filter;

/**
 * How filters are compiled.
 *
 * @param names what names stand for
 * @param netmask of the network that packets are of, for {@code ip broadcast}; {@link #NO_NETMASK}
 *     if it is not known
 * @param snapLengthBytes what a program returns for packets that it accepts, at least 1: the kernel
 *     keeps so many bytes of them
 * @param optimises whether programs are made shorter
 */
public record FilterOptions(
    FilterNames names, int netmask, int snapLengthBytes, boolean optimises) {
  /** Nobody knows the netmask. */
  public static final int NO_NETMASK = 0xFFFF_FFFF;

  /** What tcpdump takes, too. */
  public static final int DEFAULT_SNAP_LENGTH_BYTES = 262_144;

  public FilterOptions {
    if (snapLengthBytes < 1) {
      throw new IllegalArgumentException(
          "a filter has to keep something: snapLengthBytes=" + snapLengthBytes);
    }
  }

  /** The system's names, no netmask, whole packets, short programs. */
  public static FilterOptions defaults() {
    return new FilterOptions(FilterNames.ofSystem(), NO_NETMASK, DEFAULT_SNAP_LENGTH_BYTES, true);
  }

  public FilterOptions withNames(FilterNames newNames) {
    return new FilterOptions(newNames, netmask, snapLengthBytes, optimises);
  }

  public FilterOptions withNetmask(int newNetmask) {
    return new FilterOptions(names, newNetmask, snapLengthBytes, optimises);
  }

  public FilterOptions withSnapLengthBytes(int bytes) {
    return new FilterOptions(names, netmask, bytes, optimises);
  }

  public FilterOptions withOptimisation(boolean isOn) {
    return new FilterOptions(names, netmask, snapLengthBytes, isOn);
  }
}
