package io.linerate.apps.doctor;

import io.linerate.core.port.PortProvider;
import io.linerate.driver.dpdk.DpdkStatus;
import io.linerate.fabric.EndpointKind;
import io.linerate.fabric.Fabric;
import io.linerate.fabric.ProviderInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The JDK, DPDK's libraries, libfabric, and the drivers of our own. */
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
    findings.add(fabric());
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

  /** libfabric and its providers: nothing needs it but what is asked for at a fabric's address. */
  private static Finding fabric() {
    String problem = Fabric.problem();
    if (problem.isEmpty()) {
      String providers =
          Fabric.providers().stream()
              .filter(provider -> provider.kind() != EndpointKind.DATAGRAM)
              .map(ProviderInfo::name)
              .distinct()
              .sorted()
              .collect(Collectors.joining(" "));
      return Finding.ok("libfabric", Fabric.version() + ", providers " + providers);
    }
    if (problem.contains("no libfabric shim") || problem.contains("libfabric.so")) {
      return Finding.missing(
              "libfabric", "not installed", "sudo apt-get install libfabric-dev, and build again")
          .fixedBy(
              "sudo apt-get remove libfabric-dev",
              "apt-get",
              "install",
              "-y",
              "--no-install-recommends",
              "libfabric-dev");
    }
    int remedy = problem.lastIndexOf("; ");
    return Finding.missing(
        "libfabric", problem.substring(0, remedy), problem.substring(remedy + 2));
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
