package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.graph.ElementHarness;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PrintTest {
  /** Lines that begin with the label: others may print too. */
  private static List<String> lines(Print element, Consumer<ElementHarness> use) {
    PrintStream before = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (var harness = new ElementHarness(element)) {
      use.accept(harness);
    } finally {
      System.setErr(before);
    }
    return printed
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(element.label() + ": "))
        .toList();
  }

  @Test
  void shouldPrintLengthAndFirstBytes() {
    assertThat(
            lines(
                new Print("seen", 3, 10),
                harness -> {
                  harness.push(new byte[0], new byte[] {1, (byte) 0xAB}, new byte[60]);
                  assertThat(harness.out("out")).hasSize(3);
                }))
        .containsExactly(
            "seen: length=0, bytes=",
            "seen: length=2, bytes=01 ab",
            "seen: length=60, bytes=00 00 00");
  }

  @Test
  void shouldPrintWhatAFilterAccepts() {
    assertThat(
            lines(
                new Print("some", 1, 1).only("ether[0] = 1"),
                harness -> {
                  harness.push(new byte[] {2, 0}, new byte[] {1, 0}, new byte[] {3, 0});
                  assertThat(harness.out("out")).hasSize(3);
                  assertThat(harness.read("printed")).isEqualTo("1");
                  assertThat(harness.read("unprinted")).isEqualTo("0");
                }))
        .containsExactly("some: length=2, bytes=01");
  }

  @Test
  void shouldKeepToItsRateAndSayWhatItLeftOut() {
    assertThat(
            lines(
                new Print("slow", 0, 2),
                harness -> {
                  harness.push(new byte[1], new byte[2], new byte[3], new byte[4], new byte[5]);
                  harness.advance(500_000_000);
                  harness.push(new byte[6], new byte[7]);
                  assertThat(harness.out("out")).hasSize(7);
                  assertThat(harness.read("printed")).isEqualTo("3");
                  assertThat(harness.read("unprinted")).isEqualTo("4");
                }))
        .containsExactly(
            "slow: length=1, bytes=",
            "slow: length=2, bytes=",
            "slow: packets not printed=3",
            "slow: length=6, bytes=");
  }

  @Test
  void shouldRefuseNumbersThatCannotBe() {
    assertThat(new Print("x", -1, 0).problems()).hasSize(2);
  }
}
