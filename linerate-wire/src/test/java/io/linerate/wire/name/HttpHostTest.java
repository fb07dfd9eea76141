package io.linerate.wire.name;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpHostTest {
  private static final String CURL =
      "GET /x HTTP/1.1\r\nHost: curl.example.org:33933\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n";

  private final HttpHost reader = new HttpHost();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void shouldReadARequestWhenItsHeadIsThere() {
    String found = CURL.length() + " curl.example.org";
    assertThat(Cut.step(reader, bytes(CURL))).isEqualTo(found);
    assertThat(Cut.anew(reader, bytes(CURL))).isEqualTo(found);
    assertThat(Cut.step(reader, bytes(CURL + "body"))).isEqualTo(found);
    String old = CURL.replace("\r", "");
    assertThat(Cut.step(reader, bytes(old))).isEqualTo(old.length() + " curl.example.org");
  }

  /** One line: bars stand for CR and LF, underscores for tabs. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          GET / HTTP/1.1|host:A.Example||;                              a.example
          ||get  /  http/1.0  |HOST :  a.example.  ||;                  a.example
          GET_/_HTTP/1.1|Host:_a.example_||;                            a.example
          GET / HTTP/1.1|Host: a.example:|Host: A.example:80||;         a.example
          GET http://u:p@a.example:80/x?y HTTP/1.1|Host: a.example||;   a.example
          GET https://a.example HTTP/1.1|Host: ||;                      a.example
          GET http://a.example/|;                                       a.example
          CONNECT a.example:443 HTTP/1.1|Host: a.example:443||;         a.example
          GET / HTTP/1.1|Host: [::1]:80||;                              ::1
          GET / HTTP/1.1|Hostname: a.example||;                         NONE
          GET / HTTP/1.1|Host: ||;                                      NONE
          GET / HTTP/1.0||;                                             NONE
          PRI * HTTP/2.0||SM||;                                         NONE
          GET /|;                                                       NONE
          EHLO a.example|;                                              NONE
          NICK a|USER a||;                                              NONE
          REGISTER sip:a.example SIP/2.0|;                              NONE
          OPTIONS rtsp://a.example/ RTSP/1.0|;                          NONE
          a:b;                                                          NONE
          GET / HTTP/1.1|Host: a.example|Host: b.example||;             MALFORMED
          GET http://a.example/ HTTP/1.1|Host: b.example||;             MALFORMED
          CONNECT a.example:443 HTTP/1.1|Host: b.example||;             MALFORMED
          GET / HTTP/1.1|Host: a.example| b.example||;                  MALFORMED
          GET / HTTP/1.1| Host: a.example||;                            MALFORMED
          GET / HTTP/1.1|Host: a.example:80@b.example||;                MALFORMED
          GET / HTTP/1.1|Host: a.example, b.example||;                  MALFORMED
          GET / HTTP/1.1|Host: a%2eexample||;                           MALFORMED
          GET / HTTP/1.1|Host: a..example||;                            MALFORMED
          GET / HTTP/1.1|Host: a:b:80||;                                MALFORMED
          GET / HTTP/1.1|Host: [::1||;                                  MALFORMED
          GET / HTTP/1.1|Host: [::1]x||;                                MALFORMED
          GET / HTTP/1.1|Host: http://a.example/||;                     MALFORMED
          GET / HTTP/1.1|X: 1;                                          NEEDS_MORE
          GET / HTTP/1.1|Host: a.example|;                              NEEDS_MORE
          GET /;                                                        NEEDS_MORE
          G;                                                            NEEDS_MORE
          """)
  void shouldReadTheHost(String request, String expected) {
    String text = request.strip().replace("|", "\r\n").replace('_', '\t');
    assertThat(Cut.whole(reader, bytes(text))).isEqualTo(expected);
    assertThat(Cut.step(reader, bytes(text))).endsWith(expected);
    assertThat(Cut.step(reader, bytes(text))).isEqualTo(Cut.anew(reader, bytes(text)));
  }

  @Test
  void shouldRefuseWhatServersReadDifferently() {
    String cr = "GET / HTTP/1.1\r\nX: 1\rHost: b.example\r\nHost: a.example\r\n\r\n";
    assertThat(Cut.whole(reader, bytes(cr))).isEqualTo("MALFORMED");
    String nul = "GET / HTTP/1.1\r\nHost: a.example\0.b.example\r\n\r\n";
    assertThat(Cut.whole(reader, bytes(nul))).isEqualTo("MALFORMED");
    String inLine = "GET /\rx HTTP/1.1\r\nHost: a.example\r\n\r\n";
    assertThat(Cut.whole(reader, bytes(inLine))).isEqualTo("MALFORMED");
    assertThat(Cut.whole(reader, bytes("\r\n".repeat(9) + CURL))).isEqualTo("MALFORMED");
    assertThat(Cut.whole(reader, bytes("x".repeat(64) + CURL))).isEqualTo("NONE");
  }
}
