package io.linerate.wire.name;

import static io.linerate.wire.name.Hellos.serverName;
import static io.linerate.wire.name.Hellos.withExtensions;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ClientHelloTest {
  private final ClientHello reader = new ClientHello();

  private static byte[] joined(byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  @Test
  void shouldReadWhatClientsSendWhenAllOfItIsThere() {
    assertThat(Hellos.recorded()).hasSizeGreaterThan(4);
    for (Hellos.Hello hello : Hellos.recorded()) {
      int length = hello.bytes().length;
      String found = length + " " + (hello.name().isEmpty() ? "NONE" : hello.name());
      assertThat(Cut.step(reader, hello.bytes())).as(hello.who()).isEqualTo(found);
      assertThat(Cut.anew(reader, hello.bytes())).as(hello.who()).isEqualTo(found);
    }
  }

  @Test
  void shouldReadAMessageThatSpansRecords() {
    for (Hellos.Hello hello : Hellos.recorded()) {
      int messageBytes = hello.bytes().length - 5;
      for (int part = 1; part < messageBytes; part++) {
        byte[] bytes = Hellos.inRecords(hello.bytes(), part);
        boolean isInFewRecords = (messageBytes + part - 1) / part <= ClientHello.MOST_RECORDS;
        String name = hello.name().isEmpty() ? "NONE" : hello.name();
        String found = Cut.step(reader, bytes);
        assertThat(found.split(" ", 2)[1]).isEqualTo(isInFewRecords ? name : "MALFORMED");
        assertThat(Cut.anew(reader, bytes)).isEqualTo(found);
      }
    }
  }

  @Test
  void shouldPassOverAlertsThatComeBefore() {
    byte[] alert = {21, 3, 1, 0, 2, 1, 90};
    byte[] hello = Hellos.curl();
    assertThat(Cut.whole(reader, joined(alert, alert, hello))).isEqualTo("curl.example.org");
    byte[] parts = Hellos.inRecords(hello, 300);
    byte[] between =
        joined(Arrays.copyOf(parts, 305), alert, Arrays.copyOfRange(parts, 305, parts.length));
    assertThat(Cut.whole(reader, between)).isEqualTo("MALFORMED");
  }

  @Test
  void shouldKnowWhatIsNoHello() {
    assertThat(Cut.whole(reader, new byte[] {'S', 'S', 'H'})).isEqualTo("NONE");
    assertThat(Cut.whole(reader, new byte[] {22, 2})).isEqualTo("NONE");
    assertThat(Cut.whole(reader, new byte[] {23, 3, 3, 0, 5})).isEqualTo("NONE");
    assertThat(Cut.whole(reader, new byte[] {22, 3, 3, 0, 5, 2})).isEqualTo("NONE");
    assertThat(Cut.whole(reader, new byte[] {22, 3, 3, 0, 4, 1, 0, 0, 0})).isEqualTo("MALFORMED");
    assertThat(Cut.whole(reader, new byte[] {22, 3, 3, 0, 4, 1, 1, 0, 0})).isEqualTo("MALFORMED");
    assertThat(Cut.whole(reader, new byte[] {22, 3, 3, 0x40, 1})).isEqualTo("MALFORMED");
  }

  @Test
  void shouldTakeOneNameOnly() {
    String long253 = "a.".repeat(126) + "b";
    assertThat(Cut.whole(reader, withExtensions(serverName(0, "X.Example."))))
        .isEqualTo("x.example");
    assertThat(Cut.whole(reader, withExtensions(serverName(0, long253)))).isEqualTo(long253);
    assertThat(Cut.whole(reader, withExtensions(serverName(0, long253 + ".")))).isEqualTo(long253);
    for (byte[] extensions :
        new byte[][] {
          serverName(0, "a", "b"),
          serverName(1, "a"),
          serverName(0),
          serverName(0, ""),
          serverName(0, "."),
          serverName(0, "a..b"),
          serverName(0, ".a"),
          serverName(0, "a b"),
          serverName(0, "a\0b"),
          serverName(0, long253 + "c"),
          joined(serverName(0, "a"), serverName(0, "a")),
          new byte[] {0, 0, 0, 9, 0, 7, 0, 0, 4, 'a', 'b', 'c'},
          new byte[] {0, 9, 0},
        }) {
      assertThat(Cut.whole(reader, withExtensions(extensions))).isEqualTo("MALFORMED");
    }
    assertThat(Cut.whole(reader, withExtensions(new byte[0]))).isEqualTo("NONE");
  }
}
