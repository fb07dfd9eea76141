package io.linerate.apps.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.driver.linux.route.KernelRoute;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.middlebox.route.RoutingTable;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelRoutingTest {
  private static KernelRoute via(int last) throws SocketException {
    return route(List.of((byte) 198, (byte) 51, (byte) 100, (byte) 0), 24, last, false);
  }

  private static KernelRoute route(List<Byte> to, int bits, int last, boolean isGone)
      throws SocketException {
    int index = NetworkInterface.getByName("lo").getIndex();
    List<Byte> gateway = List.of((byte) 10, (byte) 0, (byte) last, (byte) 9);
    return new KernelRoute(
        isGone,
        4,
        to,
        bits,
        KernelRoute.Kind.UNICAST,
        0,
        false,
        List.of(new KernelRoute.Hop(gateway, index, 1)));
  }

  /** Otherwise packets go where the kernel's went before. */
  @Test
  void shouldHaveNoRouteWhereItCannotTakeTheKernelsOver() throws SocketException {
    RoutingTable table = new RoutingTable(List.of(new RouterLink("lo", List.of("10.0.0.1/24"))));
    try (KernelRouting routing = new KernelRouting(table, false)) {
      routing.changed(via(0));
      assertThat(table.route("198.51.100.1")).isEqualTo("via 10.0.0.9 dev lo");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> routing.changed(via(7)))
          .withMessageStartingWith("next hop is not on its link");
      assertThat(table.route("198.51.100.1")).isEqualTo("no route");
      routing.changed(via(0));
      assertThat(table.route("198.51.100.1")).isEqualTo("via 10.0.0.9 dev lo");
    }
  }

  /**
   * Whoever a routing daemon believes takes neither the links' networks nor the router's addresses.
   */
  @Test
  void shouldKeepWhatItsLinksAre() throws SocketException {
    RoutingTable table = new RoutingTable(List.of(new RouterLink("lo", List.of("10.0.0.1/24"))));
    List<Byte> network = List.of((byte) 10, (byte) 0, (byte) 0, (byte) 0);
    List<Byte> own = List.of((byte) 10, (byte) 0, (byte) 0, (byte) 1);
    try (KernelRouting routing = new KernelRouting(table, false)) {
      for (boolean isGone : List.of(false, true)) {
        routing.changed(route(network, 24, 0, isGone));
        routing.changed(route(own, 32, 0, isGone));
        assertThat(table.route("10.0.0.7")).isEqualTo("dev lo");
        assertThat(table.route("10.0.0.1")).isEqualTo("local");
      }
    }
  }
}
