package io.linerate.bench.middlebox;

import java.nio.ByteBuffer;

/**
 * A connection between a client and a server, and its frames, of 64 bytes, with right checksums.
 * The last byte of a frame's Ethernet source says which end has sent it.
 *
 * @param number from 0 on; no two have the same protocol and client port
 * @param isTcp or UDP
 */
record Conversation(int number, boolean isTcp) {
  /** Of the byte that tells ends from each other. */
  static final int SIDE = 11;

  static final int FROM_CLIENT = 0;
  static final int FROM_SERVER = 1;

  /** Networks of 16 bits that clients are in, from 10.0.0.0 on. */
  static final int CLIENT_NETWORKS = 64;

  /** 198.51.100.0. */
  static final int SERVERS = 0xC633_6400;

  private static final int CLIENTS = 0x0A00_0000;
  private static final int FRAME_BYTES = 64;
  private static final int IP = 14;
  private static final int L4 = 34;
  private static final int UDP = 17;
  private static final int TCP = 6;
  private static final int FIRST_PORT = 1_024;
  private static final int WINDOW = 8_192;
  private static final int SYN_FLAG = 2;
  private static final int ACK_FLAG = 16;

  /** Of a SYN's header, with the option of window scale (RFC 7323, section 2.2), 7 bits. */
  private static final int SYN_WORDS = 6;

  private static final int SCALE_OPTION = 0x0103_0307;

  /** Three of four are TCP. */
  static Conversation of(int number) {
    return new Conversation(number, number % 4 != 3);
  }

  int client() {
    return CLIENTS | ((number % CLIENT_NETWORKS) << 16) | (number / CLIENT_NETWORKS + 1);
  }

  int clientPort() {
    return FIRST_PORT + (isTcp ? number / 4 * 3 + number % 4 : number / 4);
  }

  int server() {
    return SERVERS + 1 + number % 200;
  }

  int serverPort() {
    return isTcp ? 443 : 53;
  }

  private int clientSequence() {
    return number * 0x9E37_79B1;
  }

  private int serverSequence() {
    return ~number * 0x85EB_CA6B;
  }

  /** What begins it. */
  byte[] begin() {
    return isTcp ? toServer(server(), serverPort(), SYN_FLAG) : data();
  }

  /**
   * What the server answers to that.
   *
   * @param client where it goes, which is another address behind a translator
   */
  byte[] answer(int client) {
    return isTcp ? toClient(client, SYN_FLAG | ACK_FLAG) : reply(client);
  }

  /** Data from the client, the same each time. */
  byte[] data() {
    return data(server(), serverPort());
  }

  /** The same to another address. */
  byte[] data(int toAddress, int toPort) {
    return toServer(toAddress, toPort, ACK_FLAG);
  }

  /** Data from the server, the same each time. */
  byte[] reply(int client) {
    return toClient(client, ACK_FLAG);
  }

  /** Data from the client that no server would take any more. */
  byte[] outsideWindow() {
    byte[] frame = data();
    ByteBuffer.wrap(frame).putInt(L4 + 4, clientSequence() + 0x4000_0000);
    writeChecksum(frame);
    return frame;
  }

  private byte[] toServer(int address, int port, int flags) {
    boolean isSyn = (flags & SYN_FLAG) != 0;
    return frame(
        FROM_CLIENT,
        client(),
        address,
        (clientPort() << 16) | port,
        isSyn ? clientSequence() : clientSequence() + 1,
        isSyn ? 0 : serverSequence() + 1,
        flags);
  }

  private byte[] toClient(int address, int flags) {
    boolean isSyn = (flags & SYN_FLAG) != 0;
    return frame(
        FROM_SERVER,
        server(),
        address,
        (serverPort() << 16) | clientPort(),
        isSyn ? serverSequence() : serverSequence() + 1,
        clientSequence() + 1,
        flags);
  }

  private byte[] frame(
      int side,
      int source,
      int destination,
      int ports,
      int sequence,
      int acknowledgment,
      int flags) {
    boolean isSyn = isTcp && (flags & SYN_FLAG) != 0;
    ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
    frame.put(SIDE, (byte) side);
    frame.putShort(12, (short) 0x0800);
    frame.put(IP, (byte) 0x45);
    // A SYN has no data: what is behind its header is padding.
    int ipBytes = isSyn ? 20 + 4 * SYN_WORDS : FRAME_BYTES - IP;
    frame.putShort(IP + 2, (short) ipBytes);
    frame.put(IP + 8, (byte) 64);
    frame.put(IP + 9, (byte) (isTcp ? TCP : UDP));
    frame.putInt(IP + 12, source);
    frame.putInt(IP + 16, destination);
    frame.putInt(L4, ports);
    if (isTcp) {
      frame.putInt(L4 + 4, sequence);
      frame.putInt(L4 + 8, acknowledgment);
      frame.putShort(L4 + 12, (short) (((isSyn ? SYN_WORDS : 5) << 12) | flags));
      frame.putShort(L4 + 14, (short) WINDOW);
      if (isSyn) {
        frame.putInt(L4 + 20, SCALE_OPTION);
      }
    } else {
      frame.putShort(L4 + 4, (short) (FRAME_BYTES - L4));
    }
    frame.putShort(IP + 10, (short) ~sum(frame, IP, 20, 0));
    writeChecksum(frame.array());
    return frame.array();
  }

  private void writeChecksum(byte[] bytes) {
    ByteBuffer frame = ByteBuffer.wrap(bytes);
    int at = L4 + (isTcp ? 16 : 6);
    int l4Bytes = frame.getShort(IP + 2) - 20;
    frame.putShort(at, (short) 0);
    int pseudo = sum(frame, IP + 12, 8, (isTcp ? TCP : UDP) + l4Bytes);
    frame.putShort(at, (short) ~sum(frame, L4, l4Bytes, pseudo));
  }

  /** Folded to 16 bits. */
  private static int sum(ByteBuffer frame, int from, int bytes, int start) {
    int sum = start;
    for (int i = from; i < from + bytes; i += 2) {
      sum += frame.getShort(i) & 0xFFFF;
    }
    sum = (sum & 0xFFFF) + (sum >>> 16);
    return (sum & 0xFFFF) + (sum >>> 16);
  }
}
