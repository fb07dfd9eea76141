package io.linerate.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.linerate.testkit.Soak;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FilterExceptionTest {
  private static FilterException wrong(String filter) {
    FilterException wrong =
        catchThrowableOfType(
            FilterException.class,
            () ->
                PacketFilter.compile(
                    filter, FilterOptions.defaults().withNames(FilterNames.none())));
    assertThat(wrong).as(filter).isNotNull();
    return wrong;
  }

  @Test
  void shouldSayWhereTheFilterIsWrongAndWhatIsExpected() {
    assertThat(wrong("tcp prt 80"))
        .hasMessage(
            "wrong filter: filter=tcp prt 80, at=5, found=prt, expected=and, or, or the end");
    assertThat(wrong("tcp and")).hasMessageContaining("at=8, found=the end, expected=a primitive");
    assertThat(wrong("host 10.0.0.1 or port"))
        .hasMessageContaining("at=22, found=the end, expected=a primitive");
    assertThat(wrong("ip[0:3] = 1")).hasMessageContaining("at=1, size=3, expected=1, 2 or 4");
    assertThat(wrong("net 10.0.0.1/8"))
        .hasMessageContaining(
            "at=5, found=10.0.0.1/8, expected=a network; bits of the host are set");
    assertThat(wrong("port 65536"))
        .hasMessageContaining("at=6, found=65536, expected=a port from 0 to 65535");
    assertThat(wrong("vlan 4096")).hasMessageContaining("at=1, vlan=4096, most=4095");
    assertThat(wrong("10.0.0.1"))
        .hasMessageContaining("at=1, expected=host, port, proto or another keyword in front");
    assertThat(wrong("tcp and é")).hasMessageContaining("at=9, found=U+00E9");
    assertThat(wrong("tcp and 08 = 8")).hasMessageContaining("at=9, found=08; expected=a number");
    assertThat(wrong("host nowhere")).hasMessageContaining("at=6, found=nowhere, expected=");
  }

  @Test
  void shouldSayWhatIsMeantByANameAlone() {
    assertThat(wrong("icmpp"))
        .hasMessageContaining("at=1, found=icmpp, nearest=icmp, expected=host");
    assertThat(wrong("not hots")).hasMessageContaining("found=hots, nearest=host, expected=");
    assertThat(wrong("dns")).hasMessageContaining("at=1, found=dns; write udp port 53");
    for (String display : List.of("ip.src == 10.0.0.1", "tcp.port eq 80", "frame.len > 5")) {
      assertThat(wrong(display))
          .hasMessageContaining(
              ", a field of Wireshark's display filters; expected=a filter of pcap");
    }
  }

  @Test
  void shouldPointAtIt() {
    assertThat(wrong("tcp prt 80").excerpt()).isEqualTo("tcp prt 80\n    ^");
    assertThat(wrong("tcp and").excerpt()).isEqualTo("tcp and\n       ^");
    String line = wrong("not ".repeat(50) + "tcp and ? or udp").excerpt();
    int caret = line.indexOf('^') - line.indexOf('\n') - 1;
    assertThat(line.charAt(caret)).isEqualTo('?');
  }

  @Test
  void shouldRefuseMoreThanThereIsStackFor() {
    assertThat(wrong("(".repeat(5_000))).hasMessageContaining("too many levels");
    assertThat(wrong("not ".repeat(5_000) + "ip")).hasMessageContaining("too many levels");
    assertThat(wrong("ip[".repeat(5_000))).hasMessageContaining("too many levels");
    assertThat(wrong("-".repeat(5_000) + "1 = 1")).hasMessageContaining("too many levels");
    assertThat(wrong("1" + " + 1".repeat(5_000) + " = 1"))
        .hasMessageContaining("too many operators");
    assertThat(wrong("1" + " % 1".repeat(5_000) + " = 1")).hasMessageContaining("too many levels");
    assertThat(wrong("tcp or ".repeat(20_000))).hasMessageContaining("the filter is too long");
  }

  @Test
  void shouldTakeLongChains() {
    PacketFilter filter = PacketFilter.compile("tcp" + " or udp".repeat(8_000));
    assertThat(filter.expression()).hasSize(56_003);
  }

  @Test
  void shouldSayNothingElseOfAnyText() {
    Random random = new Random(Soak.seed(21));
    FilterOptions options = FilterOptions.defaults().withNames(FilterNames.none());
    RandomFilters filters = new RandomFilters(Soak.seed(22));
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(random.nextBoolean() ? filters.next() : "");
      for (int j = random.nextInt(10); j >= 0; j--) {
        char any = (char) (random.nextInt(20) == 0 ? random.nextInt() : 32 + random.nextInt(95));
        text.insert(random.nextInt(text.length() + 1), any);
      }
      try {
        PacketFilter.compile(text.toString(), options);
      } catch (FilterException e) {
        assertThat(e.column()).isBetween(1, text.length() + 1);
        assertThat(e.excerpt()).contains("\n").endsWith("^");
      }
    }
  }
}
