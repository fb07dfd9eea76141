package io.linerate.driver.pcap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.PortAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an address of this driver asks for.
 *
 * @param passes how often the file is read; {@link PcapRxQueue#FOREVER}
 * @param paced whether packets come at the distances at which they were recorded
 */
record PcapOptions(@Nullable Path rx, @Nullable Path tx, long passes, boolean paced) {
  private static final List<String> KEYS = List.of("rx", "tx", "loop", "pace");

  private enum Pacing {
    NONE,
    RECORDED
  }

  static PcapOptions parse(PortAddress address) {
    AddressOptions options = AddressOptions.of(address, KEYS);
    PcapOptions parsed =
        new PcapOptions(
            options.path("rx"),
            options.path("tx"),
            passes(options),
            options.word("pace", Pacing.NONE) == Pacing.RECORDED);
    if (parsed.rx == null && parsed.tx == null) {
      throw new ConfigException(
          "port has no file: address=" + address + "; write pcap:rx=PATH, pcap:tx=PATH or both");
    }
    if (parsed.rx == null && (options.has("loop") || options.has("pace"))) {
      throw new ConfigException(
          "loop and pace need a file to read: address=" + address + "; add rx=PATH");
    }
    return parsed;
  }

  private static long passes(AddressOptions options) {
    return options.text("loop").equals("forever")
        ? PcapRxQueue.FOREVER
        : options.number("loop", 1, 1, Long.MAX_VALUE, "a number from 1, or forever");
  }
}
