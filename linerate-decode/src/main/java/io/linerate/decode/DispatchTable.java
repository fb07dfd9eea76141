package io.linerate.decode;

/**
 * What a number in a header says about what follows, such as the port of UDP: a key of a binding.
 * Two with the same name are one.
 *
 * @param name as users write it; tshark's where it has the table
 */
public record DispatchTable(String name) {
  /** LINKTYPE_ of the packet. */
  public static final DispatchTable LINK_TYPE = new DispatchTable("wtap_encap");

  public static final DispatchTable ETHER_TYPE = new DispatchTable("ethertype");

  /** Protocol of IPv4, next header of IPv6. */
  public static final DispatchTable IP_PROTOCOL = new DispatchTable("ip.proto");

  public static final DispatchTable UDP_PORT = new DispatchTable("udp.port");
  public static final DispatchTable TCP_PORT = new DispatchTable("tcp.port");
  public static final DispatchTable SCTP_PORT = new DispatchTable("sctp.port");
  public static final DispatchTable DCCP_PORT = new DispatchTable("dccp.port");

  /** Payload protocol identifier of SCTP. */
  public static final DispatchTable SCTP_PPI = new DispatchTable("sctp.ppi");

  public static final DispatchTable PPP_PROTOCOL = new DispatchTable("ppp.protocol");

  /** Destination service access point of LLC. */
  public static final DispatchTable LLC_SAP = new DispatchTable("llc.dsap");

  /** Protocol of SNAP with the organisation code of Cisco. */
  public static final DispatchTable CISCO_PID = new DispatchTable("llc.cisco_pid");

  /** Says which protocol a key stands for. */
  public DispatchKey key(long value) {
    return new DispatchKey(this, value);
  }
}
