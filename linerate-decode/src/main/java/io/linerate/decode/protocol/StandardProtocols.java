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
          // Networks, transport and routing.
          new Ipv4Protocol(),
          new Ipv6Protocol(),
          new HopByHopProtocol(),
          new DestinationOptionsProtocol(),
          new Ipv6RoutingProtocol(),
          new FragmentProtocol(),
          new MobilityProtocol(),
          new HipProtocol(),
          new Shim6Protocol(),
          new IcmpProtocol(),
          new Icmpv6Protocol(),
          new IgmpProtocol(),
          new UdpProtocol(),
          new UdpLiteProtocol(),
          new TcpProtocol(),
          new SctpProtocol(),
          new SctpChunkProtocol(),
          new DccpProtocol(),
          new OspfProtocol(),
          new BgpProtocol(),
          new RipProtocol(),
          new EigrpProtocol(),
          new PimProtocol(),
          new VrrpProtocol(),
          new HsrpProtocol(),
          new BfdProtocol(),
          // Links and tunnels.
          new AhProtocol(),
          new ArpProtocol(),
          new AssociatedChannelProtocol(),
          new CcpProtocol(),
          new ChapProtocol(),
          new CiscoHdlcProtocol(),
          new Cooked2Protocol(),
          new CookedProtocol(),
          new EapProtocol(),
          new EapolProtocol(),
          new ErspanProtocol(),
          new EspProtocol(),
          new EtherIpProtocol(),
          new GeneveProtocol(),
          new GreProtocol(),
          new GtpProtocol(),
          new IpcpProtocol(),
          new Ipv6cpProtocol(),
          new L2tpProtocol(),
          new LacpProtocol(),
          new LcpProtocol(),
          new LlcProtocol(),
          new LldpProtocol(),
          new MacsecProtocol(),
          new MarkerProtocol(),
          new MplsProtocol(),
          new MultilinkProtocol(),
          new NshProtocol(),
          new NullProtocol(),
          new PapProtocol(),
          new PppProtocol(),
          new PppoeDiscoveryProtocol(),
          new PppoeSessionProtocol(),
          new ProviderBridgeProtocol(),
          new PseudowireProtocol(),
          new RadiotapProtocol(),
          new RawProtocol(),
          new SlarpProtocol(),
          new SlowProtocol(),
          new StpProtocol(),
          new UdpEncapsulationProtocol(),
          new VxlanGpeProtocol(),
          new VxlanProtocol(),
          new WlanAggregateProtocol(),
          new WlanManagementProtocol(),
          new WlanProtocol(),
          // Applications.
          new DhcpProtocol(),
          new Dhcpv6Protocol(),
          new DnsProtocol(),
          new DnsTcpProtocol(),
          new HttpProtocol(),
          new LlmnrProtocol(),
          new MdnsProtocol(),
          new NtpProtocol(),
          new QuicProtocol(),
          new SsdpProtocol(),
          new TlsProtocol());

  private StandardProtocols() {}

  /** All of them. */
  public static List<Protocol> all() {
    return ALL;
  }
}
