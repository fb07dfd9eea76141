package io.linerate.middlebox.firewall;

import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.middlebox.firewall.RuleBook.Line;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RulesFile;
import io.linerate.testkit.graph.ElementHarness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleBookTest {
  @TempDir Path folder;

  private RuleBook book(String text) throws Exception {
    Path file = folder.resolve("rules");
    Files.writeString(file, text);
    return RuleBook.read(file, List.of(), warning -> {});
  }

  private static List<String> texts(RuleBook book) {
    return book.lines().stream().map(Line::rule).toList();
  }

  @Test
  void shouldAddARuleWhereItIsAskedFor() throws Exception {
    RuleBook book = book("drop 10.0.0.1\ndrop 10.0.0.2\n");
    book.add("pass 10.0.0.3 udp", OptionalInt.empty());
    book.add("10.0.0.4", OptionalInt.of(0));

    assertThat(texts(book))
        .containsExactly(
            "10.0.0.4",
            "drop 10.0.0.1",
            "drop 10.0.0.2",
            "pass 10.0.0.3 udp",
            "default pass",
            "nonip drop");
    assertThat(book.lines().stream().map(Line::line)).containsExactly(0, 1, 2, 0, 0, 0);
  }

  @Test
  void shouldRemoveARuleOnlyIfItIsTheOneThatIsMeant() throws Exception {
    RuleBook book = book("drop 10.0.0.1\ndrop 10.0.0.2\n");

    assertThat(book.remove(0, "drop 10.0.0.2")).isFalse();
    assertThat(book.remove(2, "default pass")).isFalse();
    assertThat(book.remove(0, "drop 10.0.0.1")).isTrue();
    assertThat(texts(book)).startsWith("drop 10.0.0.2");
  }

  @Test
  void shouldKeepTheHitsOfRulesThatStay() throws Exception {
    RuleBook book = book("drop 10.0.0.1\ndrop 10.0.0.2\ndrop 10.0.0.2\n");
    RuleCounts counts = book.newCounts();
    for (int i = 0; i < 5; i++) {
      counts.hits().add(i, 1L + i);
    }
    book.add("drop 10.0.0.9", OptionalInt.of(1));
    List<Long> beforeTheWorkerSawIt = book.lines().stream().map(Line::hits).toList();
    counts.adopt(book.edition());

    assertThat(beforeTheWorkerSawIt).containsExactly(1L, 0L, 2L, 3L, 4L, 5L);
    assertThat(book.lines().stream().map(Line::hits)).isEqualTo(beforeTheWorkerSawIt);
  }

  @Test
  void shouldReadItsFileAgainOrKeepWhatItHas() throws Exception {
    RuleBook book = book("drop 10.0.0.1\n");
    book("drop 10.0.0.1\ndrop 10.0.0.2\n");
    book.reload();
    assertThat(texts(book)).startsWith("drop 10.0.0.1", "drop 10.0.0.2");

    book = book("drop 10.0.0.1\n");
    Files.writeString(folder.resolve("rules"), "nonsense\n");
    assertThatThrownBy(book::reload).isInstanceOf(ConfigException.class);
    assertThat(texts(book)).startsWith("drop 10.0.0.1");
  }

  @Test
  void shouldRefuseWhatIsNotOneRule() throws Exception {
    RuleBook book = book("drop 10.0.0.1\n");
    for (String text :
        List.of(
            "",
            "# nothing",
            "pas 10.0.0.1",
            "drop 10.0.0.1\ndrop 10.0.0.2",
            "drop 300.0.0.1",
            "x y")) {
      assertThatThrownBy(() -> book.add(text, OptionalInt.empty()))
          .as(text)
          .isInstanceOf(ConfigException.class);
    }
    assertThat(book.lines()).hasSize(3);
  }

  /** One line would open the firewall, or close it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "default pass",
        "default drop # all",
        "default reject",
        "nonip pass",
        "inner on",
        "set a = 10.0.0.1"
      })
  void shouldNotAddWhatIsAboutAllPackets(String text) throws Exception {
    RuleBook book = book("reject 10.0.0.1\n");
    assertThatThrownBy(() -> book.add(text, OptionalInt.empty()))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "not one rule, but for all of them: line="
                + text
                + "; change it where the rules are written, and reload");
    book.add("nonip pass arp", OptionalInt.empty());
    assertThat(texts(book))
        .containsExactly("reject 10.0.0.1", "nonip pass arp", "default pass", "nonip drop");
  }

  /** Where it costs packets nothing, what tells senders is there from the start on. */
  @Test
  void shouldAddRulesThatRejectWhereSendersCanBeTold() throws Exception {
    Direction out = new Direction("lan", "wan");
    RuleBook book = RuleBook.of(RulesFile.parse("f", "drop 10.0.0.1", _ -> {}), List.of(out));
    assertThatThrownBy(() -> book.add("reject udp", OptionalInt.empty()))
        .hasMessageContaining("nobody can be told");
    try (var filter = new ElementHarness(new RuleFilter(book, out, true, Optional.empty()))) {
      book.add("reject udp", OptionalInt.empty());
      filter.push(udp4().between("10.0.0.2", "192.0.2.1").ports(1, 2));
      filter.push(udp4().between("10.0.0.1", "192.0.2.1").ports(1, 2));
      assertThat(filter.out("rejected")).hasSize(1);
      assertThat(filter.drops()).containsEntry("rule", 1L);
    }
  }

  @Test
  void shouldKnowTheSetsOfTheFileInRulesThatAreAdded() throws Exception {
    RuleBook book = book("set lan = 10.0.0.0/8, 192.168.0.0/16\ndrop 10.0.0.1\n");
    book.add("pass @lan tcp", OptionalInt.empty());
    assertThat(texts(book)).contains("pass @lan tcp");
    book.remove(0, "drop 10.0.0.1");
    book.add("drop from !@lan", OptionalInt.empty());
    assertThatThrownBy(() -> book.add("drop @dmz", OptionalInt.empty()))
        .hasMessage("rule:1: no such set: name=@dmz; define it above: set dmz = VALUE, ...");
  }

  /** What a firewall has, it has from its start on. */
  @Test
  void shouldRefuseRulesThatNeedWhatTheFirewallHasNot() throws Exception {
    RuleBook book = book("drop 10.0.0.1\n");
    for (List<String> refused :
        List.of(
            List.of("drop tcp port 80", "fragments are not put together, since no rule asked"),
            List.of("pass state new", "connections are not tracked, since no rule asked"),
            List.of("reject 10.0.0.1", "nobody can be told, since no rule rejected"),
            List.of("drop in wan", "no such port: port=wan"))) {
      assertThatThrownBy(() -> book.add(refused.getFirst(), OptionalInt.empty()))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(refused.getLast())
          .hasMessageContaining("rule=" + refused.getFirst());
    }
    assertThat(texts(book)).containsExactly("drop 10.0.0.1", "default pass", "nonip drop");
    book("default reject\n");
    assertThatThrownBy(book::reload)
        .hasMessageContaining("nobody can be told, since no rule rejected at the start");
    RuleBook able = book("pass state established\ndrop tcp port 80\n");
    able.add("drop udp port 53 state new", OptionalInt.empty());
    assertThat(able.lines()).hasSize(5);
  }
}
