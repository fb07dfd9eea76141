package io.linerate.wire;

import io.linerate.core.memory.Packet;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** MAC addresses as text: 48 bits in a {@code long}. Not for the packet path. */
public final class MacAddress {
  public static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

  /** The largest address. */
  public static final long MAX = 0xFFFF_FFFF_FFFFL;

  private static final Pattern FORM =
      Pattern.compile("\\p{XDigit}{2}([:-])(?:\\p{XDigit}{2}\\1){4}\\p{XDigit}{2}");

  private MacAddress() {}

  /** The address in a packet at an offset, as the low 48 bits. */
  static long at(Packet packet, int offset) {
    return (long) packet.u16(offset) << 32 | packet.u32(offset + 2);
  }

  /** Whether frames to it may have several receivers: the group bit of IEEE 802, the broadcast. */
  public static boolean isMulticast(long address) {
    return (address & 0x0100_0000_0000L) != 0;
  }

  /** The form {@code 02:00:5e:10:00:01}. */
  public static String format(long address) {
    FieldRange.check("MAC address", address, MAX);
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(address).array();
    return HexFormat.ofDelimiter(":").formatHex(bytes, 2, Long.BYTES);
  }

  /**
   * Reads six groups of two hexadecimal digits, all separated by colons or all by hyphens.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static long parse(String text) {
    if (!FORM.matcher(text).matches()) {
      throw malformed(text);
    }
    return Long.parseLong(text.replace(text.substring(2, 3), ""), 16);
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "not a MAC address: text=" + text + "; write it as 02:00:5e:10:00:01");
  }
}
