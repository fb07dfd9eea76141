package io.linerate.driver.pcap.libpcap;

import java.net.NetworkInterface;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/** A network interface as the JDK sees it, for what libpcap does not tell of one. */
record InterfaceLink(String name, int mtuBytes) {
  /** Null if there is none of that name: a device of another kind. */
  static @Nullable InterfaceLink of(String name) {
    try {
      NetworkInterface found = NetworkInterface.getByName(name);
      return found == null ? null : new InterfaceLink(name, found.getMTU());
    } catch (SocketException e) {
      return null;
    }
  }

  /** Whether it is there, up, and has a carrier. */
  boolean isUp() {
    try {
      NetworkInterface found = NetworkInterface.getByName(name);
      return found != null && found.isUp();
    } catch (SocketException e) {
      return false;
    }
  }
}
