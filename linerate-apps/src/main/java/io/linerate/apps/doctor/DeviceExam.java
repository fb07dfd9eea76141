package io.linerate.apps.doctor;

import java.util.ArrayList;
import java.util.List;

/** Network devices on PCI, with their drivers. */
record DeviceExam(SystemFiles files) {
  private static final String PCI = "sys/bus/pci/devices";

  /** The class of network controllers: the first byte of three. */
  private static final String NETWORK_CLASS = "0x02";

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    for (String address : files.names(PCI)) {
      if (files.text(PCI + "/" + address + "/class").startsWith(NETWORK_CLASS)) {
        findings.add(device(address));
      }
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.missing(
              "PCI network devices", "none", "use virtual devices, such as dpdk:net_tap0"));
    }
    return findings;
  }

  private Finding device(String address) {
    String folder = PCI + "/" + address;
    String driver = files.linkName(folder + "/driver");
    String what =
        files.text(folder + "/vendor")
            + ":"
            + files.text(folder + "/device")
            + ", socket "
            + files.number(folder + "/numa_node", -1);
    return Finding.optional(
        !driver.isEmpty(),
        "device " + address,
        what + ", driver " + (driver.isEmpty() ? "none" : driver),
        "sudo dpdk-devbind.py --bind=vfio-pci " + address);
  }
}
