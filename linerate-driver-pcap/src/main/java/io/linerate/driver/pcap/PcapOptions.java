package io.linerate.driver.pcap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.PortAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an address of this driver asks for.
 *
 * @param passes how often the file is read; {@link PcapRxQueue#FOREVER}
 * @param linkTypes of the packets that are received, the others are passed over; empty: those that
 *     the file begins with
 * @param paced whether packets come at the distances at which they were recorded
 */
record PcapOptions(
    @Nullable Path rx, @Nullable Path tx, long passes, boolean paced, Set<LinkType> linkTypes) {
  private static final List<String> KEYS = List.of("rx", "tx", "loop", "pace", "linktype");

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
            options.word("pace", Pacing.NONE) == Pacing.RECORDED,
            linkTypes(options));
    if (parsed.rx == null && parsed.tx == null) {
      throw new ConfigException(
          "port has no file: address=" + address + "; write pcap:rx=PATH, pcap:tx=PATH or both");
    }
    if (parsed.rx == null
        && (options.has("loop") || options.has("pace") || options.has("linktype"))) {
      throw new ConfigException(
          "loop, pace and linktype need a file to read: address=" + address + "; add rx=PATH");
    }
    return parsed;
  }

  private static Set<LinkType> linkTypes(AddressOptions options) {
    if (!options.has("linktype")) {
      return Set.of();
    }
    String text = options.text("linktype");
    if (text.equals("any")) {
      return LinkType.ANY;
    }
    LinkType type = LinkType.parse(text);
    if (type == null) {
      throw options.wrong("linktype", "any, or " + LinkType.ALLOWED);
    }
    return Set.of(type);
  }

  private static long passes(AddressOptions options) {
    return options.text("loop").equals("forever")
        ? PcapRxQueue.FOREVER
        : options.number("loop", 1, 1, Long.MAX_VALUE, "a number from 1, or forever");
  }
}
