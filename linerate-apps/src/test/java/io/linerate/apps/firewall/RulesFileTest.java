package io.linerate.apps.firewall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RulesFileTest {
  private final List<String> warnings = new ArrayList<>();

  private RuleSet parse(String text) {
    return RulesFile.parse("r", text, warnings::add);
  }

  @Test
  void shouldReadEveryForm() {
    RuleSet rules =
        parse(
            """
            # the ancestor's file has addresses only
            10.0.0.1
            \tPASS  192.168.1.77/24   TCP # one network
            drop fd00::1:2/64 58
            drop 0.0.0.0/0 255

            nonip pass
            default drop
            """);
    assertThat(rules.rules())
        .containsExactly(
            new Rule(2, "10.0.0.1", false, new Source(4, 0, 0x0A000001L, 32), -1),
            new Rule(3, "PASS  192.168.1.77/24   TCP", true, new Source(4, 0, 0xC0A80100L, 24), 6),
            new Rule(4, "drop fd00::1:2/64 58", false, new Source(6, 0xFD00L << 48, 0, 64), 58),
            new Rule(5, "drop 0.0.0.0/0 255", false, new Source(4, 0, 0, 0), 255));
    assertThat(rules.byDefault()).isEqualTo(new Policy(8, "default drop", false));
    assertThat(rules.nonIp()).isEqualTo(new Policy(7, "nonip pass", true));
    assertThat(warnings).isEmpty();
  }

  @Test
  void shouldPassIpAndDropTheRestWhenTheFileDoesNotSay() {
    RuleSet rules = parse("");
    assertThat(rules.byDefault().pass()).isTrue();
    assertThat(rules.nonIp().pass()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "drop|not a rule: line=drop;",
        "drop 10.0.0.1 tcp 80|not a rule: line=drop 10.0.0.1 tcp 80;",
        "allow 10.0.0.1|not a rule: line=allow 10.0.0.1;",
        "10.0.0.1 tcp|not a rule: line=10.0.0.1 tcp;",
        "example.org|not a rule: line=example.org;",
        "drop 10.0.0.256|10.0.0.256",
        "drop 10.0.0|10.0.0",
        "drop 10.0.0.1/33|not a prefix length: source=10.0.0.1/33; 0 to 32 is allowed",
        "drop 10.0.0.1/|not a prefix length: source=10.0.0.1/; 0 to 32 is allowed",
        "drop fd00::/129|not a prefix length: source=fd00::/129; 0 to 128 is allowed",
        "drop fe80::1%eth0|fe80::1%eth0",
        "drop fd00:::1|fd00:::1",
        "drop 10.0.0.1 tpc|no such protocol: protocol=tpc;",
        "drop 10.0.0.1 256|no such protocol: protocol=256;",
        "drop 10.0.0.1 -1|no such protocol: protocol=-1;",
        "default maybe|not a rule: line=default maybe; write default pass or default drop",
        "nonip|not a rule: line=nonip; write nonip pass or nonip drop",
      })
  void shouldNameFileAndLineOfWhatIsWrong(String line, String message) {
    assertThatThrownBy(() -> parse("# note\n10.0.0.1\n" + line + "\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("r:3: ")
        .hasMessageContaining(message);
  }

  @Test
  void shouldSayAllThatIsWrongAtOnce() {
    assertThatThrownBy(() -> parse("x\ndefault pass\ndefault drop\n"))
        .message()
        .contains("r:1: not a rule: line=x")
        .contains("r:3: default stands twice: line=default drop, first in line=2");
  }

  @Test
  void shouldWarnOfARuleThatCannotMatch() {
    parse("drop fd00::/8 icmp\ndrop fd00::/8 icmpv6\n");
    assertThat(warnings)
        .containsExactly("r:1: IPv6 has no icmp: rule=drop fd00::/8 icmp; icmpv6 may be meant");
  }

  @Test
  void shouldSayThatThereIsNoSuchFile() {
    assertThatThrownBy(() -> RulesFile.read(Path.of("/nonexistent/rules"), warnings::add))
        .isInstanceOf(ConfigException.class)
        .hasMessage("no such rules file: file=/nonexistent/rules; check the path");
  }
}
