package io.linerate.decode.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TextPrinterTest {
  private static final Path CAPTURES = Path.of("src/test/resources/io/linerate/decode/captures");

  static Stream<String> captures() {
    try (Stream<Path> files = Files.list(CAPTURES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".pcap"))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whatever packets hold, a terminal gets lines of characters that it shows. */
  @ParameterizedTest
  @MethodSource("captures")
  void shouldPrintNothingThatTerminalsObey(String capture) {
    for (PacketPrinter printer : new PacketPrinter[] {new TextPrinter(), new SummaryPrinter()}) {
      assertThat(PrintedPackets.of(printer, capture))
          .allMatch(text -> text.codePoints().noneMatch(code -> code != '\n' && isObeyed(code)))
          .noneMatch(text -> text.contains("<MISSING>") || text.contains(" ()"));
    }
  }

  private static boolean isObeyed(int code) {
    return Character.isISOControl(code) || Character.getType(code) == Character.FORMAT;
  }

  @Test
  void shouldNameNumbersAndSayNothingTwice() {
    assertThat(PrintedPackets.of(new TextPrinter(), "dns-records.pcap").getFirst())
        .contains("    Type: 0x0800 (IPv4)\n", "    Protocol: 17 (UDP)\n")
        .contains("        Class: 0x0001 (IN)\n", "    Response: 0\n");
    assertThat(PrintedPackets.of(new TextPrinter(), "ipv6-extensions.pcap").getFirst())
        .containsOnlyOnce("    Version: 6\n");
  }

  /** Ends of lines that a message has are shown, not printed. */
  @Test
  void shouldShowEndsOfLines() {
    assertThat(PrintedPackets.of(new TextPrinter(), "http.pcap").getFirst())
        .contains("    Header of the request: Host: www.example.com\\r\\n\n");
  }
}
