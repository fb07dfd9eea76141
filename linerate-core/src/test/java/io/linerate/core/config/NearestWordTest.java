package io.linerate.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestWordTest {
  private static final List<String> WORDS = List.of("tcp", "udp", "host", "dns", "capture");

  @Test
  void shouldFindWhatWasMeant() {
    assertThat(NearestWord.to("captre", WORDS)).contains("capture");
    assertThat(NearestWord.to("hosts", WORDS)).contains("host");
    assertThat(NearestWord.to("cpature", WORDS)).contains("capture");
    assertThat(NearestWord.to("", WORDS)).isEmpty();
  }

  /** Two letters swapped are one change. */
  @Test
  void shouldFindShortWordsWhoseLettersAreSwapped() {
    assertThat(NearestWord.to("tpc", WORDS)).contains("tcp");
    assertThat(NearestWord.to("hots", WORDS)).contains("host");
    assertThat(NearestWord.to("nds", WORDS)).contains("dns");
    assertThat(NearestWord.to("nsd", WORDS)).isEmpty();
  }
}
