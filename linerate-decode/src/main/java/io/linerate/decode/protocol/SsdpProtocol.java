package io.linerate.decode.protocol;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;

/**
 * The simple service discovery protocol: a layer without bytes of its own, which says that the
 * message of HTTP that follows is one of it.
 */
public final class SsdpProtocol implements Protocol {
  public static final Fields SSDP =
      Fields.of(
          "ssdp", "Simple Service Discovery Protocol", "UPnP Device Architecture 2.0, section 1");

  private final Protocol message = new HttpProtocol();

  @Override
  public Fields fields() {
    return SSDP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(1900));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(0);
    scan.next(message);
  }
}
