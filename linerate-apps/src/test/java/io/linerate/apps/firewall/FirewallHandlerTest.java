package io.linerate.apps.firewall;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FirewallHandlerTest {
  private static final RuleSet RULES =
      RulesFile.parse(
          "r", "drop 0.0.0.0/1 17\npass 128.0.0.0/1 6\ndrop 1.2.0.0/16\nnonip pass\n", w -> {});

  private static final RuleBook BOOK = RuleBook.of(RULES);

  /** IPv4 without options, one byte of it changed, any length. */
  @Test
  @Tag("sampled")
  void shouldDecideTheSameWithAndWithoutTheShortCut() {
    Random random = new Random(Soak.seed(3));
    try (Engine engine = new Engine();
        Packets packets = new Packets()) {
      var out = engine.worker().output(engine.port("ring:test"));
      FirewallHandler handler = new FirewallHandler(BOOK, BOOK.newCounts(), true, out::sendAll);
      int frames = Soak.times(20_000, 5_000_000);
      for (int i = 0; i < frames; i++) {
        byte[] frame = new byte[34 + random.nextInt(30)];
        random.nextBytes(frame);
        frame[12] = 8;
        frame[13] = 0;
        frame[14] = 0x45;
        frame[16] = 0;
        frame[17] = (byte) random.nextInt(64);
        frame[23] = (byte) (random.nextBoolean() ? 6 : 17);
        if (random.nextInt(4) == 0) {
          frame[12 + random.nextInt(14)] = (byte) random.nextInt(256);
        }
        Packet packet = packets.of(Arrays.copyOf(frame, random.nextInt(frame.length + 1)));
        int decision = handler.decide(packet);
        assertThat(decision).isEqualTo(handler.decideAny(packet)).isBetween(-1, RULES.size() - 1);
      }
    }
  }
}
