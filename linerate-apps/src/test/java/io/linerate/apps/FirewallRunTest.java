package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.linerate.apps.Frame.Kind;
import io.linerate.testkit.CommentedPacket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirewallRunTest {
  private static final String RULES =
      """
      pass 10.0.0.3 udp
      drop 10.0.0.2/31
      10.0.0.9
      drop 10.0.0.8/29 tcp
      pass fd00::5
      drop fd00::4/126 58
      drop fd00::/64 2
      drop 0.0.0.0/0 47
      nonip pass
      """;

  @TempDir Path folder;
  private Path in;
  private Path out;
  private Path config;

  @BeforeEach
  void prepare() throws IOException {
    in = folder.resolve("in.pcap");
    out = folder.resolve("out.pcap");
    Path rules = Files.writeString(folder.resolve("rules"), RULES);
    config =
        Files.writeString(
            folder.resolve("f.properties"),
            "ports=in=pcap:rx=%s; out=pcap:tx=%s\nrules=%s\n".formatted(in, out, rules));
  }

  /** The line of the rule that decides, 0 for the default: the rules above as Java. */
  private static int decidingLine(Frame frame) {
    int source = frame.source();
    int protocol = frame.protocol();
    if (frame.kind() == Kind.ARP) {
      return 9;
    }
    if (frame.kind() == Kind.IPV4) {
      if (source == 3 && protocol == 17) {
        return 1;
      }
      if (source == 2 || source == 3) {
        return 2;
      }
      if (source == 9) {
        return 3;
      }
      if (source >= 8 && protocol == 6) {
        return 4;
      }
      return protocol == 47 ? 8 : 0;
    }
    if (source == 5) {
      return 5;
    }
    if (source >= 4 && source <= 7 && protocol == 58) {
      return 6;
    }
    return protocol == 2 ? 7 : 0;
  }

  private static boolean passes(int line) {
    return line == 0 || line == 1 || line == 5 || line == 9;
  }

  @Test
  void shouldPassExactlyWhatTheRulesPass() throws IOException {
    List<Frame> frames = Frame.random(5_000, 42);
    PcapFile.write(in, frames.stream().map(Frame::bytes).toList());
    List<String> records = PcapFile.records(in);
    List<String> expected = new ArrayList<>();
    long[] hits = new long[10];
    long malformed = 0;
    for (int i = 0; i < frames.size(); i++) {
      if (frames.get(i).kind() == Kind.MALFORMED) {
        malformed++;
        continue;
      }
      int line = decidingLine(frames.get(i));
      hits[line]++;
      if (passes(line)) {
        expected.add(records.get(i));
      }
    }

    Run run = Run.of("firewall", config, "--json");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(PcapFile.records(out)).isEqualTo(expected);
    assertThat(run.number("received")).isEqualTo(frames.size());
    assertThat(run.number("sent")).isEqualTo(expected.size());
    assertThat(run.number("inFlight")).isZero();
    assertThat(run.dropped("malformed")).isEqualTo(malformed).isPositive();
    assertThat(run.dropped("rule")).isEqualTo(frames.size() - malformed - expected.size());
    for (JsonElement rule : run.json().getAsJsonArray("rules")) {
      int line = rule.getAsJsonObject().get("line").getAsInt();
      assertThat(rule.getAsJsonObject().get("hits").getAsLong()).isEqualTo(hits[line]).isPositive();
    }
  }

  @Test
  void shouldWriteWhatARuleDrops() throws IOException {
    PcapFile.write(in, List.of(Frame.udp(1, 64), Frame.udp(9, 64), new byte[10]));
    Path drops = folder.resolve("drops.pcapng");
    Run run = Run.of("firewall", config, "--write-drops", drops + ",element=rules0");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(CommentedPacket.read(drops))
        .extracting(CommentedPacket::comment)
        .containsExactly(
            "reason=rule, element=rules0, worker=0", "reason=malformed, element=rules0, worker=0");
    assertThat(CommentedPacket.read(drops).getFirst().bytes()).isEqualTo(Frame.udp(9, 64));
    Run refused = Run.of("firewall", config, "--write-drops", drops + ",element=rules");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("no such element: element=rules; there are in0, rules0");
  }

  @Test
  void shouldPrintExactlyTheJsonObjectThatIsPromised() throws IOException {
    PcapFile.write(in, List.of(Frame.udp(1, 64), Frame.udp(9, 64)));
    Run run = Run.of("firewall", config, "--json", "--set", "programname=wall");
    JsonObject json = run.json();
    assertThat(run.out().lines()).hasSize(1);
    assertThat(json.keySet())
        .containsExactly(
            "program",
            "durationSeconds",
            "ports",
            "received",
            "made",
            "takenOver",
            "sent",
            "dropped",
            "handedOver",
            "inFlight",
            "exceptions",
            "failures",
            "rules");
    assertThat(json.get("program").getAsString()).isEqualTo("wall");
    assertThat(json.get("durationSeconds").getAsDouble()).isPositive();
    assertThat(json.get("dropped")).hasToString("{\"rule\":1}");
    assertThat(json.getAsJsonArray("ports").get(0))
        .hasToString(
            ("{\"name\":\"in\",\"address\":\"pcap:rx=%s\",\"rxPackets\":2,\"rxBytes\":128,"
                    + "\"txPackets\":0,\"txBytes\":0,\"missed\":0,\"errors\":0}")
                .formatted(in));
    assertThat(json.getAsJsonArray("rules").get(2))
        .hasToString("{\"line\":3,\"rule\":\"10.0.0.9\",\"hits\":1}");
  }

  @Test
  void shouldCountWhatTheDefaultDrops() throws IOException {
    PcapFile.write(in, List.of(Frame.udp(1, 64), new byte[60]));
    Path rules = Files.writeString(folder.resolve("closed"), "default drop\n");
    Run run = Run.of("firewall", config, "--json", "--set", "rules=" + rules);
    assertThat(run.dropped("default_rule")).isEqualTo(1);
    assertThat(run.dropped("non_ip")).isEqualTo(1);
    assertThat(run.json().get("rules"))
        .hasToString("[{\"line\":1,\"rule\":\"default drop\",\"hits\":1}]");
  }

  @Test
  void shouldForwardBetweenSeveralPairsOnSeveralWorkers() throws IOException {
    List<byte[]> frames = Frame.random(2_000, 7).stream().map(Frame::bytes).toList();
    PcapFile.write(in, frames);
    Path back = PcapFile.write(folder.resolve("back.pcap"), frames.subList(0, 500));
    Path backOut = folder.resolve("back-out.pcap");
    Path pass = Files.writeString(folder.resolve("pass"), "nonip pass\n");
    String ports =
        "ports=a=pcap:rx=%s,tx=%s; b=pcap:rx=%s,tx=%s; c=ring:x; d=ring:x"
            .formatted(in, backOut, back, out);
    Run run;
    int durationMs = 70;
    do {
      durationMs *= 10; // Rings do not end, and how long the files take depends on the machine.
      run =
          Run.of(
              "firewall",
              config,
              "--json",
              "--set",
              "workers=2",
              "--set",
              "rules=" + pass,
              "--set",
              ports,
              "--set",
              "duration=" + durationMs + "ms");
    } while (durationMs < 60_000 && run.status() == 0 && run.number("received") < 2_500);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.number("received")).isEqualTo(2_500);
    assertThat(run.number("sent") + run.dropped("malformed")).isEqualTo(2_500);
    assertThat(PcapFile.records(out)).hasSizeGreaterThan(1_500);
    assertThat(PcapFile.records(backOut)).hasSizeBetween(300, 500);
  }

  @Test
  void shouldPassTheGoodPacketsOfADamagedFileAndFail() throws IOException {
    PcapFile.write(in, List.of(Frame.udp(1, 64), Frame.udp(1, 80), Frame.udp(1, 100)));
    byte[] bytes = Files.readAllBytes(in);
    List<String> good = PcapFile.records(in).subList(0, 2);
    Files.write(in, Arrays.copyOf(bytes, bytes.length - 10));
    Run run = Run.of("firewall", config, "--json");
    assertThat(run.status()).isEqualTo(1);
    assertThat(PcapFile.records(out)).isEqualTo(good);
    assertThat(run.number("sent")).isEqualTo(2);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).startsWith("linerate: ").contains(in.toString());
  }

  @Test
  void shouldPrintTheSummaryForPeople() throws IOException {
    PcapFile.write(in, List.of(Frame.udp(1, 64), Frame.udp(9, 64)));
    Run run = Run.of("firewall", config);
    assertThat(run.out())
        .startsWith("firewall: 2 received, 1 sent, 1 dropped, 0 in flight")
        .contains("1  10.0.0.9 (line 3)")
        .contains("1  default pass (not in the file)");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void shouldSayWhatIsWrongWithThePorts() throws IOException {
    PcapFile.write(in, List.of());
    assertThat(Run.of("firewall", config, "--set", "ports=a=ring:x"))
        .isEqualTo(
            new Run(
                2,
                "",
                "linerate: --set: odd number of ports (1): ports=a=ring:x; each port needs a peer\n"));
    Run deaf =
        Run.of("firewall", config, "--set", "ports=a=pcap:tx=" + out + "; b=pcap:tx=" + out + "2");
    assertThat(deaf.status()).isEqualTo(2);
    assertThat(deaf.err()).startsWith("linerate: --set: no port receives: ");
    Run mute = Run.of("firewall", config, "--set", "ports=a=pcap:rx=" + in + "; b=pcap:rx=" + in);
    assertThat(mute.status()).isEqualTo(2);
    assertThat(mute.err()).startsWith("linerate: --set: port cannot transmit (b)");
    Run blind =
        Run.of("firewall", config, "--set", "ports=a=dpdk:net_null0,vlan-strip=on; b=ring:x");
    assertThat(blind.status()).isEqualTo(2);
    assertThat(blind.err()).startsWith("linerate: --set: VLAN tags are taken off where nobody");
    Run unknown = Run.of("firewall", config, "--set", "ports=a=foo:1; b=ring:x");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).startsWith("linerate: no driver for the scheme: scheme=foo");
    Run missing = Run.of("firewall", config, "--set", "ports=a=pcap:rx=/nonexistent; b=ring:x");
    assertThat(missing.status()).isEqualTo(1);
    assertThat(missing.err()).startsWith("linerate: ").contains("/nonexistent").hasLineCount(1);
  }

  /** No packet of IPv4 comes where hosts are not found. */
  @Test
  void shouldWarnOfRulesThatDropArp() throws IOException {
    Path rules = folder.resolve("rules");
    String links = "ports=a=ring:a; b=ring:b";
    List<String> silent = List.of("nonip pass", "nonip pass arp", "nonip drop arp");
    for (String line : silent) {
      Files.writeString(rules, line + "\npass 10.0.0.1\n");
      assertThat(Run.of("firewall", "--check", config, "--set", links).err()).isEmpty();
    }
    for (String line : List.of("nonip drop", "nonip pass lldp", "pass 10.0.0.1")) {
      Files.writeString(rules, line + "\n");
      assertThat(Run.of("firewall", "--check", config, "--set", links).err())
          .isEqualTo(
              "linerate: warning: ARP is dropped, so that no hosts of IPv4 find each other: rules="
                  + rules
                  + "; write nonip pass arp, or nonip drop arp if that is meant\n");
      assertThat(Run.of("firewall", "--check", config).err()).isEmpty();
    }
  }

  @Test
  void shouldNameEachWordOfARuleInItsHelpAndOnItsPage() throws IOException {
    Files.writeString(folder.resolve("rules"), "drop xyzzy\n");
    String conditions = Run.of("firewall", config).err().replaceFirst("(?s).* or one of ", "");
    List<String> words =
        new ArrayList<>(List.of("pass", "drop", "reject", "set", "default", "nonip", "inner"));
    words.addAll(List.of(conditions.strip().split(" ", -1)));
    assertThat(words).contains("log", "ethertype", "by").hasSizeGreaterThan(20);
    String help = Run.of("firewall", "--help").out();
    String page = Files.readString(Path.of("..", "docs", "firewall.md"));
    for (String word : words) {
      assertThat(help).containsPattern("[ |\\[]" + word + "[ |,\\]]");
      assertThat(page).containsPattern("[`\n |\\[]" + word + "[` |\\]]");
    }
    assertThat(help).contains("docs/firewall.md");
  }

  @Test
  void shouldExplainRulesWithoutRunningThem() throws IOException {
    assertThat(Run.of("firewall", "--check", config.toString()).out())
        .contains("8 rules, then default pass, then nonip pass: 0 shadowed, 0 superfluous");
    Path rules =
        Files.writeString(
            folder.resolve("rules"),
            "drop 10.0.0.0/8\npass 10.1.2.3\ndrop 10.2.0.0/16\npass state new\n");
    Run run = Run.of("firewall", "--check", config.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains(
            rules
                + ":2: never decides: rule=pass 10.1.2.3; line 1 (drop 10.0.0.0/8) matches all of it"
                + " before, and does not pass: move this up, or remove it\n")
        .contains(rules + ":3: never decides: rule=drop 10.2.0.0/16; line 1 (drop 10.0.0.0/8)")
        .contains("connections: tracked");
    JsonObject found = Run.of("firewall", "--check", config.toString(), "--json").json();
    assertThat(found.getAsJsonArray("unreached")).hasSize(2);
    assertThat(found.get("tracksConnections").getAsBoolean()).isTrue();
    assertThat(out).doesNotExist();
  }
}
