package io.linerate.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptedEncodingTest {
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br, GZIP;q=0.5", "gzip ; q=1.0 ,br", "deflate,gzip;q=0.001"})
  void shouldCompressForWhoCanReadIt(String header) {
    assertThat(AcceptedEncoding.hasGzip(header)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "br",
        "gzip;q=0",
        "gzip;q=0.000",
        "gzip;q=x",
        "gzip;x=1",
        "xgzip",
        "gzip;q=1;x"
      })
  void shouldNotCompressForOthers(String header) {
    assertThat(AcceptedEncoding.hasGzip(header)).isFalse();
  }

  /** Of which a regular expression took seconds. */
  @Test
  void shouldNotLookAtLongHeaders() {
    assertThat(AcceptedEncoding.hasGzip("gzip;q=0." + "1".repeat(30_000) + "x")).isFalse();
    assertThat(AcceptedEncoding.hasGzip("gzip," + " ".repeat(30_000))).isFalse();
  }
}
