package io.linerate.bench.duel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** Capture files of frames for contestants, and what contestants wrote. */
public final class PcapFrames {
  private static final int MAGIC = 0xA1B2C3D4;
  private static final int HEADER_BYTES = 24;
  private static final int RECORD_BYTES = 16;
  private static final int CAPTURED_LENGTH = 8;
  private static final int ETHERNET = 1;
  private static final int IP = 14;
  private static final int IP_BYTES = 20;
  private static final int ARP = 0x0806;
  private static final int TTL = 64;
  private static final int[] PROTOCOLS = {1, 6, 17, 17};

  private PcapFrames() {}

  /**
   * An Ethernet frame with IPv4, from a source, of a protocol.
   *
   * @param bytes its length, without check sequence
   */
  public static byte[] frame(int source, int protocol, int bytes) {
    return frame(source, 0x0A01_0001, protocol, TTL, bytes);
  }

  /**
   * The same to a destination.
   *
   * @param ttl time to live, 0 to 255
   */
  public static byte[] frame(int source, int destination, int protocol, int ttl, int bytes) {
    ByteBuffer frame = ByteBuffer.allocate(bytes);
    frame.putShort(12, (short) 0x0800);
    frame.put(IP, (byte) 0x45);
    frame.putShort(IP + 2, (short) (bytes - IP));
    frame.put(IP + 8, (byte) ttl);
    frame.put(IP + 9, (byte) protocol);
    frame.putInt(IP + 12, source);
    frame.putInt(IP + 16, destination);
    frame.putShort(IP + IP_BYTES + 4, (short) (bytes - IP - IP_BYTES));
    int sum = 0;
    for (int i = IP; i < IP + IP_BYTES; i += 2) {
      sum += frame.getShort(i) & 0xFFFF;
    }
    sum = (sum & 0xFFFF) + (sum >>> 16);
    frame.putShort(IP + 10, (short) ~((sum & 0xFFFF) + (sum >>> 16)));
    return frame.array();
  }

  /** ICMP, TCP, or twice as often UDP. */
  public static int anyProtocol(Random random) {
    return PROTOCOLS[random.nextInt(PROTOCOLS.length)];
  }

  /** A frame that is not IP. */
  public static byte[] arp() {
    ByteBuffer frame = ByteBuffer.allocate(64);
    frame.putShort(12, (short) ARP);
    return frame.array();
  }

  public static Path write(Path file, List<byte[]> frames) {
    int bytes = frames.stream().mapToInt(frame -> RECORD_BYTES + frame.length).sum();
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC).putShort((short) 2).putShort((short) 4).putInt(0).putInt(0);
    out.putInt(65_535).putInt(ETHERNET);
    for (byte[] frame : frames) {
      out.putInt(0).putInt(0).putInt(frame.length).putInt(frame.length).put(frame);
    }
    try {
      return Files.write(file, out.array());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write: file=" + file, e);
    }
  }

  /** "COUNT frames SHA-256" of the frames in a file, without their times. */
  static String digest(Path file) {
    try {
      ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      int count = 0;
      for (int at = HEADER_BYTES; at + RECORD_BYTES <= in.limit(); count++) {
        int length = in.getInt(at + CAPTURED_LENGTH);
        digest.update(in.slice(at + CAPTURED_LENGTH, CAPTURED_LENGTH + length));
        at += RECORD_BYTES + length;
      }
      return count + " frames " + HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read what was sent: file=" + file, e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
