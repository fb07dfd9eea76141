package io.linerate.apps.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The kernel: its version, what it can do, and what this process may do. */
record KernelExam(SystemFiles files) {
  /** Numbers of linux/capability.h, and what needs them. */
  private static final List<Capability> CAPABILITIES =
      List.of(
          new Capability("CAP_NET_ADMIN", 12),
          new Capability("CAP_NET_RAW", 13),
          new Capability("CAP_IPC_LOCK", 14),
          new Capability("CAP_SYS_ADMIN", 21),
          new Capability("CAP_BPF", 39));

  private record Capability(String name, int number) {}

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    findings.add(Finding.ok("kernel", release()));
    findings.add(socket("PACKET", "AF_PACKET"));
    findings.add(socket("XDP", "AF_XDP"));
    findings.add(
        Finding.optional(
                files.exists("dev/net/tun"),
                "TUN/TAP",
                yes(files.exists("dev/net/tun")),
                "sudo modprobe tun")
            .fixedBy("sudo modprobe -r tun", "modprobe", "tun"));
    findings.add(module("veth", "CONFIG_VETH"));
    findings.add(module("vfio-pci", "CONFIG_VFIO_PCI"));
    findings.add(iommu());
    findings.addAll(mayDo());
    return findings;
  }

  private Finding socket(String protocol, String name) {
    boolean there =
        files.lines("proc/net/protocols").stream()
            .anyMatch(line -> line.startsWith(protocol + " "));
    return Finding.optional(there, name + " sockets", yes(there), "use a kernel with " + name);
  }

  /** A module: part of the kernel, loaded, or ready to be loaded. */
  private Finding module(String name, String option) {
    if (kernelConfig().contains(option + "=y")) {
      return Finding.ok("module " + name, "built in");
    }
    if (files.exists("sys/module/" + name.replace('-', '_'))) {
      return Finding.ok("module " + name, "loaded");
    }
    String folder = "lib/modules/" + release();
    boolean there =
        Stream.of("modules.builtin", "modules.dep")
            .flatMap(list -> files.lines(folder + "/" + list).stream())
            .anyMatch(line -> line.contains("/" + name + ".ko"));
    return there
        ? Finding.ok("module " + name, "can be loaded")
        : Finding.missing("module " + name, "not found", "use a kernel with " + option);
  }

  /** The lines of the kernel's own configuration, where it keeps one. */
  private List<String> kernelConfig() {
    List<String> own = files.unzippedLines("proc/config.gz");
    return own.isEmpty() ? files.lines("boot/config-" + release()) : own;
  }

  private String release() {
    return files.text("proc/sys/kernel/osrelease");
  }

  private Finding iommu() {
    int groups = files.names("sys/kernel/iommu_groups").size();
    return Finding.optional(
        groups > 0,
        "IOMMU",
        groups > 0 ? groups + " groups" : "off",
        "switch it on in the BIOS and add intel_iommu=on or amd_iommu=on to the kernel's command"
            + " line");
  }

  private List<Finding> mayDo() {
    String mask =
        files.lines("proc/self/status").stream()
            .filter(line -> line.startsWith("CapEff:"))
            .map(line -> line.substring("CapEff:".length()).strip())
            .filter(text -> text.matches("[0-9a-f]{1,16}"))
            .findFirst()
            .orElse("0");
    long effective = Long.parseUnsignedLong(mask, 16);
    List<Finding> findings = new ArrayList<>();
    for (Capability it : CAPABILITIES) {
      boolean has = (effective >>> it.number & 1) != 0;
      findings.add(
          Finding.optional(has, it.name, yes(has), "run as root, or with this capability"));
    }
    return findings;
  }

  private static String yes(boolean yes) {
    return yes ? "yes" : "no";
  }
}
