package io.linerate.track;

import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import java.util.Arrays;

/**
 * A connection as another table, of this or another program, can go on with it: {@value #WORDS}
 * words, those of {@link ConnectionRecords}: the hot ones, with what is left of its time in word 4
 * and its age in word 7, both ns, and the addresses of IPv6; all 0 where there is no connection.
 */
public final class ConnectionImage {
  /** Words of an image. */
  public static final int WORDS = ConnectionRecords.WORDS + ConnectionRecords.ADDRESS_WORDS;

  private static final int LEFT = ConnectionRecords.EXPIRES;
  private static final int AGE = ConnectionRecords.NEXT_PREVIOUS;

  /** 30 years: behind it sums would overflow. */
  private static final long MOST_LEFT_NS = 1L << 60;

  private ConnectionImage() {}

  /**
   * Writes an image of a connection.
   *
   * @param number one that is not live makes an image of none
   * @param image {@link #WORDS} words
   */
  public static void write(ConnectionRecords records, int number, long nowNs, long[] image) {
    if (!records.isLive(number)) {
      Arrays.fill(image, 0, WORDS, 0);
      return;
    }
    records.copyTo(image, number);
    image[LEFT] = records.expiresNs(number) - nowNs;
    image[AGE] = nowNs - records.beganNs(number);
  }

  /** Whether there is a connection in an image, of which all can be read. */
  public static boolean isConnection(long[] image) {
    int state = (int) image[ConnectionRecords.FLAGS_STATE];
    return (state & ConnectionRecords.LIVE) != 0
        && ConnectionRecords.phaseNumberOf(state) < Phase.values().length
        && isKind(image[ConnectionRecords.KIND])
        && isKind(image[ConnectionRecords.REPLY + ConnectionRecords.KIND]);
  }

  private static boolean isKind(long kind) {
    long version = kind >>> 48;
    return version == Ipv4.VERSION || version == Ipv6.VERSION;
  }

  /** Reads an image that has a connection; its place in lists is none. */
  static void read(ConnectionRecords records, int number, long[] image, long nowNs) {
    long expiresNs = nowNs + Math.clamp(image[LEFT], 1, MOST_LEFT_NS);
    long beganNs = nowNs - Math.clamp(image[AGE], 0, MOST_LEFT_NS);
    records.copyFrom(image, number, expiresNs, beganNs);
    if (records.protocol(number) == IpProtocol.TCP) {
      TcpState.seenFromTheMiddle(records, number);
    }
  }
}
