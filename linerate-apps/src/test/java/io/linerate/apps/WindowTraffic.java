package io.linerate.apps;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A capture of half a minute, always the same, in which all is that windows tell of: connections of
 * TCP over IPv4 and IPv6, flows of UDP that pause, names that are asked for, scans, floods, echo
 * requests, fragments, VLAN tags, other protocols. Some packets are a little older than those
 * before them. It is made without the code under test.
 */
final class WindowTraffic {
  static final int SECONDS = 30;

  private static final long START_NS = 1_700_000_000_000_000_000L;
  private static final long SECOND_NS = 1_000_000_000;
  private static final long MOST_BACK_NS = 50_000_000;
  private static final int MAGIC_NS = 0xA1B23C4D;
  private static final int CONNECTIONS = 2_000;
  private static final int MAX_PAYLOAD = 1_200;
  private static final int TCP = 6;
  private static final int UDP = 17;
  private static final int ICMP = 1;
  private static final int FIN = 1;
  private static final int SYN = 2;
  private static final int RST = 4;
  private static final int PSH = 8;
  private static final int ACK = 16;
  private static final int CLIENTS = 0x0A00_0000;
  private static final int SERVERS = 0xC000_0200;
  private static final int SCANNER = 0x0A42_0001;

  private final SplittableRandom random = new SplittableRandom(7);
  private final ByteBuffer frame = ByteBuffer.allocate(2_048);
  private final ByteBuffer record = ByteBuffer.allocate(16).order(java.nio.ByteOrder.LITTLE_ENDIAN);
  private final OutputStream out;
  private final int perSecond;

  // Of each connection: its number, which says who talks; how far it is.
  private final int[] numbers = new int[CONNECTIONS];
  private final int[] steps = new int[CONNECTIONS];
  private int nextNumber;
  private long nowNs;
  private int written;

  private WindowTraffic(OutputStream out, long bytes) {
    this.out = out;
    perSecond = (int) (bytes / SECONDS / 325); // Bytes of what is done at once, on average.
  }

