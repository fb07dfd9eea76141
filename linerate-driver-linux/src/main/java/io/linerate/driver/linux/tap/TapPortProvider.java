package io.linerate.driver.linux.tap;

import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import java.util.List;

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
    AddressOptions options = AddressOptions.named(request.address(), List.of("queues"));
    String name =
        options.name(
            TapDevice::isName,
            "not the name of an interface",
            "write tap:NAME, such as tap:lin0, with at most 15 letters");
    int queues = options.number("queues", request.rxQueues(), 1, MAX_QUEUES);
    int mtu = request.config().mtu();
    TapDevice device = TapDevice.open(name, queues, mtu);
    try {
      return new TapPort(request, device, mtu);
    } catch (RuntimeException e) {
      device.close();
      throw e;
    }
  }
}
