package io.linerate.decode.protocol;

import io.linerate.decode.Protocol;
import java.util.List;

/** The protocols that Linerate knows. */
public final class StandardProtocols {
  private static final List<Protocol> ALL =
      List.of(
          new FrameProtocol(),
          new DataProtocol(),
          new EthernetProtocol(),
          new VlanProtocol(),
          new Ipv4Protocol(),
          new UdpProtocol(),
          new TcpProtocol());

  private StandardProtocols() {}

  /** All of them. */
  public static List<Protocol> all() {
    return ALL;
  }
}
