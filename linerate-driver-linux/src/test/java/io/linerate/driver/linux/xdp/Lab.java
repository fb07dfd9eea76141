package io.linerate.driver.linux.xdp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.driver.linux.Capabilities;
import io.linerate.driver.linux.Capabilities.Capability;
import io.linerate.testkit.VethPair;

/** Interfaces for tests, and whether this machine lets them be XDP ports. */
final class Lab {
  private Lab() {}

  static void requireXdp() {
    for (Capability needed :
        new Capability[] {Capability.CAP_BPF, Capability.CAP_NET_ADMIN, Capability.CAP_NET_RAW}) {
      assumeTrue(Capabilities.read().has(needed), "skipped: needs " + needed);
    }
  }

  /** A name that no other test process uses; {@code tag} sets those of this process apart. */
  static String name(String tag) {
    return "lx" + tag + ProcessHandle.current().pid();
  }

  /** A pair of interfaces with names from {@code tag} and "a" or "b", for frames of 1,514 bytes. */
  static VethPair veth(String tag, String... options) {
    requireXdp();
    String near = name(tag + "a");
    String far = name(tag + "b");
    VethPair veth = VethPair.make(near, far, options);
    veth.run("link", "set", near, "mtu", "1500");
    veth.run("link", "set", far, "mtu", "1500");
    return veth;
  }
}
