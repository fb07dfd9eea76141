package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two hosts that leave to their cards what a kernel leaves to them where nobody says otherwise, and
 * send each other megabytes over TCP at the same time, through a firewall: what stands for many
 * packets passes as it is where it can, and is cut where it cannot.
 */
class SuperPacketsTest {
  private static final int MEGABYTES = 24;

  /** Sends back what it gets, to one client. */
  private static final String SERVER =
      """
      import socket
      listener = socket.create_server(('', 7007))
      print('ready', flush=True)
      peer, _ = listener.accept()
      while data := peer.recv(1 << 20):
          peer.sendall(data)
      """;

  /** Sends random bytes, and looks whether the same come back. */
  private static final String CLIENT =
      """
      import hashlib, random, socket, sys, threading, time
      data = random.Random(7).randbytes(%d << 20)
      for attempt in range(100):
          try:
              peer = socket.create_connection((sys.argv[1], 7007), timeout=1)
              break
          except OSError:
              time.sleep(0.1)
      peer.settimeout(60)
      def send():
          peer.sendall(data)
          peer.shutdown(socket.SHUT_WR)
      threading.Thread(target=send, daemon=True).start()
      come_back = hashlib.sha256()
      while part := peer.recv(1 << 20):
          come_back.update(part)
      print(come_back.hexdigest() == hashlib.sha256(data).hexdigest())
      """
          .formatted(MEGABYTES);

