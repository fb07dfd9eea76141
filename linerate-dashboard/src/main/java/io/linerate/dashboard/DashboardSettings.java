package io.linerate.dashboard;

import io.linerate.dashboard.http.HttpAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the page is served, and to whom.
 *
 * @param tls a key store (PKCS #12) for HTTPS
 * @param isOpen whether other machines may come without TLS
 */
public record DashboardSettings(HttpAddress address, Optional<Path> tls, boolean isOpen) {
  public static final DashboardSettings DEFAULT =
      new DashboardSettings(HttpAddress.DEFAULT, Optional.empty(), false);

  public DashboardSettings withAddress(HttpAddress address) {
    return new DashboardSettings(address, tls, isOpen);
  }
}
