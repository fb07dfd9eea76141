package io.linerate.apps.generate;

import io.linerate.core.config.ConfigException;
import io.linerate.wire.Arp;
import io.linerate.wire.Icmp;
import io.linerate.wire.Tcp;
import io.linerate.wire.Udp;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a generated frame carries. ICMP over IPv6 is ICMPv6. */
enum FrameProtocol {
  UDP(Udp.HEADER_BYTES),
  TCP(Tcp.HEADER_BYTES),
  ICMP(Icmp.HEADER_BYTES),
  ARP(Arp.HEADER_BYTES);

  /** Of its header, after that of IP if there is one. */
  final int headerBytes;

  FrameProtocol(int headerBytes) {
    this.headerBytes = headerBytes;
  }

  static FrameProtocol parse(String text) {
    return Arrays.stream(values())
        .filter(protocol -> protocol.key().equals(text))
        .findFirst()
        .orElseThrow(
            () -> new ConfigException("unknown protocol: protocol=" + text + "; " + remedy()));
  }

  private static String remedy() {
    return Arrays.stream(values())
        .map(FrameProtocol::key)
        .collect(Collectors.joining(", ", "write one of ", ""));
  }

  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean hasPorts() {
    return this == UDP || this == TCP;
  }
}
