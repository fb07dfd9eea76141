package io.linerate.wire.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.testkit.Soak;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv4Prefix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class Ipv4RoutesTest {
  private final SplittableRandom random = new SplittableRandom(Soak.seed(248));
  private final Ipv4Routes routes = new Ipv4Routes();

  private static Ipv4Prefix prefix(int address, int bits) {
    int mask = bits == 0 ? 0 : -1 << (32 - bits);
    return new Ipv4Prefix(address & mask, bits);
  }

  private static Ipv4Prefix prefix(String address, int bits) {
    return new Ipv4Prefix(Ipv4Address.parse(address), bits);
  }

  /** Near each other, so that many are around others. */
  private Ipv4Prefix anyPrefix() {
    int near = 0x0A00_0000 | (random.nextInt(4) << 16) | random.nextInt(0x800);
    int bits = random.nextInt(20) == 0 ? random.nextInt(8, 33) : random.nextInt(14, 33);
    return prefix(random.nextInt(10) == 0 ? random.nextInt() : near, bits);
  }

  private static int longest(Map<Ipv4Prefix, Integer> known, int address) {
    for (int bits = 32; bits >= 0; bits--) {
      Integer value = known.get(prefix(address, bits));
      if (value != null) {
        return value;
      }
    }
    return Ipv4Routes.NONE;
  }

  @Test
  @Tag("sampled")
  void shouldFindTheLongestPrefix() {
    Map<Ipv4Prefix, Integer> known = new HashMap<>();
    List<Ipv4Prefix> all = new ArrayList<>();
    int[] addresses = new int[64];
    int[] values = new int[64];
    for (int i = Soak.times(20_000, 5_000_000); i > 0; i--) {
      Ipv4Prefix prefix =
          all.isEmpty() || random.nextInt(3) > 0
              ? anyPrefix()
              : all.get(random.nextInt(all.size()));
      if (random.nextInt(5) < 3 && known.size() < 3_000) {
        int value = random.nextInt(Ipv4Routes.MAX_VALUE + 1);
        Integer before = known.put(prefix, value);
        assertThat(routes.put(prefix, value)).isEqualTo(before == null ? -1 : before);
        all.add(prefix);
      } else {
        Integer before = known.remove(prefix);
        assertThat(routes.remove(prefix)).isEqualTo(before == null ? -1 : before);
      }
      assertThat(routes.size()).isEqualTo(known.size());
      for (int j = 0; j < addresses.length; j++) {
        int edge = prefix.address() + random.nextInt(-2, 3);
        int last = prefix.address() | (int) (0xFFFF_FFFFL >>> prefix.bits());
        addresses[j] = j % 3 == 0 ? edge : j % 3 == 1 ? last + random.nextInt(-2, 3) : near();
      }
      routes.lookUp(addresses, values, addresses.length);
      for (int j = 0; j < addresses.length; j++) {
        assertThat(values[j])
            .as(() -> "address of " + prefix)
            .isEqualTo(longest(known, addresses[j]))
            .isEqualTo(routes.lookUp(addresses[j]));
      }
    }
  }

  private int near() {
    return 0x0A00_0000 | (random.nextInt(4) << 16) | random.nextInt(0x800);
  }

  @Test
  void shouldHaveADefaultRouteAndRoutesOfSingleAddresses() {
    assertThat(routes.lookUp(Ipv4Address.parse("192.0.2.1"))).isEqualTo(Ipv4Routes.NONE);
    routes.put(Ipv4Prefix.ANY, 0);
    routes.put(prefix("255.255.255.255", 32), Ipv4Routes.MAX_VALUE);
    routes.put(prefix("0.0.0.0", 32), 5);
    assertThat(routes.lookUp(-1)).isEqualTo(Ipv4Routes.MAX_VALUE);
    assertThat(routes.lookUp(-2)).isZero();
    assertThat(routes.lookUp(0)).isEqualTo(5);
    assertThat(routes.lookUp(1)).isZero();
    routes.remove(prefix("0.0.0.0", 32));
    routes.remove(Ipv4Prefix.ANY);
    assertThat(routes.lookUp(0)).isEqualTo(Ipv4Routes.NONE);
    assertThat(routes.size()).isEqualTo(1);
  }

  @Test
  void shouldRefuseNumbersThatHaveNoRoom() {
    for (int value : new int[] {-1, Ipv4Routes.MAX_VALUE + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> routes.put(Ipv4Prefix.ANY, value))
          .withMessageContainingAll("value=" + value, "0 to 16777215");
    }
  }

  /** Whoever looks up meanwhile finds the prefix around it, or the one that comes and goes. */
  @Test
  void shouldBeChangedWhileOthersLookUp() throws InterruptedException {
    Ipv4Prefix outer = prefix("10.0.0.0", 8);
    routes.put(outer, 1);
    AtomicBoolean isDone = new AtomicBoolean();
    AtomicReference<String> wrong = new AtomicReference<>("");
    Thread reader =
        Thread.ofPlatform()
            .start(() -> {
              SplittableRandom own = new SplittableRandom(3);
              while (!isDone.get()) {
                int address = 0x0A00_0000 | own.nextInt(1 << 16);
                int value = routes.lookUp(address);
                int low = address >>> 8 & 0xFF;
                if (value != 1 && value != 2 + low) {
                  wrong.set("%08x leads to %d".formatted(address, value));
                }
              }
            });
    for (int i = 0; i < 200_000; i++) {
      int third = random.nextInt(256);
      Ipv4Prefix inner =
          prefix(0x0A00_0000 | (third << 8) | random.nextInt(256), random.nextInt(24, 33));
      routes.put(inner, 2 + third);
      routes.remove(inner);
    }
    isDone.set(true);
    reader.join();
    assertThat(wrong.get()).isEmpty();
    assertThat(routes.size()).isEqualTo(1);
  }
}
