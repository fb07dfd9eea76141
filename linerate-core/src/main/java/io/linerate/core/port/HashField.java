package io.linerate.core.port;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EnumText;

/** Kinds of packets that a device spreads over its queues, each by the fields named. */
public enum HashField {
  /** The addresses of IPv4. */
  IPV4,
  /** Addresses and ports of TCP over IPv4. */
  IPV4_TCP,
  /**
   * Addresses and ports of UDP over IPv4. Fragments have none, and so may come by another queue.
   */
  IPV4_UDP,
  /** The addresses of IPv6. */
  IPV6,
  /** Addresses and ports of TCP over IPv6. */
  IPV6_TCP,
  /** Addresses and ports of UDP over IPv6. */
  IPV6_UDP;

  /** The name in port addresses: {@code ipv4-tcp}. */
  public String key() {
    return EnumText.of(this);
  }

  /**
   * The field of that name.
   *
   * @throws ConfigException if there is none of that name
   */
  public static HashField ofKey(String key) {
    return EnumText.read(key, HashField.class)
        .orElseThrow(() ->
            new ConfigException(
                "no such hash field: field=%s; there are %s"
                    .formatted(key, EnumText.all(HashField.class))));
  }
}
