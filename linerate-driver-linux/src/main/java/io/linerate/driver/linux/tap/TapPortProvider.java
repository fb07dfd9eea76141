package io.linerate.driver.linux.tap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code tap:NAME[,queues=N]}: an interface of the kernel whose cable ends here, made when the port
 * is opened and removed when it is closed or the process dies. Needs CAP_NET_ADMIN, or a device
 * that root made for the user. Give it an address ({@code ip address add}), and the kernel is a
 * host.
 *
 * <pre>
 *   queues   queues in each direction, 1 to 256; the kernel keeps a flow in one   as many as workers
 * </pre>
 */
public final class TapPortProvider implements PortProvider {
  private static final int MAX_QUEUES = 256;

  @Override
  public String scheme() {
    return "tap";
  }

  @Override
  public DriverPort open(PortRequest request) {
    PortAddress address = request.address();
    String rest = address.rest();
    String name = rest.contains(",") ? rest.substring(0, rest.indexOf(',')) : rest;
    if (!TapDevice.isName(name)) {
      throw new ConfigException(
          "not the name of an interface: name=%s, address=%s; write tap:NAME, such as tap:lin0, with at most 15 letters"
              .formatted(name, address));
    }
    Map<String, String> options = address.options(List.of(name, "queues"));
    int queues = queues(options.get("queues"), request);
    int mtu = request.config().mtu();
    TapDevice device = TapDevice.open(name, queues, mtu);
    try {
      return new TapPort(request, device, mtu);
    } catch (RuntimeException e) {
      device.close();
      throw e;
    }
  }

  private static int queues(@Nullable String text, PortRequest request) {
    if (text == null) {
      return request.rxQueues();
    }
    int queues = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : 0;
    if (queues < 1 || queues > MAX_QUEUES) {
      throw new ConfigException(
          "wrong value in a port address: queues=%s, address=%s; 1 to %d is allowed"
              .formatted(text, request.address(), MAX_QUEUES));
    }
    return queues;
  }
}
