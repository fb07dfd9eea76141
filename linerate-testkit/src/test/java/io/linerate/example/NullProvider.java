package io.linerate.example;

import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import java.util.List;

/** {@code null:[size=64]}: frames without end; what is sent is gone. */
public final class NullProvider implements PortProvider {
  @Override
  public String scheme() {
    return "null";
  }

  @Override
  public DriverPort open(PortRequest request) {
    AddressOptions options = AddressOptions.of(request.address(), List.of("size"));
    return new NullPort(request, options.number("size", 64, 0, NullPort.MAX_BYTES));
  }
}