  /** Sends 50 times ten datagrams at once (UDP_SEGMENT of linux/udp.h), once it knows the way. */
  private static final String DATAGRAMS =
      """
      import socket, subprocess, time
      subprocess.run(['ping', '-c', '1', '-w', '30', '%1$s'], check=True, stdout=subprocess.DEVNULL)
      peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      peer.setsockopt(socket.IPPROTO_UDP, 103, 1200)
      for i in range(50):
          try:
              peer.sendto(bytes(12000), ('%1$s', 7008))
          except ConnectionRefusedError:
              pass
          time.sleep(0.005)
      time.sleep(1)
      """
          .formatted(Wire.SERVER_ADDRESS);

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ping", "python3");
  }

  @ParameterizedTest
  @CsvSource({
    "packet:left, packet:right, 1500",
    "packet:left, packet:right, 9000",
    "'xdp:left,mode=generic', packet:right, 1500",
    "'xdp:left,mode=generic', 'xdp:right,mode=generic', 1500",
    "'xdp:left,mode=generic', 'xdp:right,mode=generic', 9000",
  })
  void shouldPassBetweenPorts(String left, String right, int mtuBytes) {
    try (Wire wire = new Wire(Wire.Offloads.ALL, mtuBytes);
        Command firewall = startFirewall(wire, left, right, mtuBytes)) {
      Summary summary = echo(wire, firewall);
      requireSuperPackets(summary, mtuBytes);
      assertThat(summary.number("made")).as(summary.json()).isZero();
    }
  }

  /**
   * The kernel, too, sees what stands for several as one, with a checksum that is not there yet.
   */
  @Test
  void shouldPassFiltersInTheKernel() {
    String filter = "arp or icmp6 or (tcp port 7007 and tcp[0:2] + tcp[2:2] > 7007)";
    try (Wire wire = new Wire(Wire.Offloads.ALL);
        Command firewall = startFirewall(wire, "packet:left", "packet:right", 1_500, filter)) {
      Summary summary = echo(wire, firewall);
      requireSuperPackets(summary, 1_500);
      assertThat(summary.json()).contains("\"filteredByKernel\":true");
      assertThat(firewall.errors())
          .contains("; filter " + filter + ", in the kernel of left, right; Ctrl-C ends it");
    }
  }

  @Test
  void shouldPassFromATapPortAndBack() {
    try (Wire wire = new Wire(Wire.Offloads.ALL);
        Command firewall = startFirewall(wire, "tap:tap0", "packet:right", 1_500)) {
      wire.replace(wire.client, Wire.CLIENT_ADDRESS, "tap0");
      requireSuperPackets(echo(wire, firewall), 1_500);
    }
  }

  /** By net_tap, whose rte_gso is of software, but stands for a device. */
  @ParameterizedTest
  @CsvSource({"on", "off"})
  void shouldBeCutByTheDevice(String tso) {
    Lab.requireDpdk();
    String right = "dpdk:net_tap0,iface=tap0,tx-checksum=on,tso=" + tso;
    try (Wire wire = new Wire(Wire.Offloads.ALL);
        Command firewall = startFirewall(wire, "packet:left", right, 1_500)) {
      wire.replace(wire.server, Wire.SERVER_ADDRESS, "tap0");
      Summary summary = echo(wire, firewall);
      if (tso.equals("on")) {
        assertThat(summary.number("made")).as(summary.json()).isZero();
        assertThat(summary.received()).isLessThan(3L * (MEGABYTES << 20) / 1_500);
      } else {
        assertThat(summary.number("made")).as(summary.json()).isPositive();
      }
    }
  }

  /** Of one direction: in native mode none come. */
  @Test
  void shouldLeaveAnXdpPortWhole() {
    try (Wire wire = new Wire(Wire.Offloads.ALL);
        Command firewall = startFirewall(wire, "packet:left", "xdp:right", 1_500)) {
      Summary summary = echo(wire, firewall);
      assertThat(summary.number("made")).as(summary.json()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"xdp:left, xdp:right, 1500", "xdp:left, packet:right, 9000"})
  void shouldNotComeWhereTheKernelHasSwitchedThemOff(String left, String right, int mtuBytes) {
    try (Wire wire = new Wire(Wire.Offloads.ALL, mtuBytes);
        Command firewall = startFirewall(wire, left, right, mtuBytes)) {
      echo(wire, firewall);
    }
  }

  /** Two programs, and a trunk between them on which each packet has a tag. */
  @ParameterizedTest
  @CsvSource({"packet, packet", "packet, xdp", "xdp, xdp"})
  @Tag("soak")
  void shouldPassInsideVlanTags(String near, String far) {
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      wire.inMiddle("link add trunk0 type veth peer name trunk1");
      wire.inMiddle("link set trunk0 up");
      wire.inMiddle("link set trunk1 up");
      try (Command left = startRelay(wire, "packet:left", near + ":trunk0");
          Command right = startRelay(wire, "packet:right", far + ":trunk1")) {
        exchange(wire, Wire.SERVER_ADDRESS);
        for (Command relay : List.of(left, right)) {
          relay.terminate();
          assertThat(relay.awaitExit()).as(relay.output() + relay.errors()).isZero();
          assertThat(relay.output()).contains("\"dropped\":{");
          // The kernel's own multicasts are untagged, and stop at the trunk.
          assertThat(relay.output().replaceAll("untagged=\\d+", "")).contains("{}");
        }
        if (near.equals("packet")) {
          requireSuperPackets(new Summary(left.output()), 1_500);
        }
      }
    }
  }

  /**
   * AF_XDP does not say of how many bytes each datagram is: in generic mode they are refused, and
   * in native mode the kernel cuts them before.
   */
  @ParameterizedTest
  @CsvSource({"native, 0", "generic, 50"})
  void shouldCountDatagramsThatNobodyCanCut(String mode, long refused) {
    String options = ",mode=" + mode;
    try (Wire wire = new Wire(Wire.Offloads.ALL);
        Command firewall =
            startFirewall(wire, "xdp:left" + options, "xdp:right" + options, 1_500)) {
      assertThat(firewall.errors().contains("generic XDP")).isEqualTo(mode.equals("generic"));
      Command.run(
          Command.in(wire.client, List.of("python3", "-c", DATAGRAMS)).toArray(String[]::new));
      firewall.terminate();
      assertThat(firewall.awaitExit()).as(firewall.errors()).isZero();
      Summary summary = new Summary(firewall.output());
      assertThat(summary.droppedTotal()).as(summary.json()).isEqualTo(refused);
      assertThat(summary.dropped().keySet()).as(summary.json()).isSubsetOf("tx_too_long");
      assertThat(summary.sent()).as(summary.json()).isGreaterThanOrEqualTo(500 - 10 * refused);
    }
  }

  /**
   * The kernel cuts what is in a tunnel for no packet socket: the program does. Where none is told
   * of checksums that are left, it finds those inside.
   */
  @ParameterizedTest
  @CsvSource({
    "packet, 4, udpcsum",
    "packet, 4, noudpcsum",
    "packet, 6, udp6zerocsumrx",
    "xdp, 4, udpcsum",
    "xdp, 4, noudpcsum",
  })
  @Tag("soak")
  void shouldPassInTunnels(String kind, int ipVersion, String checksum) {
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      boolean isIpv4 = ipVersion == 4;
      addTunnel(wire.client, isIpv4, "1", "2", checksum);
      addTunnel(wire.server, isIpv4, "2", "1", checksum);
      try (Command firewall = startFirewall(wire, kind + ":left", kind + ":right", 1_500)) {
        Summary summary = echo(wire, firewall, "10.78.0.2");
        if (kind.equals("packet")) {
          requireSuperPackets(summary, 1_500);
          assertThat(summary.number("made")).as(summary.json()).isPositive();
        }
      }
    }
  }

  private static void addTunnel(
      String host, boolean isIpv4, String own, String other, String checksum) {
    String network = isIpv4 ? "10.77.0." : "fd77::";
    if (!isIpv4) {
      ip(host, "address add " + network + own + "/64 dev eth0 nodad");
    }
    String link =
        "link add tunnel0 type vxlan id 7 dev eth0 dstport 4789 local %s remote %s %s"
            .formatted(network + own, network + other, checksum);
    assumeTrue(isMade(host, link), "this kernel has no VXLAN");
    ip(host, "address add 10.78.0." + own + "/24 dev tunnel0");
    ip(host, "link set tunnel0 up");
  }

  private static boolean isMade(String host, String words) {
    return Command.status(ipCommand(host, words)) == 0;
  }

  private static void ip(String host, String words) {
    Command.run(ipCommand(host, words));
  }

  private static String[] ipCommand(String host, String words) {
    return ("ip -n " + host + " " + words).split(" ");
  }

  private static Command startRelay(Wire wire, String host, String trunk) {
    Command relay =
        Command.start(Command.in(wire.middle, Command.java(TagRelay.class, host, trunk)));
    relay.awaitError(text -> text.contains("ready"));
    return relay;
  }

  private Command startFirewall(Wire wire, String left, String right, int mtuBytes) {
    return startFirewall(wire, left, right, mtuBytes, "");
  }

  private Command startFirewall(Wire wire, String left, String right, int mtuBytes, String filter) {
    Path rules = Lab.write(folder.resolve("rules"), "nonip pass");
    Path config =
        Lab.write(
            folder.resolve("firewall.properties"),
            "ports=left=" + left + "; right=" + right,
            "rules=" + rules,
            "filter=" + filter,
            "mtu=" + mtuBytes);
    Command firewall =
        Command.start(
            Command.in(
                wire.middle,
                Command.linerate("firewall", config.toString(), "--json", "--stats", "200ms")));
    firewall.awaitError(text -> text.contains("received"));
    return firewall;
  }

  /** The hosts send each other megabytes, which come back as they were sent. */
  private static void exchange(Wire wire, String serverAddress) {
    try (Command server =
        Command.start(Command.in(wire.server, List.of("python3", "-c", SERVER)))) {
      List<String> client =
          Command.in(wire.client, List.of("python3", "-c", CLIENT, serverAddress));
      assertThat(Command.run(client.toArray(new String[0]))).isEqualTo("True\n");
      assertThat(server.awaitExit()).isZero();
    }
  }

  private static Summary echo(Wire wire, Command firewall) {
    return echo(wire, firewall, Wire.SERVER_ADDRESS);
  }

  private static Summary echo(Wire wire, Command firewall, String serverAddress) {
    exchange(wire, serverAddress);
    firewall.terminate();
    assertThat(firewall.awaitExit()).as(firewall.errors()).isZero();
    Summary summary = new Summary(firewall.output());
    // A tap device is down while it moves to its host, which net_tap calls full.
    assertThat(summary.dropped().keySet()).as(summary.json()).isSubsetOf("tx_link_down", "tx_full");
    assertThat(summary.received() + summary.number("made"))
        .as(summary.json())
        .isEqualTo(summary.sent() + summary.droppedTotal());
    return summary;
  }

  /** There were fewer packets than the bytes of both directions need at this MTU. */
  private static void requireSuperPackets(Summary summary, int mtuBytes) {
    long least = 2L * (MEGABYTES << 20) / mtuBytes;
    assertThat(summary.received()).as(summary.json()).isLessThan(least);
  }
}
