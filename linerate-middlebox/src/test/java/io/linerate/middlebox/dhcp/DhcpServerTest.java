package io.linerate.middlebox.dhcp;

import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Ipv4Address;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Offsets in messages are those of RFC 2131, section 2; options are of RFC 2132. */
class DhcpServerTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final String MAC = "02:00:00:00:00:01";
  private static final String OWN = "10.0.0.1";
  private static final int MESSAGE = 14 + 20 + 8;

  private static final int DISCOVER = 1;
  private static final int OFFER = 2;
  private static final int REQUEST = 3;
  private static final int DECLINE = 4;
  private static final int ACK = 5;
  private static final int NAK = 6;
  private static final int RELEASE = 7;
  private static final int INFORM = 8;

  private static final int WANTED = 50;
  private static final int TYPE = 53;
  private static final int SERVER = 54;
  private static final int CLIENT = 61;

  private static DhcpSettings settings(List<String> dns, int leaseMinutes) {
    return new DhcpSettings(
        OWN + "/24", "10.0.0.2", "10.0.0.9", dns, Duration.ofMinutes(leaseMinutes));
  }

  private static DhcpServer server(String first, String last) {
    return new DhcpServer(
        MAC,
        new DhcpSettings(OWN + "/24", first, last, List.of("192.0.2.53"), Duration.ofMinutes(10)));
  }

  /** A question of a client, by the last byte of its Ethernet address. */
  private static final class Question {
    private final byte[] head = new byte[240];
    private final ByteArrayOutputStream options = new ByteArrayOutputStream();
    private String from = "0.0.0.0";
    private String to = "255.255.255.255";

    Question(int client, int type) {
      head[0] = 1;
      head[1] = 1;
      head[2] = 6;
      head[4] = 0x55;
      head[28] = 2;
      head[33] = (byte) client;
      System.arraycopy(new byte[] {0x63, (byte) 0x82, 0x53, 0x63}, 0, head, 236, 4);
      option(TYPE, type);
    }

    Question option(int code, int... value) {
      options.write(code);
      options.write(value.length);
      for (int one : value) {
        options.write(one);
      }
      return this;
    }

    Question address(int code, String address) {
      options.write(code);
      options.write(4);
      options.writeBytes(FrameBuilder.address(address));
      return this;
    }

    /** It has an address, and asks by that. */
    Question of(String address) {
      from = address;
      to = OWN;
      return at(12, FrameBuilder.address(address));
    }

    Question at(int offset, byte... bytes) {
      System.arraycopy(bytes, 0, head, offset, bytes.length);
      return this;
    }

    FrameBuilder frame() {
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      message.writeBytes(head);
      message.writeBytes(options.toByteArray());
      message.write(255);
      return udp4().between(from, to).ports(68, 67).payload(message.toByteArray());
    }
  }

  /** The type of the only answer, to whom it goes on both layers, and the address in it. */
  private static String ask(ElementHarness dhcp, Question question) {
    dhcp.push(question.frame());
    Packet packet = dhcp.packet("out");
    HeaderScanner scanner = new HeaderScanner();
    assertThat(scanner.scan(packet)).isTrue();
    assertThat(InternetChecksum.verifyIpv4Header(packet, scanner.l3Offset())).isTrue();
    assertThat(InternetChecksum.verify(packet, scanner)).isTrue();
    assertThat(packet.i32(MESSAGE + 4)).isEqualTo(0x5500_0000);
    return "%d %s %s"
        .formatted(
            options(packet).get(TYPE)[0],
            packet.u8(0) == 0xff ? "all" : Ipv4Address.format(packet.i32(30)),
            Ipv4Address.format(packet.i32(MESSAGE + 16)));
  }

  private static Map<Integer, int[]> options(Packet packet) {
    Map<Integer, int[]> options = new HashMap<>();
    int at = MESSAGE + 240;
    while (packet.u8(at) != 255) {
      int[] value = new int[packet.u8(at + 1)];
      for (int i = 0; i < value.length; i++) {
        value[i] = packet.u8(at + 2 + i);
      }
      options.put(packet.u8(at), value);
      at += 2 + value.length;
    }
    return options;
  }

  @Test
  void shouldOfferAnAddressAndGiveIt() {
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.100"))) {
      assertThat(ask(dhcp, new Question(5, DISCOVER))).isEqualTo(OFFER + " 10.0.0.100 10.0.0.100");
      Question taken = new Question(5, REQUEST).address(WANTED, "10.0.0.100").address(SERVER, OWN);
      assertThat(ask(dhcp, taken)).isEqualTo(ACK + " 10.0.0.100 10.0.0.100");
      assertThat(dhcp.read("leases")).isEqualTo("1");
      assertThat(dhcp.read("table")).isEqualTo("10.0.0.100 02:00:00:00:00:05 600\n");
      assertThat(dhcp.drops()).containsOnly(Map.entry("consumed", 2L));
    }
  }

  @Test
  void shouldTellWhatAHostNeeds() {
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.199"))) {
      dhcp.push(new Question(5, DISCOVER).frame());
      Map<Integer, int[]> options = options(dhcp.packet("out"));
      assertThat(options.get(1)).containsExactly(255, 255, 255, 0);
      assertThat(options.get(3)).containsExactly(10, 0, 0, 1);
      assertThat(options.get(6)).containsExactly(192, 0, 2, 53);
      assertThat(options.get(51)).containsExactly(0, 0, 2, 88);
      assertThat(options.get(58)).containsExactly(0, 0, 1, 44);
      assertThat(options.get(59)).containsExactly(0, 0, 2, 13);
      assertThat(options.get(SERVER)).containsExactly(10, 0, 0, 1);
    }
  }

  /** RFC 2131, section 4.1: who cannot hear it otherwise. */
  @Test
  void shouldAnswerToAllWhereTheClientAsksForThat() {
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.100"))) {
      assertThat(ask(dhcp, new Question(5, DISCOVER).at(10, (byte) 0x80, (byte) 0)))
          .isEqualTo(OFFER + " all 10.0.0.100");
    }
  }

  @Test
  void shouldGiveAClientWhatItHadAndOtherClientsOthers() {
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.199"))) {
      String first = ask(dhcp, new Question(5, DISCOVER));
      assertThat(ask(dhcp, new Question(6, DISCOVER))).isNotEqualTo(first);
      assertThat(ask(dhcp, new Question(5, DISCOVER).option(CLIENT, 1, 2, 3))).isNotEqualTo(first);
      dhcp.advance(1_000 * SECOND_NS);
      assertThat(ask(dhcp, new Question(5, DISCOVER))).isEqualTo(first);
    }
  }

  @Test
  void shouldGiveTheAddressThatAClientWishesFor() {
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.199"))) {
      assertThat(ask(dhcp, new Question(5, DISCOVER).address(WANTED, "10.0.0.142")))
          .endsWith(" 10.0.0.142");
      assertThat(ask(dhcp, new Question(6, DISCOVER).address(WANTED, "10.0.0.142")))
          .doesNotEndWith(" 10.0.0.142");
      assertThat(ask(dhcp, new Question(7, DISCOVER).address(WANTED, "10.0.0.1")))
          .doesNotEndWith(" 10.0.0.1");
    }
  }

  /** RFC 2131, section 4.3.2: renewing, and rebooting where it no longer is. */
  @Test
  void shouldProlongALeaseAndRefuseOneThatCannotBe() {
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.199"))) {
      ask(dhcp, new Question(5, REQUEST).address(WANTED, "10.0.0.142"));
      dhcp.advance(300 * SECOND_NS);
      assertThat(ask(dhcp, new Question(5, REQUEST).of("10.0.0.142")))
          .isEqualTo(ACK + " 10.0.0.142 10.0.0.142");
      assertThat(dhcp.read("table")).endsWith(" 600\n");
      assertThat(ask(dhcp, new Question(6, REQUEST).address(WANTED, "10.0.0.142")))
          .isEqualTo(NAK + " all 0.0.0.0");
      assertThat(ask(dhcp, new Question(6, REQUEST).address(WANTED, "192.168.1.5")))
          .isEqualTo(NAK + " all 0.0.0.0");
    }
  }

  @Test
  void shouldGiveAddressesToOthersWhenTheyAreFree() {
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.100"))) {
      ask(dhcp, new Question(5, REQUEST).address(WANTED, "10.0.0.100"));
      dhcp.push(new Question(6, DISCOVER).frame());
      dhcp.expectNothing("out");
      assertThat(dhcp.drops()).containsEntry("no_address", 1L);
      dhcp.push(new Question(5, RELEASE).of("10.0.0.100").frame());
      assertThat(ask(dhcp, new Question(6, DISCOVER))).startsWith(OFFER + " ");
      dhcp.push(new Question(7, DISCOVER).frame());
      dhcp.expectNothing("out");
      dhcp.advance(61 * SECOND_NS);
      assertThat(dhcp.read("leases")).isEqualTo("0");
      assertThat(ask(dhcp, new Question(7, DISCOVER))).startsWith(OFFER + " ");
    }
  }

  /** Somebody has it who did not ask. */
  @Test
  void shouldKeepAnAddressThatIsInUseFromAllForTenMinutes() {
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.100"))) {
      ask(dhcp, new Question(5, REQUEST).address(WANTED, "10.0.0.100"));
      dhcp.push(new Question(6, DECLINE).address(WANTED, "10.0.0.100").frame());
      assertThat(dhcp.read("table")).contains("02:00:00:00:00:05");
      dhcp.push(new Question(5, DECLINE).address(WANTED, "10.0.0.100").frame());
      dhcp.push(new Question(5, DISCOVER).frame());
      dhcp.expectNothing("out");
      dhcp.advance(601 * SECOND_NS);
      assertThat(ask(dhcp, new Question(5, DISCOVER))).endsWith(" 10.0.0.100");
    }
  }

  @Test
  void shouldTellWhoHasAnAddressOfItsOwn() {
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.100"))) {
      assertThat(ask(dhcp, new Question(5, INFORM).of("10.0.0.7")))
          .isEqualTo(ACK + " 10.0.0.7 0.0.0.0");
      assertThat(dhcp.read("leases")).isEqualTo("0");
    }
  }

  @Test
  void shouldLeaveAloneWhatIsNotForIt() {
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.100"))) {
      FrameBuilder port = udp4().between(OWN, OWN).ports(68, 69).payload(300);
      FrameBuilder server = udp4().between(OWN, "192.0.2.7").ports(68, 67).payload(300);
      dhcp.push(port, server);
      dhcp.expect("rest", port, server);
      dhcp.push(new Question(5, REQUEST).address(SERVER, "10.0.0.9").frame());
      dhcp.push(new Question(5, DISCOVER).at(24, (byte) 10).frame());
      dhcp.push(new Question(5, DISCOVER).at(0, (byte) 2).frame());
      dhcp.push(new Question(5, INFORM).frame());
      dhcp.push(udp4().between("10.0.0.7", OWN).ports(68, 67).payload(300));
      dhcp.expectNothing("out");
      dhcp.expectNothing("rest");
      assertThat(dhcp.drops()).containsOnly(Map.entry("consumed", 1L), Map.entry("malformed", 4L));
    }
  }

  @Test
  void shouldSurviveEverything() {
    Random random = new Random(1);
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.103"))) {
      for (int i = 0; i < 20_000; i++) {
        Question question = new Question(random.nextInt(8), random.nextInt(10));
        for (int option = random.nextInt(4); option > 0; option--) {
          question.option(random.nextInt(256), random.ints(random.nextInt(6), 0, 256).toArray());
        }
        byte[] frame = question.frame().toBytes();
        for (int change = random.nextInt(3); change > 0; change--) {
          frame[MESSAGE + random.nextInt(frame.length - MESSAGE)] = (byte) random.nextInt();
        }
        frame[40] = 0;
        frame[41] = 0; // No checksum.
        dhcp.push(frame);
      }
      assertThat(dhcp.failure()).isEmpty();
      assertThat(Integer.parseInt(dhcp.read("leases"))).isBetween(0, 4);
    }
  }

  /** Who keeps one of very many in motion, and asks in ever other names, costs little. */
  @Test
  void shouldNotSearchAllAddressesForEachQuestion() {
    DhcpSettings settings =
        new DhcpSettings("10.0.0.1/15", "10.0.0.2", "10.1.0.1", List.of(), Duration.ofMinutes(10));
    Leases leases = new Leases(settings);
    for (int i = 0; i < DhcpSettings.MOST; i++) {
      assertThat(leases.offer("client" + i, Optional.empty(), 1)).isPresent();
    }
    assertThat(leases.size(1)).isEqualTo(DhcpSettings.MOST);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          for (int i = 0; i < 20_000; i++) {
            int had = leases.offer("client0", Optional.empty(), i).orElseThrow();
            leases.release("client0", had);
            assertThat(leases.offer("client0", Optional.empty(), i)).contains(had);
            assertThat(leases.offer("another" + i, Optional.empty(), i)).isEmpty();
          }
        });
  }

  @Test
  void shouldAnswerNoGroupOfHosts() {
    try (var dhcp = new ElementHarness(server("10.0.0.100", "10.0.0.100"))) {
      dhcp.push(new Question(5, DISCOVER).at(28, (byte) 0xff).frame());
      dhcp.expectNothing("out");
      assertThat(dhcp.drops()).containsOnly(Map.entry("malformed", 1L));
    }
  }

  @Test
  void shouldSayWhatIsWrongWithSettings() {
    assertThat(server("10.0.0.0", "10.0.0.0").problems()).as("the network").hasSize(1);
    assertThat(server("10.0.0.2", "10.0.0.255").problems()).as("all").hasSize(1);
    assertThat(DhcpSettings.of("10.0.0.1", "10.0.0.2", "10.0.0.9", List.of()).problems())
        .as("no prefix")
        .hasSize(1);
    assertThat(server("10.0.0.100", "10.0.0.99").problems().getFirst())
        .contains("first=10.0.0.100, last=10.0.0.99");
    assertThat(server("10.0.0.1", "10.0.0.99").problems()).hasSize(1);
    assertThat(server("10.0.0.2", "10.0.1.99").problems()).hasSize(1);
    assertThat(server("10.0.0.2", "x").problems()).hasSize(1);
    assertThat(server("10.0.0.2", "10.0.0.254").problems()).isEmpty();
    assertThat(settings(List.of("192.0.2.300"), 10).problems().getFirst()).startsWith("dns: ");
    assertThat(settings(Collections.nCopies(4, OWN), 10).problems().getFirst())
        .startsWith("too many servers of names: dns=");
    assertThat(settings(List.of(), 0).problems().getFirst())
        .isEqualTo("wrong lease: lease=PT0S; write a minute to a year");
  }
}
