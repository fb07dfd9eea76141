package io.linerate.apps.doctor;

import io.linerate.core.port.PortProvider;
import io.linerate.driver.dpdk.DpdkStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** The JDK, DPDK's libraries, and the drivers of our own. */
record SoftwareExam(SystemFiles files) {
  private static final int JDK = 25;
  private static final String EAL = "librte_eal.so.";
  private static final List<String> LIBRARY_FOLDERS =
      List.of(
          "usr/lib/x86_64-linux-gnu",
          "usr/lib/aarch64-linux-gnu",
          "usr/local/lib/x86_64-linux-gnu",
          "usr/local/lib/aarch64-linux-gnu",
          "usr/local/lib64",
          "usr/local/lib",
          "usr/lib64",
          "usr/lib");

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    findings.add(jdk());
    findings.add(ports());
    findings.add(dpdk());
    return findings;
  }

  private static Finding jdk() {
    Runtime.Version version = Runtime.version();
    String value = version + ", " + System.getProperty("java.home");
    return version.feature() >= JDK
        ? Finding.ok("JDK", value)
        : Finding.wrong("JDK", value, "install JDK 25 or newer, and set JAVA_HOME");
  }

  private static Finding ports() {
    TreeSet<String> schemes = new TreeSet<>();
    for (PortProvider provider : ServiceLoader.load(PortProvider.class)) {
      schemes.add(provider.scheme() + ":");
      provider.close();
    }
    return schemes.isEmpty()
        ? Finding.wrong("ports", "no driver", "put all jars of target/lib on the class path")
        : Finding.ok("ports", String.join(" ", schemes));
  }

  private Finding dpdk() {
    DpdkStatus status = DpdkStatus.check();
    String libraries = libraries();
    if (status.problem().isEmpty()) {
      return Finding.ok("DPDK", status.release() + ", shim loaded, libraries " + libraries);
    }
    if (libraries.isEmpty()) {
      return Finding.missing(
              "DPDK", "not installed", "sudo apt-get install libdpdk-dev dpdk, and build again")
          .fixedBy(
              "sudo apt-get remove libdpdk-dev dpdk",
              "apt-get",
              "install",
              "-y",
              "--no-install-recommends",
              "libdpdk-dev",
              "dpdk");
    }
    String problem = status.problem();
    int remedy = problem.lastIndexOf("; ");
    return Finding.missing(
        "DPDK",
        "libraries " + libraries + ", " + (remedy < 0 ? problem : problem.substring(0, remedy)),
        remedy < 0 ? "build again" : problem.substring(remedy + 2));
  }

  /** Where they are and which ABI they have, or "". */
  private String libraries() {
    for (String folder : LIBRARY_FOLDERS) {
      for (String name : files.names(folder)) {
        if (name.startsWith(EAL)) {
          return "ABI " + name.substring(EAL.length()) + " in /" + folder;
        }
      }
    }
    return "";
  }
}