  /** Writes about so many bytes. */
  static Path write(Path file, long bytes) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      WindowTraffic traffic = new WindowTraffic(out, bytes);
      out.write(
          ByteBuffer.allocate(24)
              .order(java.nio.ByteOrder.LITTLE_ENDIAN)
              .putInt(MAGIC_NS)
              .putShort((short) 2)
              .putShort((short) 4)
              .putInt(16, 262_144)
              .putInt(20, 1)
              .array());
      for (int second = 0; second < SECONDS; second++) {
        traffic.write(second);
      }
    }
    return file;
  }

  private void write(int second) throws IOException {
    long gapNs = SECOND_NS / perSecond;
    for (int i = 0; i < CONNECTIONS && second == 0; i++) {
      numbers[i] = nextNumber++;
    }
    for (int i = 0; i < perSecond; i++) {
      nowNs = START_NS + second * SECOND_NS + i * gapNs;
      switch (random.nextInt(100)) {
        case 0, 1 -> ask();
        case 2 -> pausing(second);
        case 3 -> other();
        case 4, 5, 6 -> scan(second);
        case 7, 8, 9, 10 -> flood(second);
        default -> connection(random.nextInt(CONNECTIONS));
      }
    }
  }

  // --- what happens ---

  /** One packet of a connection, which another one follows when it has ended. */
  private void connection(int at) throws IOException {
    int number = numbers[at];
    int step = steps[at]++;
    int length = 6 + number % 40;
    switch (step) {
      case 0 -> tcp(number, true, SYN, 0);
      case 1 -> tcp(number, false, SYN | ACK, 0);
      case 2 -> tcp(number, true, ACK, 0);
      default -> {
        if (step < length) {
          boolean isThere = random.nextInt(10) < 3;
          tcp(number, isThere, ACK | PSH, random.nextInt(isThere ? 300 : MAX_PAYLOAD));
        } else if (step == length) {
          tcp(number, true, FIN | ACK, 0);
        } else if (step == length + 1) {
          tcp(number, false, FIN | ACK, 0);
        } else {
          tcp(number, true, ACK, 0);
          numbers[at] = nextNumber++;
          steps[at] = 0;
        }
      }
    }
  }

  /** Each number is another client's port; a few servers have most of the connections. */
  private void tcp(int number, boolean isThere, int flags, int payload) throws IOException {
    int client = number / 50_000 * 256 + number % 251 + 1;
    int clientPort = 1_024 + number / 251 % 60_000;
    int server = Integer.numberOfTrailingZeros(number * 0x9E37_79B1 | 0x100) + 1;
    int serverPort = number % 5 == 0 ? 80 : 443;
    begin();
    if (number % 4 == 3) {
      ipv6(TCP, isThere, client, server, 20 + payload);
    } else {
      ipv4(
          TCP,
          isThere ? CLIENTS + client : SERVERS + server,
          isThere ? SERVERS + server : CLIENTS + client,
          20 + payload);
    }
    segment(isThere ? clientPort : serverPort, isThere ? serverPort : clientPort, flags, payload);
    end(number % 50 == 0);
  }

  private void segment(int port, int toPort, int flags, int payload) {
    frame.putShort((short) port).putShort((short) toPort).putInt(written).putInt(written);
    frame.putShort((short) (0x5000 | flags)).putShort((short) 0xFFFF).putInt(0);
    frame.position(frame.position() + payload);
  }

  /** A question for a name, few of which are asked for often, and its answer. */
  private void ask() throws IOException {
    int rank = (int) Math.pow(400, random.nextDouble());
    String name = "Host" + rank + ".zone" + rank % 7 + ".Example";
    int client = CLIENTS + 0x1_0000 + random.nextInt(200);
    int port = 1_024 + random.nextInt(60_000);
    for (int answer = 0; answer < 2; answer++) {
      ByteBuffer message = ByteBuffer.allocate(64);
      message.putShort((short) port).putShort((short) (answer == 0 ? 0x0100 : 0x8180));
      message.putShort((short) 1).putShort((short) 0).putInt(0);
      for (String label : name.split("\\.", -1)) {
        byte[] bytes = label.getBytes(StandardCharsets.US_ASCII);
        message.put((byte) bytes.length).put(bytes);
      }
      message.put((byte) 0).putShort((short) 1).putShort((short) 1);
      int server = SERVERS + 53;
      udp(
          answer == 0 ? client : server,
          answer == 0 ? port : 53,
          answer == 0 ? server : client,
          answer == 0 ? 53 : port,
          message.flip());
    }
  }

  /** Flows of UDP that some time say nothing for so long that they are new ones then. */
  private void pausing(int second) throws IOException {
    int flow = random.nextInt(300);
    boolean isAsleep = flow % 3 == 0 && second > 3 && second < 22;
    if (flow % 6 == 0 && second >= 22 && second <= 24) { // The other end wakes it.
      udp(SERVERS + 99, 5_000, CLIENTS + 0x2_0000 + flow, 4_000 + flow, ByteBuffer.allocate(100));
    } else if (!isAsleep) {
      int client = CLIENTS + 0x2_0000 + flow;
      ByteBuffer payload = ByteBuffer.allocate(200 + flow);
      boolean isBack = random.nextInt(3) == 0 && second > 24;
      if (isBack || flow % 3 != 0 || second < 22 || second > 24 || random.nextBoolean()) {
        udp(client, 4_000 + flow, SERVERS + 99, 5_000, payload);
      }
      if (isBack) {
        udp(SERVERS + 99, 5_000, client, 4_000 + flow, payload.rewind());
      }
    }
  }

  private void udp(int from, int port, int to, int toPort, ByteBuffer payload) throws IOException {
    begin();
    ipv4(UDP, from, to, 8 + payload.remaining());
    frame.putShort((short) port).putShort((short) toPort);
    frame.putShort((short) (8 + payload.remaining())).putShort((short) 0).put(payload);
    end(false);
  }

  private void other() throws IOException {
    begin();
    int kind = random.nextInt(4);
    int host = random.nextInt(40);
    switch (kind) {
      case 0 -> frame.putShort(12, (short) 0x0806).position(60); // ARP.
      case 1 -> { // GRE.
        ipv4(47, SERVERS + 7, SERVERS + 8, 24 + host);
        frame.position(frame.position() + 24 + host);
      }
      case 2 -> { // A later fragment of UDP.
        ipv4(UDP, CLIENTS + 0x3_0000 + host, SERVERS + 9, 400);
        frame.putShort(20, (short) 100).position(frame.position() + 400);
      }
      default -> { // An echo request.
        ipv4(ICMP, CLIENTS + 0x3_0000 + host, SERVERS + 10, 40);
        frame.put((byte) 8).put((byte) 0).putShort((short) 0).putShort((short) host);
        frame.position(frame.position() + 34);
      }
    }
    end(false);
  }

  /** One looks at ports, one at hosts, one sends echo requests; one is too slow to be a scan. */
  private void scan(int second) throws IOException {
    int target = written;
    begin();
    switch ((second / 5 + target) % 4) {
      case 0 -> {
        ipv4(TCP, SCANNER, SERVERS + 200, 20);
        segment(40_000, 1 + target % 60_000, SYN, 0);
      }
      case 1 -> {
        ipv4(TCP, SCANNER + 1, 0x0A09_0000 + target % 0x8000, 20);
        segment(41_000, 22, SYN, 0);
      }
      case 2 -> {
        ipv4(ICMP, SCANNER + 2, 0x0A09_0000 + target % 0x8000, 40);
        frame.put((byte) 8).put((byte) 0).putShort((short) 0).putShort((short) 77);
        frame.position(frame.position() + 34);
      }
      default -> {
        ipv4(UDP, SCANNER + 3, SERVERS + 201, 8);
        frame.putShort((short) 42_000).putShort((short) (1 + target % 40));
        frame.putShort((short) 8).putShort((short) 0);
      }
    }
    end(false);
  }

  /** SYNs from addresses that nobody has, some of which are answered. */
  private void flood(int second) throws IOException {
    int source = 0x2000_0000 | random.nextInt(1 << 24);
    int port = 1_024 + random.nextInt(60_000);
    int target = SERVERS + (second % 10 < 5 ? 80 : 81);
    begin();
    ipv4(TCP, source, target, 20);
    segment(port, 80, SYN, 0);
    end(false);
    if (random.nextInt(8) == 0) {
      begin();
      ipv4(TCP, target, source, 20);
      segment(80, port, random.nextBoolean() ? SYN | ACK : RST | ACK, 0);
      end(false);
    }
  }

  // --- frames ---

  private void begin() {
    frame.clear().putLong(0x0200_0000_0001_0200L).putInt(2).putShort((short) 0x0800);
  }

  private void ipv4(int protocol, int from, int to, int payload) {
    frame.putShort((short) 0x4500).putShort((short) (20 + payload)).putInt(0);
    frame.put((byte) 64).put((byte) protocol).putShort((short) 0).putInt(from).putInt(to);
  }

  private void ipv6(int protocol, boolean isThere, int client, int server, int payload) {
    frame.putShort(12, (short) 0x86DD).putInt(0x6000_0000).putShort((short) payload);
    frame.put((byte) protocol).put((byte) 64);
    for (int end = 0; end < 2; end++) {
      boolean isClient = isThere == (end == 0);
      frame
          .putLong(0x2001_0DB8_0000_0000L + (isClient ? 1 : 2))
          .putLong(isClient ? client : server);
    }
  }

  private void end(boolean isTagged) throws IOException {
    int length = frame.position();
    byte[] bytes = frame.array();
    if (isTagged) { // IEEE 802.1Q.
      System.arraycopy(bytes, 12, bytes, 16, length - 12);
      frame.putShort(12, (short) 0x8100).putShort(14, (short) 42);
      length += 4;
    }
    long backNs = random.nextInt(64) == 0 ? random.nextLong(MOST_BACK_NS) : 0;
    long timeNs = Math.max(START_NS, nowNs - backNs);
    record.clear().putInt((int) (timeNs / SECOND_NS)).putInt((int) (timeNs % SECOND_NS));
    record.putInt(length).putInt(length);
    out.write(record.array());
    out.write(bytes, 0, length);
    written++;
  }
}
