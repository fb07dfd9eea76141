package io.linerate.apps.route;

import io.linerate.core.config.Configuration;
import io.linerate.core.config.NamedAddress;
import io.linerate.wire.MacAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The kernel's ends of links: the port {@code NAME-host} is an interface {@code tap:NAME}, whose
 * addresses are those of the router on the link {@code NAME}.
 */
final class HostPorts {
  private static final String SUFFIX = "-host";

  private HostPorts() {}

  /** The name of the port for a link. */
  static String name(String link) {
    return link + SUFFIX;
  }

  /** Whether a link has one. */
  static boolean has(Configuration configuration, String link) {
    return configuration.ports().stream().anyMatch(port -> port.name().equals(name(link)));
  }

  /**
   * Sees that those that are there are interfaces of the kernel with the names of their links.
   *
   * @throws io.linerate.core.config.ConfigException if not
   */
  static void check(Configuration configuration) {
    for (NamedAddress port : configuration.ports()) {
      String wanted = "tap:" + port.name().replaceFirst(SUFFIX + "$", "");
      if (port.name().endsWith(SUFFIX)
          && !port.address().toString().split(",", 2)[0].equals(wanted)) {
        throw configuration.error(
            "ports",
            "port of the host is another (" + port.name() + "=" + port.address() + ")",
            "write " + port.name() + "=" + wanted);
      }
    }
  }

  /** The Ethernet address of an interface; empty: no port has made it yet. */
  static Optional<String> mac(String interfaceName) {
    try {
      NetworkInterface some = NetworkInterface.getByName(interfaceName);
      return Optional.ofNullable(some == null ? null : some.getHardwareAddress())
          .map(address ->
              MacAddress.format(ByteBuffer.allocate(Long.BYTES).put(2, address).getLong(0)));
    } catch (SocketException e) {
      throw new IllegalStateException("no such interface: name=" + interfaceName, e);
    }
  }
}
