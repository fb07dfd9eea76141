package io.linerate.driver.linux.xdp;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.PortAddress;
import io.linerate.driver.linux.CallPolicy;
import io.linerate.driver.linux.NetInterface;
import java.util.List;

/**
 * {@code
 * xdp:IFACE[,queues=0-3][,mode=auto|native|generic][,zerocopy=auto|on|off][,busypoll=off|US][,filter=…|,leave=…][,checksum=auto|on|off][,calls=adaptive|always|full][,threshold=N][,reopen=on|off][,spread=N]}.
 *
 * @param queues of the device; empty: all
 * @param busyPollUs 0: the kernel decides when the device is looked at
 * @param checksum whether checksums that a sender left unfinished are finished
 * @param threshold frames taken that go back to the kernel together, at most; fewer when all were
 *     taken
 * @param reopen whether it is opened again when its interface has gone and come back
 * @param spread receive queues among which the frames of one queue of the device are shared out; 0:
 *     each queue of the device is one of the port
 */
record XdpAddress(
    String interfaceName,
    List<Integer> queues,
    Mode mode,
    Switch zeroCopy,
    int busyPollUs,
    TrafficFilter filter,
    Switch checksum,
    CallPolicy calls,
    int threshold,
    boolean reopen,
    int spread) {
  /** Where the redirect program shall run. */
  enum Mode {
    AUTO,
    NATIVE,
    GENERIC
  }

  /** Whether to use what is not always there. */
  enum Switch {
    AUTO,
    ON,
    OFF
  }

  private static final List<String> KEYS =
      List.of(
          "queues",
          "mode",
          "zerocopy",
          "busypoll",
          "filter",
          "leave",
          "checksum",
          "calls",
          "threshold",
          "reopen",
          "spread");
  private static final int MAX_BUSY_POLL_US = 10_000;
  private static final int MAX_SPREAD = 64;
  private static final int MAX_THRESHOLD = 4_096;

  /**
   * @throws ConfigException if it is wrong
   */
  static XdpAddress of(PortAddress address) {
    AddressOptions options = AddressOptions.named(address, KEYS);
    return new XdpAddress(
        NetInterface.nameIn(options),
        options.range("queues"),
        options.word("mode", Mode.AUTO),
        options.word("zerocopy", Switch.AUTO),
        busyPollUs(options),
        filter(options),
        options.word("checksum", Switch.AUTO),
        options.word("calls", CallPolicy.ADAPTIVE),
        options.number("threshold", FillRing.BATCH, 1, MAX_THRESHOLD),
        options.isOn("reopen", false),
        options.number("spread", 0, 1, MAX_SPREAD));
  }

  private static int busyPollUs(AddressOptions options) {
    String allowed = "off or 1 to " + MAX_BUSY_POLL_US + " (µs)";
    return options.text("busypoll").equals("off")
        ? 0
        : (int) options.number("busypoll", 0, 1, MAX_BUSY_POLL_US, allowed);
  }

  private static TrafficFilter filter(AddressOptions options) {
    String taken = options.text("filter");
    String left = options.text("leave");
    if (!taken.isEmpty() && !left.isEmpty()) {
      throw new ConfigException(
          "filter= and leave= exclude each other: filter=%s, leave=%s, address=%s; say what is taken, or what is left to the kernel"
              .formatted(taken, left, options.address()));
    }
    return taken.isEmpty()
        ? options.value("leave", TrafficFilter.ALL, text -> TrafficFilter.of(text, true))
        : options.value("filter", TrafficFilter.ALL, text -> TrafficFilter.of(text, false));
  }
}
