package io.linerate.bench.duel;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Traffic as on a link to the Internet: frames of 64, 576 and 1,514 bytes, 7 to 4 to 1 ("simple
 * IMIX", 361 bytes on the average), one flow in five IPv6, and flow n as often as 1 / n.
 */
public final class InternetMix {
  /** In the names of cases. */
  public static final String TITLE = "Internet mix of 10,000 flows";

  private static final int FLOWS = 10_000;
  private static final int[] SIZES = {64, 64, 64, 64, 64, 64, 64, 576, 576, 576, 576, 1_514};
  private static final int[] PROTOCOLS = {6, 6, 17, 17, 6, 6, 17, 6, 6, 1};
  private static final int IP = 14;
  private static final int IPV6_BYTES = 40;

  /** An odd number, so that addresses look like random ones, and none comes twice. */
  private static final int STEP = 0x9E37_79B1;

  private InternetMix() {}

  /** So many frames, always the same. */
  public static List<byte[]> frames(int count) {
    Random random = new Random(count);
    List<byte[]> frames = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int flow = (int) Math.pow(FLOWS, random.nextDouble());
      frames.add(frame(flow, SIZES[random.nextInt(SIZES.length)]));
    }
    return frames;
  }

  private static byte[] frame(int flow, int bytes) {
    int protocol = PROTOCOLS[flow % PROTOCOLS.length];
    byte[] frame =
        flow % 5 == 1
            ? ipv6(flow * (long) STEP, ~flow * (long) STEP, protocol, bytes)
            : PcapFrames.frame(address(flow), protocol, bytes);
    int ports = flow % 5 == 1 ? IP + IPV6_BYTES : IP + 20;
    ByteBuffer.wrap(frame).putInt(ports, flow * STEP);
    return frame;
  }

  /** The source of a flow over IPv4. */
  private static int address(int flow) {
    return 0x0A00_0000 | (flow * STEP & 0x00FF_FFFF);
  }

  /** The sources of all flows over IPv4. */
  public static List<Integer> addresses() {
    List<Integer> addresses = new ArrayList<>();
    for (int flow = 1; flow < FLOWS; flow++) {
      addresses.add(address(flow));
    }
    return addresses;
  }

  /**
   * An Ethernet frame with IPv6 and no extension headers.
   *
   * @param source the lower half of the address
   * @param destination likewise
   */
  public static byte[] ipv6(long source, long destination, int protocol, int bytes) {
    ByteBuffer frame = ByteBuffer.allocate(bytes);
    frame.putShort(12, (short) 0x86DD);
    frame.put(IP, (byte) 0x60);
    frame.putShort(IP + 4, (short) (bytes - IP - IPV6_BYTES));
    frame.put(IP + 6, (byte) protocol);
    frame.put(IP + 7, (byte) 64);
    frame.putLong(IP + 16, source);
    frame.putLong(IP + 32, destination);
    if (protocol == 6 && bytes > IP + IPV6_BYTES + 12) {
      frame.put(IP + IPV6_BYTES + 12, (byte) 0x50);
    }
    return frame.array();
  }
}
