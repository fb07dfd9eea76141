package io.linerate.apps.doctor;

import io.linerate.driver.pcap.libpcap.CaptureDevice;
import java.util.ArrayList;
import java.util.List;

/** Libpcap, and the devices that {@code libpcap:} ports can open. */
final class LibpcapExam {
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    String version = CaptureDevice.libraryVersion();
    findings.add(
        Finding.optional(
                !version.isEmpty(),
                "libpcap",
                version.isEmpty() ? "not installed" : version,
                "sudo apt-get install libpcap0.8")
            .fixedBy("sudo apt-get remove libpcap0.8", "apt-get", "install", "-y", "libpcap0.8"));
    CaptureDevice.all().forEach(device -> findings.add(device(device)));
    return findings;
  }

  private static Finding device(CaptureDevice device) {
    List<String> parts = new ArrayList<>();
    if (device.hasLink()) {
      parts.add(state(device));
    }
    add(parts, "link types ", device.isUp() ? device.linkTypes() : List.of());
    add(parts, "time stamps ", device.timestampTypes());
    if (!device.description().isEmpty()) {
      parts.add(device.description());
    }
    return Finding.ok("libpcap:" + device.name(), String.join(", ", parts));
  }

  private static String state(CaptureDevice device) {
    String state = device.isRunning() ? "running" : device.isUp() ? "up" : "down";
    return device.isLoopback() ? state + ", loopback" : state;
  }

  private static void add(List<String> parts, String what, List<String> names) {
    if (!names.isEmpty()) {
      parts.add(what + String.join(" ", names));
    }
  }
}
