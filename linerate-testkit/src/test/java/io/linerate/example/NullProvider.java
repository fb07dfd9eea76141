package io.linerate.example;

import io.linerate.core.config.ConfigException;
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
    var options = request.address().options(List.of("size"));
    String size = options.getOrDefault("size", "64");
    if (!size.matches("[0-9]{1,4}") || Integer.parseInt(size) > NullPort.MAX_BYTES) {
      throw new ConfigException(
          "bad frame size: size=%s, address=%s; write 0 to %d"
              .formatted(size, request.address(), NullPort.MAX_BYTES));
    }
    return new NullPort(request, Integer.parseInt(size));
  }
}
