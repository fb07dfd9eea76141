package io.linerate.apps.doctor;

import io.linerate.core.port.PortException;
import io.linerate.driver.linux.InterfaceRequest;
import io.linerate.driver.linux.NetInterface;
import io.linerate.driver.linux.xdp.AttachedProgram;
import io.linerate.driver.linux.xdp.XdpMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The network interfaces, and what each of them can do for {@code packet:} and {@code xdp:}. */
final class InterfaceExam {
  /** Bits of ETHTOOL_GFLAGS (linux/ethtool.h). */
  private static final int FLAG_RX_VLAN = 1 << 8;

  private static final int FLAG_LRO = 1 << 15;

  /** Drivers with a native mode for XDP, and those of them that need no copy to user space. */
  private static final Set<String> NATIVE_XDP =
      words(
          """
          veth tun virtio_net ena mlx4_en mlx5_core ixgbe ixgbevf i40e ice igb igc bnxt_en nfp qede
          sfc thunder-nicvf mvneta mvpp2 stmmac dpaa2-eth fsl_enetc hv_netvsc netsec cpsw vmxnet3 gve
          mana atlantic bonding\
          """);

  private static final Set<String> ZERO_COPY =
      words("mlx5_core ixgbe i40e ice igb igc stmmac nfp virtio_net dpaa2-eth gve");

  private static Set<String> words(String text) {
    return Set.of(text.split("\\s+", -1));
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    for (String name : NetInterface.names()) {
      try {
        examine(NetInterface.read(name), findings);
      } catch (PortException e) {
        // It went away meanwhile.
      }
    }
    return findings;
  }

  private static void examine(NetInterface it, List<Finding> findings) {
    String name = it.name();
    String driver = it.driver().isEmpty() ? "" : ", driver " + it.driver();
    String carrier = it.isUp() && !it.isRunning() ? ", no carrier" : "";
    findings.add(
        Finding.optional(
            it.isUp(),
            "interface " + name,
            (it.isUp() ? "up" : "down") + carrier + ", MTU " + it.mtuBytes() + driver,
            "sudo ip link set dev " + Fix.quoted(name) + " up"));
    if (it.hardwareType() != NetInterface.ETHERNET) {
      return;
    }
    try (InterfaceRequest request = InterfaceRequest.open(name)) {
      findings.add(queues(it, request));
      findings.add(xdp(it));
      findings.add(offloads(name, request));
      AttachedProgram.of(it).forEach(program -> findings.add(program(it, program)));
    }
  }

  private static Finding queues(NetInterface it, InterfaceRequest request) {
    long table = request.ethtoolValue(InterfaceRequest.ETHTOOL_GRXFHINDIR);
    String rss = table > 0 ? ", RSS over a table of " + table : ", no RSS: use fanout=hash";
    return Finding.optional(
            it.rxQueues() >= it.maxQueues(),
            "queues of " + it.name(),
            it.rxQueues() + " of " + it.maxQueues() + rss,
            "sudo ethtool -L %s combined %d (or rx and tx)"
                .formatted(Fix.quoted(it.name()), it.maxQueues()))
        .fixedBy(
            "sudo ethtool -L %s combined %d".formatted(Fix.quoted(it.name()), it.rxQueues()),
            "ethtool",
            "-L",
            it.name(),
            "combined",
            String.valueOf(it.maxQueues()));
  }

  private static Finding xdp(NetInterface it) {
    boolean isNative = NATIVE_XDP.contains(it.driver());
    return Finding.optional(
        isNative,
        "XDP on " + it.name(),
        !isNative
            ? "generic mode only"
            : ZERO_COPY.contains(it.driver()) ? "native, zero-copy" : "native, with a copy",
        "use packet:" + it.name() + ", which is as fast as generic mode or faster");
  }

  private static Finding program(NetInterface it, AttachedProgram program) {
    String name = "XDP program on " + it.name();
    String what =
        "%s, id %d, %s, processes %s"
            .formatted(
                program.name().isEmpty() ? "unnamed" : program.name(),
                program.id(),
                program.mode(),
                program.processes());
    if (!program.isStale()) {
      return Finding.ok(name, what);
    }
    String mode = program.mode() == XdpMode.GENERIC ? "xdpgeneric" : "xdpdrv";
    return Finding.wrong(
            name,
            what + ": its process is gone",
            "sudo ip link set dev %s %s off, or open xdp:%s, which replaces it"
                .formatted(Fix.quoted(it.name()), mode, Fix.quoted(it.name())))
        .fixedBy("", "ip", "link", "set", "dev", it.name(), mode, "off");
  }

  /** What makes packets longer than the MTU out of several, or moves a part of them elsewhere. */
  private static Finding offloads(String name, InterfaceRequest request) {
    long flags = Math.max(0, request.ethtoolValue(InterfaceRequest.ETHTOOL_GFLAGS));
    List<String> on = new ArrayList<>();
    add(on, "gro", request.ethtoolValue(InterfaceRequest.ETHTOOL_GGRO) > 0);
    add(on, "lro", (flags & FLAG_LRO) != 0);
    add(on, "tso", request.ethtoolValue(InterfaceRequest.ETHTOOL_GTSO) > 0);
    add(on, "gso", request.ethtoolValue(InterfaceRequest.ETHTOOL_GGSO) > 0);
    String note = (flags & FLAG_RX_VLAN) != 0 ? "; rxvlan on: packet: restores tags" : "";
    return Finding.optional(
        on.isEmpty(),
        "offloads of " + name,
        (on.isEmpty() ? "none that joins packets" : String.join(", ", on) + ": join packets")
            + note,
        "when packets are longer than the MTU: sudo ethtool -K %s %s"
            .formatted(Fix.quoted(name), String.join(" off ", on) + " off"));
  }

  private static void add(List<String> names, String name, boolean isOn) {
    if (isOn) {
      names.add(name);
    }
  }
}
