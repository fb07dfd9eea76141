package io.linerate.decode;

import java.util.Map;
import java.util.Set;

/**
 * What a number in a header says about what follows, such as the port of UDP: a key of a binding.
 * Two with the same name are one.
 *
 * <p>A table is known to {@link Protocols#bind} if it is one of Linerate's, or a protocol has a
 * number in it among its {@link Protocol#keys}.
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

  private static final long MAX = 0xFFFF_FFFFL;
  private static final long MAX_16_BITS = 0xFFFF;
  private static final long MAX_8_BITS = 0xFF;

  /** The highest numbers of those that Linerate's protocols read. */
  private static final Map<String, Long> HIGHEST =
      Map.ofEntries(
          Map.entry(LINK_TYPE.name, MAX_16_BITS),
          Map.entry(ETHER_TYPE.name, MAX_16_BITS),
          Map.entry(IP_PROTOCOL.name, MAX_8_BITS),
          Map.entry(UDP_PORT.name, MAX_16_BITS),
          Map.entry(TCP_PORT.name, MAX_16_BITS),
          Map.entry(SCTP_PORT.name, MAX_16_BITS),
          Map.entry(DCCP_PORT.name, MAX_16_BITS),
          Map.entry(SCTP_PPI.name, MAX),
          Map.entry(PPP_PROTOCOL.name, MAX_16_BITS),
          Map.entry(LLC_SAP.name, MAX_8_BITS),
          Map.entry(CISCO_PID.name, MAX_16_BITS),
          Map.entry("chdlc.protocol", MAX_16_BITS),
          Map.entry("eapol.type", MAX_8_BITS),
          Map.entry("gre.proto", MAX_16_BITS),
          Map.entry("pw.nibble", 15L),
          Map.entry("pwach.channel_type", MAX_16_BITS),
          Map.entry("rtp.pt", 127L),
          Map.entry("slow.subtype", MAX_8_BITS));

  /** Names of those that Linerate's protocols read, whether numbers stand for anything or not. */
  static Set<String> names() {
    return HIGHEST.keySet();
  }

  /** The highest number that it has; 4,294,967,295 of those that Linerate does not know. */
  public long highest() {
    return HIGHEST.getOrDefault(name, MAX);
  }

  /**
   * Says which protocol a key stands for.
   *
   * @param value 0 to {@link #highest}
   * @throws IllegalArgumentException if the table has no such number
   */
  public DispatchKey key(long value) {
    return new DispatchKey(this, value);
  }
}
