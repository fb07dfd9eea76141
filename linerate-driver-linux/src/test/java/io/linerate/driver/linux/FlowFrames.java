package io.linerate.driver.linux;

import io.linerate.core.port.AddressPrefix;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** Frames of flows, with what steering rules are about. */
final class FlowFrames {
  private static final String MACS = "020000000002" + "020000000001";
  private static final int FRAME_BYTES = 70;

  private FlowFrames() {}

  /** UDP of IPv4 or IPv6, as the addresses say. */
  static byte[] udp(String source, String destination, int sourcePort, int destinationPort) {
    return ethernet(ip(source, destination, 17, "", ports(sourcePort, destinationPort)));
  }

  static byte[] tcp(String source, String destination, int sourcePort, int destinationPort) {
    String rest = "00000001" + "00000000" + "50100000" + "00000000";
    return ethernet(ip(source, destination, 6, "", ports(sourcePort, destinationPort) + rest));
  }

  /** The frame with tags before its type: {@code 81000064} is VLAN 100. */
  static byte[] tagged(String tags, byte[] frame) {
    String hex = HexFormat.of().formatHex(frame);
    return HexFormat.of().parseHex(hex.substring(0, 24) + tags + hex.substring(24));
  }

  /** A frame of another protocol than IP. */
  static byte[] ofType(int etherType) {
    return ethernet("%04x".formatted(etherType) + "00".repeat(46));
  }

  /** IPv6 with a header of destination options of 16 bytes before UDP. */
  static byte[] udpBehindOptions(String source, String destination, int destinationPort) {
    String options = "11" + "01" + "00".repeat(14);
    return ethernet(ip(source, destination, 60, options, ports(7, destinationPort)));
  }

  /** A fragment of UDP: the first, with ports, or another; of IPv4 or IPv6. */
  static byte[] fragment(String source, String destination, boolean isFirst, int destinationPort) {
    boolean isIpv6 = source.indexOf(':') >= 0;
    String rest = isFirst ? ports(7, destinationPort) : "ab".repeat(16);
    if (isIpv6) {
      String header = "1100" + (isFirst ? "0001" : "0010") + "00000001";
      return ethernet(ip(source, destination, 44, header, rest));
    }
    byte[] frame = ethernet(ip(source, destination, 17, "", rest));
    frame[20] = (byte) (isFirst ? 0x20 : 0); // More fragments.
    frame[21] = (byte) (isFirst ? 0 : 2); // Offset in 8 bytes.
    return frame;
  }

  private static String ports(int source, int destination) {
    return "%04x%04x".formatted(source, destination) + "00100000" + "00".repeat(8);
  }

  private static String ip(
      String source, String destination, int protocol, String extensions, String rest) {
    String addresses = address(source) + address(destination);
    int lengthBytes = (extensions.length() + rest.length()) / 2;
    if (source.indexOf(':') >= 0) {
      return "86dd60000000%04x%02x40".formatted(lengthBytes, protocol)
          + addresses
          + extensions
          + rest;
    }
    return "08004500%04x0000000040%02x0000".formatted(20 + lengthBytes, protocol)
        + addresses
        + rest;
  }

  private static String address(String text) {
    return HexFormat.of().formatHex(AddressPrefix.parse(text).address());
  }

  private static byte[] ethernet(String typeAndRest) {
    byte[] bytes = HexFormat.of().parseHex(MACS + typeAndRest);
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(bytes);
    frame.writeBytes(new byte[Math.max(0, FRAME_BYTES - bytes.length)]);
    return frame.toByteArray();
  }
}
