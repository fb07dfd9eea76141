package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.systemtest.TcpTalk.Sent;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import io.linerate.track.ConnectionTable;
import io.linerate.track.ConnectionTracker;
import io.linerate.track.Relation;
import io.linerate.track.TrackSettings;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same packets go to the tracker of connections and through a kernel that tracks them: {@code
 * nf_conntrack}, told not to pick up connections from their middle. Its opinion of each packet is
 * in the packet when it comes out, where nftables writes it as the DSCP.
 */
class ConntrackTest {
  private static final String PREFIX = "lc" + ProcessHandle.current().pid();
  private static final String ENDS = PREFIX + "e";
  private static final String ROUTER = PREFIX + "r";

  /** As the DSCP. */
  private enum Opinion {
    LOST,
    INVALID,
    NEW,
    ESTABLISHED,
    RELATED
  }

  private static final String RULES =
      """
      table ip opinion {
        chain prerouting {
          type filter hook prerouting priority 0;
          ct state invalid ip dscp set 1
          ct state new ip dscp set 2
          ct state established ip dscp set 3
          ct state related ip dscp set 4
        }
      }
      """;

  /** Sends the frames of a file, and prints the DSCP that each has when it comes back. */
  private static final String EXCHANGE =
      """
      import socket, struct, sys, threading, time
      frames, data, at = [], open(sys.argv[1], 'rb').read(), 0
      while at < len(data):
          size, = struct.unpack_from('>H', data, at)
          frames.append(data[at + 2:at + 2 + size])
          at += 2 + size
      def opened(name):
          ends = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
          ends.bind((name, 0))
          return ends
      out, back = opened('in1'), opened('out1')
      back.setsockopt(socket.SOL_SOCKET, 33, 1 << 28)
      back.settimeout(3)
      known = {}
      def receive():
          while len(known) < len(frames):
              try:
                  frame, address = back.recvfrom(65535)
              except TimeoutError:
                  return
              if address[2] != socket.PACKET_OUTGOING and frame[12:14] == bytes([8, 0]):
                  known[frame[18:20]] = frame[15] >> 2
      receiver = threading.Thread(target=receive)
      receiver.start()
      for i, frame in enumerate(frames):
          out.send(frame)
          if i % 64 == 63:
              time.sleep(0.002)
      receiver.join()
      print(' '.join(str(known.get(frame[18:20], 0)) for frame in frames))
      """;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "nft", "python3", "sysctl");
  }

  /** What the kernel thinks of each packet. */
  private List<Opinion> kernels(List<Sent> packets) throws IOException {
    Path frames = folder.resolve("frames");
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(frames))) {
      for (Sent packet : packets) {
        out.writeShort(packet.frame().length);
        out.write(packet.frame());
      }
    }
    try {
      makeRouter();
      List<String> command =
          Command.in(ENDS, List.of("python3", "-c", EXCHANGE, frames.toString()));
      String printed = Command.run(command.toArray(new String[0]));
      List<Opinion> opinions = new ArrayList<>();
      for (String dscp : printed.strip().split(" ", -1)) {
        opinions.add(Opinion.values()[Integer.parseInt(dscp)]);
      }
      return opinions;
    } finally {
      Command.status("ip", "netns", "delete", ENDS);
      Command.status("ip", "netns", "delete", ROUTER);
    }
  }

  private void makeRouter() {
    run("ip netns add " + ENDS);
    run("ip netns add " + ROUTER);
    for (String name : List.of("in", "out")) {
      String near = name + "0";
      String far = name + "1";
      ip(ENDS, "link add " + far + " type veth peer name " + near + " netns " + ROUTER);
      in(ENDS, "sysctl -qw net.ipv6.conf." + far + ".disable_ipv6=1");
      ip(ENDS, "link set " + far + " up");
      ip(ROUTER, "link set " + near + " address 02:00:00:00:00:01");
      ip(ROUTER, "link set " + near + " up");
    }
    in(ROUTER, "nft -f " + Lab.write(folder.resolve("rules"), RULES));
    in(
        ROUTER,
        "sysctl -qw net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=0"
            + " net.ipv4.conf.in0.rp_filter=0 net.netfilter.nf_conntrack_tcp_loose=0");
    ip(ROUTER, "address add 192.0.2.1/24 dev out0");
    ip(ROUTER, "neighbor add 192.0.2.2 lladdr 02:00:00:00:00:02 dev out0 nud permanent");
    ip(ROUTER, "route add default via 192.0.2.2");
  }

  private static void run(String words) {
    Command.run(words.split(" ", -1));
  }

  /** In the network namespace of the ends, or of the router. */
  private static void ip(String namespace, String words) {
    run("ip -n " + namespace + " " + words);
  }

  private static void in(String namespace, String words) {
    run("ip netns exec " + namespace + " " + words);
  }

  /** What the tracker thinks, with every connection admitted; as the kernel says it. */
  private static List<Opinion> ours(List<Sent> sent) {
    ConnectionTable table = new ConnectionTable(4_096, 0, new SplittableRandom(1));
    ConnectionTracker tracker = new ConnectionTracker(table, TrackSettings.DEFAULT);
    List<Opinion> opinions = new ArrayList<>();
    try (Packets packets = new Packets()) {
      for (Sent one : sent) {
        Packet packet = packets.of(one.frame());
        tracker.lookUp(packets.burst());
        Relation relation = tracker.track(packet, 0);
        if (relation == Relation.NEW) {
          tracker.admit(0);
        }
        opinions.add(opinion(relation, tracker, table));
      }
    }
    return opinions;
  }

  /** A connection is new to the kernel until something has come back. */
  private static Opinion opinion(
      Relation relation, ConnectionTracker tracker, ConnectionTable table) {
    return switch (relation) {
      case NEW -> Opinion.NEW;
      case RELATED -> Opinion.RELATED;
      case ESTABLISHED ->
          table.records().isReplied(tracker.place() >>> 1) ? Opinion.ESTABLISHED : Opinion.NEW;
      case INVALID, UNTRACKED -> Opinion.INVALID;
    };
  }

  @Test
  @Tag("sampled")
  void shouldThinkOfConversationsWhatTheKernelThinks() throws IOException {
    for (int round = Soak.times(1, 50); round > 0; round--) {
      List<Sent> sent = new TcpTalk(Soak.seed(round), false).talks(500);
      assertThat(ours(sent)).containsExactlyElementsOf(kernels(sent)).contains(Opinion.NEW);
    }
  }

  /**
   * Of packets that no end sends the two may think differently: the kernel lets pass some that ends
   * throw away. But none that an end sends is refused before the two have parted.
   */
  @Test
  @Tag("sampled")
  void shouldRefuseNothingThatEndsSend() throws IOException {
    for (int round = Soak.times(1, 50); round > 0; round--) {
      List<Sent> sent = new TcpTalk(Soak.seed(100 + round), true).talks(500);
      List<Opinion> ours = ours(sent);
      List<Opinion> kernels = kernels(sent);
      assertThat(kernels).doesNotContain(Opinion.LOST);
      Set<Integer> parted = new HashSet<>();
      Set<Integer> answered = new HashSet<>();
      int equal = 0;
      for (int i = 0; i < sent.size(); i++) {
        Sent packet = sent.get(i);
        boolean isRefused = ours.get(i) == Opinion.INVALID;
        boolean isEqual = isRefused == (kernels.get(i) == Opinion.INVALID);
        equal += isEqual ? 1 : 0;
        if (!isEqual && parted.add(packet.talk())) {
          assertThat(isExplained(packet.what(), isRefused))
              .as(() -> story(sent, packet, kernels, ours))
              .isTrue();
        }
        boolean begins = ours.get(i) == Opinion.NEW && answered.contains(packet.talk());
        if (!isRefused && (packet.has(TcpTalk.RST) || begins)) {
          parted.add(packet.talk()); // What follows is of another connection, or of none.
        }
        if (ours.get(i) == Opinion.ESTABLISHED) {
          answered.add(packet.talk());
        }
      }
      assertThat(equal).isGreaterThan(sent.size() * 8 / 10);
    }
  }

  /** The packets of a conversation up to this one, with what was thought of each. */
  private static String story(
      List<Sent> sent, Sent last, List<Opinion> kernels, List<Opinion> ours) {
    return IntStream.rangeClosed(0, sent.indexOf(last))
        .filter(i -> sent.get(i).talk() == last.talk())
        .mapToObj(i ->
            "%s %s: kernel %s, ours %s"
                .formatted(
                    HexFormat.of().formatHex(sent.get(i).frame(), 26, 54),
                    sent.get(i).what(),
                    kernels.get(i),
                    ours.get(i)))
        .collect(Collectors.joining("\n", "\n", "\n"));
  }

  private static boolean isExplained(String what, boolean isRefused) {
    if (isRefused) {
      // Sequence and acknowledgment numbers, and RST, outside the windows; an acknowledgment of a
      // SYN that was not sent: the kernel has them pass and changes nothing.
      return !what.isEmpty();
    }
    // When the kernel has believed the first of two answers of a server, or a SYN that the server
    // has not sent, it refuses what the ends send, and what is near that. A SYN on a connection
    // that is over begins another here. But nothing answers for an end that has not asked, and
    // nothing ends a connection that does not have the right number.
    return !what.startsWith("synack") && !what.startsWith("rst");
  }
}
