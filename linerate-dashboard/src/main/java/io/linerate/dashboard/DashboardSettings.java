package io.linerate.dashboard;

import io.linerate.core.config.ConfigException;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.dashboard.http.HttpAddress;
import io.linerate.dashboard.http.OpenApi;
import io.linerate.dashboard.http.Route;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the page is served, and to whom.
 *
 * @param tls keys for HTTPS
 * @param isOpen whether other machines may come without TLS
 */
public record DashboardSettings(HttpAddress address, Optional<KeyStoreFile> tls, boolean isOpen) {
  public static final DashboardSettings DEFAULT =
      new DashboardSettings(HttpAddress.DEFAULT, Optional.empty(), false);

  /**
   * Serves it elsewhere.
   *
   * @param text {@code HOST:PORT}, {@code [IPV6]:PORT}, {@code :PORT} or {@code PORT}; port 0: any
   *     free one
   * @throws ConfigException if it is none
   */
  public DashboardSettings withAddress(String text) {
    return withAddress(HttpAddress.parse(text));
  }

  DashboardSettings withAddress(HttpAddress other) {
    return new DashboardSettings(other, tls, isOpen);
  }

  /**
   * Sees to it that nobody is let in by oversight.
   *
   * @throws ConfigException if the address is that of no loopback interface, without TLS and
   *     without a permission
   */
  public void requireSafe() {
    if (!isLoopback() && tls.isEmpty() && !isOpen) {
      throw new ConfigException(
          "others could read the traffic and its token: address=%s; give --dashboard-tls FILE.p12, or"
                  .formatted(address)
              + " --dashboard-open if you trust the network");
    }
  }

  /**
   * The routes and their description as they may be served: where other machines reach them, all
   * need the token.
   */
  List<Route> served(List<Route> routes) {
    List<Route> all = new ArrayList<>(routes);
    all.add(
        Route.get(
            "/api/openapi.json",
            "This description.",
            call -> call.json(new OpenApi(ProgramInfo.VERSION, guarded(all)))));
    return guarded(all);
  }

  private List<Route> guarded(List<Route> routes) {
    return isLoopback() ? routes : routes.stream().map(Route::guarded).toList();
  }

  private boolean isLoopback() {
    try {
      return InetAddress.getByName(address.host()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new ConfigException(
          "no such host: host=" + address.host() + "; write an address of this machine");
    }
  }
}
