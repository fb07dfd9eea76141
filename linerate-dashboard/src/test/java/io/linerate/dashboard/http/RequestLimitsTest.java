package io.linerate.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class RequestLimitsTest {
  private static final long NS_PER_S = 1_000_000_000;

  private final AtomicLong nowNs = new AtomicLong();
  private final RequestLimits limits = new RequestLimits(100, nowNs::get);

  private static int letIn(int tries, BooleanSupplier one) {
    int letIn = 0;
    for (int i = 0; i < tries; i++) {
      letIn += one.getAsBoolean() ? 1 : 0;
    }
    return letIn;
  }

  private int from(String address, int tries) throws UnknownHostException {
    InetAddress client = InetAddress.getByName(address);
    return letIn(tries, () -> limits.letOther(client));
  }

  @Test
  void shouldKeepTheOwnersShareWhateverOthersAsk() throws Exception {
    assertThat(from("127.0.0.1", 10_000)).isEqualTo(200);
    assertThat(letIn(1_000, limits::letOwner)).isEqualTo(1_000);
    nowNs.addAndGet(NS_PER_S);
    assertThat(from("127.0.0.1", 10_000)).isEqualTo(100);
  }

  @Test
  void shouldKeepAShareForEachAddressButBoundThemAll() throws Exception {
    assertThat(from("192.0.2.1", 1_000)).isEqualTo(200);
    assertThat(from("192.0.2.2", 1_000)).isEqualTo(200);
    int more = 0;
    for (int i = 0; i < 1_000; i++) {
      more += from("198.51.100." + i % 256, 1);
    }
    assertThat(more).isZero();
  }

  @Test
  void shouldTakeANetworkOfIpv6ForOneAddress() throws Exception {
    int letIn = 0;
    for (int i = 0; i < 1_000; i++) {
      letIn += from("2001:db8::%x".formatted(i), 1);
    }
    assertThat(letIn).isEqualTo(200);
    assertThat(from("2001:db8:0:1::1", 100)).isEqualTo(100);
  }
}
