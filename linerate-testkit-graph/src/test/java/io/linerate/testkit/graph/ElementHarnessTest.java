package io.linerate.testkit.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.graph.Element;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Tee;
import io.linerate.graph.element.ToPort;
import org.junit.jupiter.api.Test;

/** What the tests of the standard elements do not show. */
class ElementHarnessTest {
  private static final byte[] FRAME = {1, 2, 3};

  @Test
  void shouldBeThePortsOfElementsThatHaveSome() {
    try (var from = new ElementHarness(new FromPort("eth0"));
        var to = new ElementHarness(new ToPort("eth1"))) {
      from.receive("eth0", FRAME);
      assertThat(from.out("out")).containsExactly(FRAME);
      to.push(FRAME);
      assertThat(to.transmitted("eth1")).containsExactly(FRAME);
      assertThat(to.counts().packetsOut()).isEqualTo(1);
    }
  }

  @Test
  void shouldCountPacketsAsSentThatLeaveByAnOutputWhichNobodyReads() {
    try (var harness = new ElementHarness(new Counter()).disconnect("out")) {
      harness.push(FRAME);
      assertThat(harness.counts().packetsOut()).isEqualTo(1);
      assertThat(harness.out("out")).isEmpty();
    }
  }

  @Test
  void shouldRefuseWhatTheElementHasNot() {
    assertThatThrownBy(() -> new ElementHarness(new Tee(0)).close())
        .isInstanceOf(ConfigException.class)
        .hasMessage("number out of range: copies=0; write 1 to 63");
    try (var harness = new ElementHarness(new Counter())) {
      assertThatThrownBy(() -> harness.out("none"))
          .hasMessage("element has no such input or output: name=none; it has out");
      assertThatThrownBy(() -> harness.disconnect("none"))
          .hasMessage("element has no such input or output: name=none; it has out");
      assertThatThrownBy(() -> harness.pushTo("none", FRAME))
          .hasMessage("element has no such input or output: name=none; it has in");
      assertThatThrownBy(() -> harness.read("none")).isInstanceOf(ConfigException.class);
    }
  }

  /** Throws at each packet. */
  private record Broken() implements Element {
    @Override
    public void open(Wiring wiring) {
      wiring.output("out");
      wiring.input(
          "in",
          burst -> {
            throw new IllegalStateException("wanted");
          });
    }
  }

  @Test
  void shouldFailWithItsElementUnlessTheTestAsks() {
    ElementHarness harness = new ElementHarness(new Broken());
    harness.push(FRAME);
    assertThat(harness.out("out")).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(harness::close)
        .withMessageContaining("element failed")
        .withMessageContaining("wanted");
    try (var asked = new ElementHarness(new Broken())) {
      asked.push(FRAME);
      assertThat(asked.failure()).hasValueSatisfying(text -> assertThat(text).contains("wanted"));
      assertThat(asked.drops()).containsOnlyKeys("handler_error");
    }
  }
}
