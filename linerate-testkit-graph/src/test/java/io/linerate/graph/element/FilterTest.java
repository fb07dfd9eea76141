package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.filter.FilterException;
import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

class FilterTest {
  @Test
  void shouldPassOnWhatItAccepts() {
    try (var harness = new ElementHarness(new Filter("ether[0] = 1"))) {
      harness.push(new byte[] {1, 0}, new byte[] {2, 0}, new byte[] {1, 1}, new byte[0]);
      assertThat(harness.out("out")).containsExactly(new byte[] {1, 0}, new byte[] {1, 1});
      assertThat(harness.out("rest")).containsExactly(new byte[] {2, 0}, new byte[0]);
      assertThat(harness.read("filter")).isEqualTo("ether[0] = 1");
    }
  }

  @Test
  void shouldEndTheRestWhereNobodyWantsIt() {
    try (var harness = new ElementHarness(new Filter("ether[0] = 1")).disconnect("rest")) {
      harness.push(new byte[] {1, 0}, new byte[] {2, 0}, new byte[] {3, 0});
      assertThat(harness.out("out")).hasSize(1);
      assertThat(harness.drops()).containsExactly(entry("filtered", 2L));
    }
  }

  @Test
  void shouldRefuseAWrongFilter() {
    assertThatThrownBy(() -> new Filter("tcp prt 80"))
        .isInstanceOf(FilterException.class)
        .hasMessageContaining("at=5");
  }
}
