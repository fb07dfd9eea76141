package io.linerate.program.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.statistics.PacketCounts;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  @Test
  void shouldSayWhatHasBecomeOfPacketsThatAreNeededNoLonger() {
    PacketCounts counts = new PacketCounts(1_032, 0, Map.of("consumed", 1_030L), 2);
    assertThat(ProgressLine.ofReceiver(counts, "decoded"))
        .isEqualTo("1,032 received, 1,030 decoded, 2 waiting for more");
    assertThat(ProgressLine.ofSender(counts))
        .isEqualTo("1,032 received, 0 sent, 1,030 dropped, 2 in flight");
  }

  @Test
  void shouldTellWhatWasLostFromWhatWasNotWanted() {
    Map<String, Long> dropped = Map.of("consumed", 3L, "filtered", 4L, "held_full", 5L);
    assertThat(ProgressLine.ofReceiver(new PacketCounts(12, 0, dropped, 0), "decoded"))
        .isEqualTo("12 received, 3 decoded, 4 filtered, 5 dropped, 0 waiting for more");
  }
}
