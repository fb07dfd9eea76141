package io.linerate.systemtest;

import java.util.ArrayList;
import java.util.List;

/**
 * Two hosts and a middlebox between them, each in a network namespace: {@code client — middle —
 * server}, joined by two veth pairs. The middlebox's interfaces are {@link #LEFT} and {@link
 * #RIGHT}; whatever runs there must carry the frames.
 *
 * <p>By default the hosts leave to hardware that they do not have what hosts leave to hardware: see
 * {@link Offloads}.
 */
final class Wire implements AutoCloseable {
  /** What the hosts leave to their network cards. */
  enum Offloads {
    /** Everything that the kernel leaves to cards where nobody says otherwise. */
    ALL,
    /**
     * Nothing: packets are not longer than the MTU, and checksums complete. For a middlebox that
     * copies frames from card to card as they are.
     */
    NONE
  }

  static final String LEFT = "left";
  static final String RIGHT = "right";
  static final String CLIENT_ADDRESS = "10.77.0.1";
  static final String SERVER_ADDRESS = "10.77.0.2";

  private final String prefix = "lr" + ProcessHandle.current().pid();
  final String client = prefix + "c";
  final String middle = prefix + "m";
  final String server = prefix + "s";

  private final Offloads offloads;
  private final int mtuBytes;

  Wire(Offloads offloads) {
    this(offloads, 1_500);
  }

  Wire(Offloads offloads, int mtuBytes) {
    this.offloads = offloads;
    this.mtuBytes = mtuBytes;
    try {
      for (String namespace : new String[] {client, middle, server}) {
        Command.run("ip", "netns", "add", namespace);
      }
      joinClient();
      join(server, SERVER_ADDRESS, RIGHT);
    } catch (RuntimeException | AssertionError e) {
      close();
      throw e;
    }
  }

  /** Makes the client's cable, again if need be. */
  void joinClient() {
    join(client, CLIENT_ADDRESS, LEFT);
  }

  private void join(String host, String address, String interfaceInMiddle) {
    Command.run(
        "ip",
        "-n",
        host,
        "link",
        "add",
        "eth0",
        "type",
        "veth",
        "peer",
        "name",
        interfaceInMiddle,
        "netns",
        middle);
    if (offloads == Offloads.NONE) {
      ethtool(host, "eth0", "tx", "off", "tso", "off", "gso", "off", "gro", "off");
      ethtool(middle, interfaceInMiddle, "tx", "off", "gro", "off");
    }
    Command.run("ip", "-n", host, "link", "set", "eth0", "mtu", Integer.toString(mtuBytes));
    String peer = interfaceInMiddle;
    Command.run("ip", "-n", middle, "link", "set", peer, "mtu", Integer.toString(mtuBytes));
    Command.run("ip", "-n", host, "address", "add", address + "/24", "dev", "eth0");
    Command.run("ip", "-n", host, "link", "set", "lo", "up");
    Command.run("ip", "-n", host, "link", "set", "eth0", "up");
    Command.run("ip", "-n", middle, "link", "set", interfaceInMiddle, "up");
  }

  /** Gives a host other addresses, and a router of either version to all others. */
  static void addresses(
      String host, String address, String router, String address6, String router6) {
    Command.run("ip", "-n", host, "address", "flush", "dev", "eth0", "scope", "global");
    Command.run("ip", "-n", host, "address", "add", address + "/24", "dev", "eth0");
    Command.run("ip", "-n", host, "address", "add", address6 + "/64", "dev", "eth0", "nodad");
    Command.run("ip", "-n", host, "route", "add", "default", "via", router);
    Command.run("ip", "-n", host, "-6", "route", "add", "default", "via", router6);
  }

  /**
   * Gives a host another interface in place of that to the middle: one that a program there has
   * made.
   */
  void replace(String host, String address, String interfaceInMiddle) {
    Command.run("ip", "-n", host, "link", "delete", "eth0");
    Command.run(
        "ip", "-n", middle, "link", "set", interfaceInMiddle, "netns", host, "name", "eth0");
    Command.run("ip", "-n", host, "address", "add", address + "/24", "dev", "eth0");
    Command.run("ip", "-n", host, "link", "set", "eth0", "up");
  }

  /** Runs a program on the client, and returns what it says. */
  String outputOfClient(String... words) {
    return Command.run(Command.in(client, List.of(words)).toArray(new String[0]));
  }

  /** Runs a program on the client, and returns its exit status. */
  int statusOfClient(String... words) {
    return Command.status(Command.in(client, List.of(words)).toArray(new String[0]));
  }

  /** Runs {@code ip} in the middle, with these words. */
  void inMiddle(String words) {
    List<String> command = new ArrayList<>(List.of("ip", "-n", middle));
    command.addAll(List.of(words.split(" ")));
    Command.run(command.toArray(new String[0]));
  }

  private static void ethtool(String namespace, String netInterface, String... settings) {
    List<String> words = new ArrayList<>(List.of("ethtool", "-K", netInterface));
    words.addAll(List.of(settings));
    Command.run(Command.in(namespace, words).toArray(new String[0]));
  }

  /** Deletes the namespaces, and with them the interfaces. */
  @Override
  public void close() {
    for (String namespace : new String[] {client, middle, server}) {
      Command.status("ip", "netns", "delete", namespace);
    }
  }
}
