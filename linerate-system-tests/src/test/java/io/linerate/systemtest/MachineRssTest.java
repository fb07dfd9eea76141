package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Receive-side scaling of cards that QEMU emulates, in a virtual machine: see {@link
 * PciSteeringTest}.
 */
@EnabledIfSystemProperty(
    named = VirtualMachine.FILES,
    matches = ".+",
    disabledReason =
        "skipped: boots a virtual machine for some minutes; ./linerate test --machine runs it")
class MachineRssTest {
  private static final String VIRTIO = "virtio-net-pci,iommu_platform=on,disable-legacy=on";
  private static final int QUEUES = 4;

  /**
   * QEMU gives a virtio-net card several queues only when its cable has as many: that of a tap
   * device has. A bridge in a network namespace joins two of them.
   */
  @Test
  void shouldSpreadTheFlowsOfVirtioNet() throws IOException {
    Lab.requireDpdk();
    Lab.requireRoot();
    Lab.requirePrograms("ip", "sysctl");
    String namespace = "lrm" + ProcessHandle.current().pid();
    String tap = "tap,script=no,downscript=no,ifname=";
    Command.run("ip", "netns", "add", namespace);
    try {
      Command.run(inside(namespace, "sysctl", "-q", "-w", "net.ipv6.conf.default.disable_ipv6=1"));
      Command.run(inside(namespace, "ip", "link", "add", "bridge", "type", "bridge"));
      // Where br_netfilter is loaded, it drops what has no checksum; else there is no such setting.
      for (String family : List.of("iptables", "ip6tables")) {
        String setting = "net.bridge.bridge-nf-call-" + family + "=0";
        Command.run(inside(namespace, "sysctl", "-e", "-q", "-w", setting));
      }
      Command.run(inside(namespace, "ip", "link", "set", "bridge", "up"));
      List<NetworkCard> cards =
          List.of(
              new NetworkCard(
                  "near",
                  VIRTIO + ",rss=on,mq=on,vectors=" + (2 * QUEUES + 2),
                  16,
                  tap + "near,queues=" + QUEUES),
              new NetworkCard("far", VIRTIO, 17, tap + "far"));
      try (VirtualMachine machine = VirtualMachine.start("virtio", namespace, cards)) {
        for (NetworkCard card : cards) {
          Command.run(inside(namespace, "ip", "link", "set", card.id(), "master", "bridge", "up"));
        }
        assertSpreads(machine, "rss-virtio", cards);
      }
    } finally {
      Command.run("ip", "netns", "delete", namespace);
    }
  }

  private static String[] inside(String namespace, String... words) {
    return Command.in(namespace, List.of(words)).toArray(new String[0]);
  }

  @Test
  void shouldSpreadTheFlowsOfIgb() throws IOException {
    Lab.requireDpdk();
    assumeTrue(
        VirtualMachine.knows("igb"),
        "skipped: this QEMU does not emulate igb; one that does is given by -Dlinerate.test.qemu=PROGRAM");
    List<NetworkCard> cards =
        List.of(
            new NetworkCard("near", "igb", 4, NetworkCard.hub(0)),
            new NetworkCard("far", "igb", 6, NetworkCard.hub(0)));
    try (VirtualMachine machine = VirtualMachine.start("igb", "", cards)) {
      assertSpreads(machine, "rss-igb", cards);
    }
  }

  private static void assertSpreads(VirtualMachine machine, String name, List<NetworkCard> cards)
      throws IOException {
    GuestTests.Result result =
        GuestTests.run(
            machine,
            name,
            PciSteeringTest.class.getName(),
            cards.get(0).address() + "," + cards.get(1).address());
    assertThat(result.status()).as(result.output()).isZero();
    assertThat(result.skipped()).as(result.output()).isZero();
  }
}
