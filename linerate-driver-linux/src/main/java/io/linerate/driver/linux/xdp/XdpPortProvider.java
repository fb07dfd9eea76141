package io.linerate.driver.linux.xdp;

import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import io.linerate.driver.linux.NetInterface;
import io.linerate.driver.linux.ReopeningPort;
import org.jspecify.annotations.Nullable;

/** {@code xdp:IFACE}: see {@link XdpAddress}. All ports of an engine share their packet memory. */
public final class XdpPortProvider implements PortProvider {
  private @Nullable Umem umem;

  @Override
  public String scheme() {
    return "xdp";
  }

  @Override
  public DriverPort open(PortRequest request) {
    XdpAddress address = XdpAddress.of(request.address());
    return ReopeningPort.open(request, address.reopen(), () -> open(request, address));
  }

  private synchronized XdpPort open(PortRequest request, XdpAddress address) {
    NetInterface networkInterface = NetInterface.read(address.interfaceName());
    XdpPlan plan = XdpPlan.of(address, networkInterface, request);
    if (umem == null) {
      umem = Umem.create(request.pools(), plan.sharedBuffers(), plan.frameBytes());
    }
    return XdpPort.open(plan.fitting(umem.unreserved()), request, umem);
  }
}
