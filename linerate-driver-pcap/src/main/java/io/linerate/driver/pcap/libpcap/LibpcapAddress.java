package io.linerate.driver.pcap.libpcap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.DurationText;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.PortAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an address of this driver asks for.
 *
 * @param device as libpcap calls it; "" when there is a file
 * @param file to read; null when there is a device
 * @param promiscuous as the engine's configuration says when null
 * @param bufferMiB of the kernel's buffer for received packets
 * @param timestampType as libpcap calls it; "" for the device's default
 * @param precision of times; null: ns if it can be had
 * @param linkType what packets are to begin with; null: what the device gives by default
 * @param direction null: received packets only, if the device can tell
 * @param reopen whether it is opened again when its interface has gone and come back
 */
record LibpcapAddress(
    String device,
    @Nullable Path file,
    int snapLengthBytes,
    @Nullable Boolean promiscuous,
    boolean immediate,
    int timeoutMs,
    int bufferMiB,
    String timestampType,
    @Nullable Precision precision,
    String filter,
    @Nullable LinkType linkType,
    @Nullable Direction direction,
    boolean reopen) {
  /** Libpcap's MAXIMUM_SNAPLEN, for all link types but DBus and USB. */
  static final int MAX_SNAP_LENGTH_BYTES = 262_144;

  private static final int DEFAULT_TIMEOUT_MS = 10;
  private static final int DEFAULT_BUFFER_MIB = 32;
  private static final int MAX_BUFFER_MIB = 2_047;

  /** Unit of times, by PCAP_TSTAMP_PRECISION_. */
  enum Precision {
    MICRO,
    NANO
  }

  /** Which packets of an interface, by pcap_direction_t. */
  enum Direction {
    IN(1),
    OUT(2),
    INOUT(0);

    final int number;

    Direction(int number) {
      this.number = number;
    }
  }

  private static final List<String> FILE_KEYS = List.of("file", "precision", "filter");
  private static final List<String> DEVICE_KEYS =
      List.of(
          "snaplen",
          "promisc",
          "immediate",
          "timeout",
          "buffer",
          "tstamp",
          "precision",
          "filter",
          "linktype",
          "direction",
          "reopen");

  /**
   * @throws ConfigException if it is wrong
   */
  static LibpcapAddress parse(PortAddress address) {
    // What stands first is a device unless it is an option.
    boolean isFile = address.rest().split(",", 2)[0].contains("=");
    AddressOptions options =
        isFile ? AddressOptions.of(address, FILE_KEYS) : AddressOptions.named(address, DEVICE_KEYS);
    if (isFile && !options.has("file")) {
      throw new ConfigException(
          "port has neither an interface nor a file: address=%s; write libpcap:INTERFACE or libpcap:file=PATH"
              .formatted(address));
    }
    String remedy = "write libpcap:INTERFACE, such as libpcap:eth0, or libpcap:file=PATH";
    return new LibpcapAddress(
        isFile ? "" : options.name(name -> !name.isEmpty(), "no interface in the address", remedy),
        options.path("file"),
        options.number("snaplen", MAX_SNAP_LENGTH_BYTES, 1, MAX_SNAP_LENGTH_BYTES),
        options.has("promisc") ? options.isOn("promisc", false) : null,
        options.isOn("immediate", true),
        timeoutMs(options),
        options.number("buffer", DEFAULT_BUFFER_MIB, 1, MAX_BUFFER_MIB),
        options.text("tstamp"),
        options.has("precision") ? options.word("precision", Precision.NANO) : null,
        options.text("filter"),
        linkType(options),
        options.has("direction") ? options.word("direction", Direction.IN) : null,
        options.isOn("reopen", false));
  }

  private static @Nullable LinkType linkType(AddressOptions options) {
    LinkType type = LinkType.parse(options.text("linktype"));
    if (options.has("linktype") && type == null) {
      throw options.wrong("linktype", LinkType.ALLOWED);
    }
    return type;
  }

  private static int timeoutMs(AddressOptions options) {
    Duration timeout =
        options.value("timeout", Duration.ofMillis(DEFAULT_TIMEOUT_MS), DurationText::parse);
    if (timeout.toMillis() < 1 || timeout.toMinutes() > 1) {
      throw options.wrong("timeout", "1ms to 1m");
    }
    return (int) timeout.toMillis();
  }
}
