package io.linerate.middlebox.nat;

/**
 * Which packets from outside come in by a mapping that is there: RFC 4787, section 5. The mapping
 * itself depends on no endpoint (section 4.1), whatever this is.
 */
public enum NatFiltering {
  /** All: what the RFC recommends where transparency counts most. */
  ENDPOINT_INDEPENDENT,
  /** Those from addresses to which something was sent by it. */
  ADDRESS_DEPENDENT,
  /** Those from addresses and ports to which something was sent by it: as a firewall would. */
  ADDRESS_AND_PORT_DEPENDENT
}
