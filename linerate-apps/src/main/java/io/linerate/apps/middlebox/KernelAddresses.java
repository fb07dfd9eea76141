package io.linerate.apps.middlebox;

import io.linerate.core.config.Configuration;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Finds addresses of a program that the kernel has on the interface of the same port: both would
 * answer for them.
 */
public final class KernelAddresses {
  private static final System.Logger LOG = System.getLogger(KernelAddresses.class.getName());

  private KernelAddresses() {}

  /**
   * Warns of each.
   *
   * @param port its name
   * @param addresses as text, such as 192.0.2.1
   */
  public static void warn(Configuration configuration, String port, List<String> addresses) {
    String own =
        configuration.ports().stream()
            .filter(one -> one.name().equals(port))
            .map(one -> one.address().toString().replaceFirst("[^:]*:", "").replaceFirst(",.*", ""))
            .findFirst()
            .orElse("");
    for (String address : addresses) {
      String name = interfaceOf(address);
      if (!name.isEmpty() && name.equals(own)) {
        LOG.log(
            Level.WARNING,
            "kernel has an address of this program, and answers in its place: address={0}, interface={1}; run: ip address flush dev {1}",
            address,
            name);
      }
    }
  }

  private static String interfaceOf(String address) {
    try {
      NetworkInterface some = NetworkInterface.getByInetAddress(InetAddress.getByName(address));
      return some == null ? "" : some.getName();
    } catch (SocketException | UnknownHostException e) {
      return ""; // It cannot be known.
    }
  }
}
