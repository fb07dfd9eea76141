package io.linerate.filter;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What the names in filters stand for. Each answers with nothing if it does not know the name. */
public interface FilterNames {
  /** IPv4 and IPv6 addresses of a host, 4 or 16 bytes each. */
  List<byte[]> host(String name);

  /** The port of a TCP or UDP service. */
  Optional<Service> service(String name);

  /** The number of a protocol of IP. */
  OptionalInt protocol(String name);

  /** An IPv4 network, its last bytes left out: {@code 0x7F} for 127.0.0.0/8. */
  OptionalInt network(String name);

  /** The Ethernet address of a host, 6 bytes. */
  Optional<byte[]> ethernet(String name);

  /** The system's: its resolver, and the files services, protocols, networks and ethers of /etc. */
  static FilterNames ofSystem() {
    return new SystemNames(Path.of("/etc"));
  }

  /** No names at all: for filters of strangers, whose names nobody is to ask servers for. */
  static FilterNames none() {
    return NoNames.INSTANCE;
  }

  /**
   * A port and who has it.
   *
   * @param port 0 to 65,535
   * @param ofTcp whether it is one of TCP
   * @param ofUdp whether it is one of UDP
   */
  record Service(int port, boolean ofTcp, boolean ofUdp) {}
}
