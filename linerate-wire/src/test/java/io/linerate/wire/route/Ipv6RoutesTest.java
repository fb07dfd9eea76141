package io.linerate.wire.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.testkit.Soak;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.Ipv6Prefix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class Ipv6RoutesTest {
  private static final long NEAR = 0x2001_0DB8_0000_0000L;

  private final SplittableRandom random = new SplittableRandom(Soak.seed(646));
  private final Ipv6Routes routes = new Ipv6Routes();

  private static Ipv6Prefix prefix(String address, int bits) {
    Ipv6Address parsed = Ipv6Address.parse(address);
    return new Ipv6Prefix(parsed.high(), parsed.low(), bits);
  }

  /** Near each other, so that many are around others, and nodes are deep. */
  private long near() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong();
      case 1 -> NEAR | random.nextInt(1 << 12);
      default -> NEAR | ((long) random.nextInt(8) << 28) | random.nextInt(4);
    };
  }

  private Ipv6Prefix anyPrefix() {
    int bits = random.nextInt(8) == 0 ? random.nextInt(129) : random.nextInt(20, 72);
    return Ipv6Prefix.of(near(), (long) random.nextInt(4) << random.nextInt(64), bits);
  }

  private static int longest(Map<Ipv6Prefix, Integer> known, long high, long low) {
    for (int bits = 128; bits >= 0; bits--) {
      Integer value = known.get(Ipv6Prefix.of(high, low, bits));
      if (value != null) {
        return value;
      }
    }
    return Ipv6Routes.NONE;
  }

  @Test
  @Tag("sampled")
  void shouldFindTheLongestPrefix() {
    Map<Ipv6Prefix, Integer> known = new HashMap<>();
    List<Ipv6Prefix> all = new ArrayList<>();
    long[] highs = new long[16];
    long[] lows = new long[16];
    int[] values = new int[16];
    for (int i = Soak.times(20_000, 5_000_000); i > 0; i--) {
      boolean isNew = all.isEmpty() || random.nextInt(3) > 0;
      Ipv6Prefix prefix = isNew ? anyPrefix() : all.get(random.nextInt(all.size()));
      if (random.nextInt(5) < 3 && known.size() < 3_000) {
        int value = random.nextInt(Ipv6Routes.MAX_VALUE + 1);
        Integer before = known.put(prefix, value);
        assertThat(routes.put(prefix, value)).isEqualTo(before == null ? -1 : before);
        all.add(prefix);
      } else {
        Integer before = known.remove(prefix);
        assertThat(routes.remove(prefix)).isEqualTo(before == null ? -1 : before);
      }
      assertThat(routes.size()).isEqualTo(known.size());
      for (int j = 0; j < highs.length; j++) {
        highs[j] = j % 2 == 0 ? prefix.high() + random.nextInt(-2, 3) : near();
        lows[j] = j % 4 < 2 ? prefix.low() + random.nextInt(-2, 3) : random.nextLong();
      }
      routes.lookUp(highs, lows, values, highs.length);
      for (int j = 0; j < highs.length; j++) {
        assertThat(values[j])
            .as(() -> "near " + prefix)
            .isEqualTo(routes.lookUp(highs[j], lows[j]))
            .isEqualTo(longest(known, highs[j], lows[j]));
      }
    }
  }

  @Test
  void shouldHaveADefaultRouteAndRoutesOfSingleAddresses() {
    assertThat(routes.lookUp(NEAR, 1)).isEqualTo(Ipv6Routes.NONE);
    routes.put(Ipv6Prefix.ANY, 0);
    routes.put(prefix("2001:db8::1", 128), Ipv6Routes.MAX_VALUE);
    assertThat(routes.lookUp(NEAR, 1)).isEqualTo(Ipv6Routes.MAX_VALUE);
    assertThat(routes.lookUp(NEAR, 2)).isZero();
    assertThat(routes.lookUp(-1, -1)).isZero();
    routes.remove(Ipv6Prefix.ANY);
    assertThat(routes.lookUp(NEAR, 2)).isEqualTo(Ipv6Routes.NONE);
    assertThat(routes.lookUp(NEAR, 1)).isEqualTo(Ipv6Routes.MAX_VALUE);
  }

  @Test
  void shouldRefuseWhatIsNoRoute() {
    for (int value : new int[] {-1, Ipv6Routes.MAX_VALUE + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> routes.put(Ipv6Prefix.ANY, value))
          .withMessageContainingAll("value=" + value, "0 to 16777215");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Ipv6Prefix(0, 0, 129))
        .withMessageContaining("bits=129");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> prefix("2001:db8::1", 64))
        .withMessageContainingAll("address=2001:db8::1", "bits=64");
  }

  /** Whoever looks up meanwhile finds the prefix around it, or one of those that come and go. */
  @Test
  void shouldBeChangedWhileOthersLookUp() throws InterruptedException {
    routes.put(prefix("2001:db8::", 32), 1);
    AtomicBoolean isDone = new AtomicBoolean();
    AtomicReference<String> wrong = new AtomicReference<>("");
    Thread reader =
        Thread.ofPlatform()
            .start(() -> {
              SplittableRandom own = new SplittableRandom(3);
              while (!isDone.get()) {
                int third = own.nextInt(256);
                long high = NEAR | ((long) third << 16) | own.nextInt(1 << 16);
                int value = routes.lookUp(high, 0);
                if (value != 1 && value != 2 + third) {
                  wrong.set("%016x leads to %d".formatted(high, value));
                }
              }
            });
    for (int i = 0; i < 100_000; i++) {
      int third = random.nextInt(256);
      long high = NEAR | ((long) third << 16) | random.nextInt(1 << 16);
      Ipv6Prefix inner = Ipv6Prefix.of(high, 0, random.nextInt(48, 65));
      routes.put(inner, 2 + third);
      if (i % 2 == 0) {
        routes.remove(inner);
      }
    }
    isDone.set(true);
    reader.join();
    assertThat(wrong.get()).isEmpty();
  }
}
