package io.linerate.filter;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * Frames of any link type, with the addresses, ports and protocols that filters.txt asks for; some
 * are cut off, and some have wrong bytes.
 */
final class TestFrames {
  private static final int[] IPV4 = {
    0x0A000001, 0x0A000002, 0x0A000003, 0x0A010203, 0xC0A8014D, 0xE0000005, 0xFFFFFFFF, 0
  };
  private static final long[][] IPV6 = {
    {0x20010db800000000L, 1},
    {0xfe80000000000000L, 0x10002},
    {0xff02000000000000L, 1},
    {0, 1},
    {0, 0x0000FFFF0A000001L}
  };
  private static final int[] PORTS = {
    80, 443, 22, 53, 123, 81, 85, 90, 1024, 6081, 21, 69, 0, 65_535
  };
  private static final int[] PROTOCOLS = {6, 6, 6, 17, 17, 17, 1, 58, 132, 2, 9, 103, 112, 50, 89};
  private static final int[] ETHER_TYPES = {
    0x0800, 0x0800, 0x0800, 0x0800, 0x86DD, 0x86DD, 0x86DD, 0x0806, 0x8035, 0x8100, 0x8100, 0x88A8,
    0x9100, 0x8847, 0x8847, 0x8863, 0x8864, 0x8864, 0x809B, 0x80F3, 0x6003, 0x6001, 0x6002, 0x6004,
    0x6007, 0x9000, 0x8137, 0x88CC, 100, 60
  };
  private static final int[] SAPS = {
    0xFEFE, 0x4242, 0xE0E0, 0xF0F0, 0xAAAA, 0x0606, 0xFFFF, 0xAAAA
  };

  private final Random random;

  TestFrames(long seed) {
    random = new Random(seed);
  }

  /** A frame that begins with a link type. */
  byte[] frame(int link) {
    byte[] frame = whole(link);
    int fate = random.nextInt(8);
    if (fate == 0) {
      return Arrays.copyOf(frame, random.nextInt(frame.length + 1));
    }
    if (fate <= 2 && frame.length > 0) {
      for (int i = random.nextInt(4); i >= 0; i--) {
        frame[random.nextInt(Math.min(frame.length, 64))] = (byte) random.nextInt();
      }
    }
    return frame;
  }

  private byte[] whole(int link) {
    ByteBuffer out = ByteBuffer.allocate(512);
    int type = ETHER_TYPES[random.nextInt(ETHER_TYPES.length)];
    switch (link) {
      case 1 -> ethernet(out, type);
      case 240 -> ethernet(zeroes(out, 4), type);
      case 241 -> ethernet(zeroes(out, 12), type);
      case 0, 109 -> {
        int[] families = {2, 10, 7};
        int family = families[random.nextInt(families.length)];
        out.putInt(Integer.reverseBytes(family));
        zeroes(out, link == 109 ? 8 : 0);
        network(out, family == 10 ? 0x86DD : 0x0800, 0);
      }
      case 108 -> {
        int family = random.nextBoolean() ? 2 : 10;
        network(out.putInt(family), family == 10 ? 0x86DD : 0x0800, 0);
      }
      case 9, 50, 166 -> ppp(out.put((byte) random.nextInt(2)).put((byte) 3), type);
      case 51 -> ppp(out.putInt(0x1100_0001).putShort((short) 40), type);
      case 103 -> ppp(zeroes(out, 5), type);
      case 101, 228, 229, 8, 102, 246 -> {
        zeroes(out, link == 8 ? 16 : link == 102 ? 24 : link == 246 ? 4 : 0);
        if (link == 8) {
          out.put(0, (byte) random.nextInt(2));
        }
        network(out, random.nextBoolean() ? 0x0800 : 0x86DD, 0);
      }
      case 104 -> network(out.putShort((short) 0x0F00).putShort((short) type), type, 0);
      case 113 -> cooked(out, type);
      case 276 -> {
        out.putShort((short) type).putShort((short) 0).putInt(random.nextInt(5));
        out.putShort((short) 1).put((byte) random.nextInt(5)).put((byte) 6);
        network(zeroes(out, 8), type, 0);
      }
      case 105 -> wireless(out, type);
      case 127, 192, 163, 119 -> radio(out, link, type);
      case 10 -> llc(mac(mac(out.put((byte) 0x57))), type);
      case 6 -> llc(mac(mac(out.putShort((short) 0x1040))), type);
      case 122 -> llc(address(address(out)), type);
      case 100, 106 -> llc(out, type);
      case 123 -> atm(out, type);
      case 117 -> log(out);
      case 139, 140, 197 -> mtp(out, link == 139 ? 4 : link == 197 ? 20 : 0);
      case 107 -> frameRelay(out);
      case 7, 129 -> arcnet(out, link == 129);
      default -> other(out, link, type);
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private static ByteBuffer zeroes(ByteBuffer out, int count) {
    return out.put(new byte[count]);
  }

  private ByteBuffer bytes(ByteBuffer out, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return out.put(bytes);
  }

  private ByteBuffer mac(ByteBuffer out) {
    return switch (random.nextInt(6)) {
      case 0 -> out.putShort((short) -1).putInt(-1);
      case 1 -> out.putShort((short) 0x0100).putInt(0x5E00_0001);
      default -> out.putShort((short) 0x0200).putInt(random.nextInt(3));
    };
  }

  private ByteBuffer address(ByteBuffer out) {
    return mac(out.putShort((short) 0x1000));
  }

  private void ethernet(ByteBuffer out, int type) {
    mac(mac(out)).putShort((short) type);
    network(out, type, 0);
  }

  private void ppp(ByteBuffer out, int type) {
    int protocol =
        switch (type) {
          case 0x0800 -> 0x21;
          case 0x86DD -> 0x57;
          case 0x8847 -> 0x281;
          case 0x809B -> 0x29;
          case 0x6003 -> 0x27;
          case 100 -> 0x23;
          case 60 -> 0x31;
          case 0x8137 -> 0x2B;
          case 0x88CC -> 0x2D;
          default -> 0x2F;
        };
    out.putShort((short) protocol);
    zeroes(out, out.position() == 7 ? 17 : 0);
    network(out, type, 0);
  }

  private void cooked(ByteBuffer out, int type) {
    int[] kinds = {0, 1, 4, 3};
    out.putShort((short) kinds[random.nextInt(kinds.length)]).putShort((short) 1);
    out.putShort((short) 6);
    mac(out).putShort((short) 0);
    int protocol = type == 100 ? 4 : type == 60 ? 1 : type;
    network(out.putShort((short) protocol), type, 0);
  }

  private void wireless(ByteBuffer out, int type) {
    int[] controls = {0x08, 0x08, 0x88, 0x80, 0x40, 0xD4, 0xC4, 0xB4, 0x48, 0xC8, 0x00, 0x0C};
    int control = controls[random.nextInt(controls.length)];
    out.put((byte) control).put((byte) random.nextInt(4)).putShort((short) 0);
    mac(mac(mac(out))).putShort((short) 0);
    if (control == 0x88) {
      out.putShort((short) 0);
      zeroes(out, random.nextInt(3));
    } else if (random.nextInt(6) == 0) {
      mac(out);
    }
    llc(out, type);
  }

  private void radio(ByteBuffer out, int link, int type) {
    switch (link) {
      case 127 -> {
        int bytes = 8 + 8 * random.nextInt(3);
        int[] presence = {0, 0x0200_0000, 0x0300_0000, 0x0200_0080, 0x0100_0000};
        out.putShort((short) 0).put((byte) bytes).put((byte) 0);
        out.putInt(presence[random.nextInt(presence.length)]);
        for (int i = 8; i < bytes; i++) {
          out.put((byte) (random.nextBoolean() ? 0x20 : 0));
        }
      }
      case 192 -> {
        out.putShort((short) 0).put((byte) 16).put((byte) 0);
        zeroes(out.putInt(Integer.reverseBytes(random.nextInt(5) == 0 ? 1 : 105)), 8);
      }
      case 163 -> zeroes(out.putInt(0x8021_1001).putInt(64), 56);
      default -> {
        if (random.nextBoolean()) {
          zeroes(out.putInt(0x8021_1001).putInt(64), 56);
        } else {
          zeroes(out.putInt(0x0000_0044), 140);
        }
      }
    }
    wireless(out, type);
  }

  private void llc(ByteBuffer out, int type) {
    int saps = SAPS[random.nextInt(SAPS.length)];
    if (type > 1_500 && random.nextInt(4) != 0) {
      saps = 0xAAAA;
    }
    int[] controls = {0x03, 0x03, 0x01, 0x05, 0x09, 0x00, 0x63, 0x43, 0x0F, 0x6F, 0xE3, 0xAF, 0x87};
    boolean isSnap = saps == 0xAAAA;
    out.putShort((short) saps);
    out.put((byte) (isSnap ? 3 : controls[random.nextInt(controls.length)]));
    if (isSnap) {
      boolean isApple = type == 0x809B && random.nextBoolean();
      out.put((byte) (isApple ? 8 : 0)).putShort((short) (isApple ? 7 : 0));
      network(out.putShort((short) type), type, 0);
    } else {
      osi(out);
    }
  }

  private void osi(ByteBuffer out) {
    int[] pdus = {15, 16, 17, 18, 20, 24, 25, 26, 27, 5};
    out.put((byte) (0x80 + random.nextInt(5)));
    bytes(out, 3).put((byte) pdus[random.nextInt(pdus.length)]);
    bytes(out, 20);
  }

  private void atm(ByteBuffer out, int type) {
    int kind = random.nextInt(4);
    int[] vcis = {0, 1, 2, 3, 4, 5, 16, 100, 200};
    out.put((byte) kind).put((byte) (random.nextBoolean() ? 0 : random.nextInt(8)));
    out.putShort((short) vcis[random.nextInt(vcis.length)]);
    if (kind == 1) {
      ethernet(out.putShort((short) (random.nextInt(4) == 0 ? 0xFF00 : 0)), type);
    } else if (kind == 2) {
      llc(out, type);
    } else {
      int[] messages = {5, 2, 7, 15, 0x4D, 0x5A, 0};
      out.putInt(0x0903_0000).put((byte) 0).put((byte) messages[random.nextInt(messages.length)]);
      bytes(out, 20);
    }
  }

  private void log(ByteBuffer out) {
    int family = random.nextBoolean() ? 2 : 10;
    out.put((byte) 61).put((byte) family).put((byte) random.nextInt(12));
    out.put((byte) random.nextInt(16));
    name(out, "em0");
    name(out, "abc");
    out.putInt(random.nextInt(7)).putInt(random.nextInt(8));
    zeroes(out, 16).put((byte) random.nextInt(3));
    network(zeroes(out, 3), family == 2 ? 0x0800 : 0x86DD, 0);
  }

  private void name(ByteBuffer out, String name) {
    byte[] field = new byte[16];
    if (random.nextInt(3) != 0) {
      for (int i = 0; i < name.length(); i++) {
        field[i] = (byte) name.charAt(i);
      }
    }
    out.put(field);
  }

  private void mtp(ByteBuffer out, int front) {
    zeroes(out, front).putShort((short) 0).put((byte) random.nextInt(6));
    out.put((byte) random.nextInt(6));
    for (int i = 0; i < 8; i++) {
      out.put((byte) (random.nextBoolean() ? 0 : 1 << random.nextInt(8)));
    }
    bytes(out, 20);
  }

  private void frameRelay(ByteBuffer out) {
    int[] identifiers = {0xCC, 0x8E, 0x81, 0x82, 0x83, 0x08};
    int identifier = identifiers[random.nextInt(identifiers.length)];
    out.putShort((short) 0x1841).put((byte) 3).put((byte) identifier);
    network(out, identifier == 0x8E ? 0x86DD : 0x0800, 0);
  }

  private void arcnet(ByteBuffer out, boolean isLinux) {
    int[] protocols = {212, 240, 213, 241, 214, 221, 196, 5};
    int protocol = protocols[random.nextInt(protocols.length)];
    out.put((byte) random.nextInt(8)).put((byte) random.nextInt(8));
    zeroes(out, isLinux ? 2 : 0).put((byte) protocol);
    network(zeroes(out, 3), protocol == 196 ? 0x86DD : protocol == 213 ? 0x806 : 0x800, 0);
  }

  private void other(ByteBuffer out, int link, int type) {
    boolean isJuniper = (link >= 130 && link <= 183) || (link >= 232 && link <= 238);
    if (isJuniper) {
      out.putInt(0x4D47_4300 | random.nextInt(2));
    }
    if (random.nextBoolean()) {
      bytes(out, random.nextInt(20));
    }
    out.putShort((short) type);
    network(out, type, 0);
  }

  private void network(ByteBuffer out, int type, int depth) {
    if (depth > 3) {
      bytes(out, 20);
      return;
    }
    switch (type) {
      case 0x0800 -> ipv4(out, depth);
      case 0x86DD -> ipv6(out, depth);
      case 0x0806, 0x8035 -> {
        out.putShort((short) 1).putShort((short) 0x800).putShort((short) 0x604);
        mac(out.putShort((short) 1)).putInt(ipv4Address());
        mac(out).putInt(ipv4Address());
      }
      case 0x8100, 0x88A8, 0x9100 -> {
        int inner = ETHER_TYPES[random.nextInt(ETHER_TYPES.length)];
        out.putShort((short) (5 + random.nextInt(2) + (random.nextInt(4) == 0 ? 0x6000 : 0)));
        network(out.putShort((short) inner), inner, depth + 1);
      }
      case 0x8847 -> {
        int[] labels = {100, 200, 1024, 0};
        boolean isLast = random.nextInt(3) != 0;
        int label = labels[random.nextInt(labels.length)];
        out.putInt((label << 12) | (isLast ? 0x100 : 0) | 64);
        network(out, isLast ? (random.nextBoolean() ? 0x0800 : 0x86DD) : 0x8847, depth + 1);
      }
      case 0x8864 -> {
        out.putShort((short) 0x1100).putShort((short) (1 + random.nextInt(2)));
        ppp(out.putShort((short) 40), ETHER_TYPES[random.nextInt(ETHER_TYPES.length)]);
      }
      case 0x6003 -> decnet(out);
      case 100, 60 -> llc(out, ETHER_TYPES[random.nextInt(ETHER_TYPES.length)]);
      default -> bytes(out, 30);
    }
  }

  private void decnet(ByteBuffer out) {
    out.putShort((short) 40);
    if (random.nextBoolean()) {
      out.put((byte) 0x81);
    }
    boolean isLong = random.nextBoolean();
    out.put((byte) (isLong ? 6 : 2));
    for (int i = 0; i < 12; i++) {
      out.putShort((short) (random.nextBoolean() ? 0x0504 : 0x0500));
    }
  }

  private int ipv4Address() {
    return IPV4[random.nextInt(IPV4.length)];
  }

  private void ipv4(ByteBuffer out, int depth) {
    int words = random.nextInt(5) == 0 ? 5 + random.nextInt(4) : 5;
    int protocol = PROTOCOLS[random.nextInt(PROTOCOLS.length)];
    out.put((byte) (0x40 | words)).put((byte) random.nextInt(4));
    out.putShort((short) (40 + random.nextInt(600))).putShort((short) random.nextInt(200));
    int fragment = random.nextInt(8) == 0 ? random.nextInt(0x2000) : 0x4000;
    out.putShort((short) fragment).put((byte) random.nextInt(130)).put((byte) protocol);
    out.putShort((short) random.nextInt()).putInt(ipv4Address()).putInt(ipv4Address());
    zeroes(out, 4 * (words - 5));
    transport(out, protocol, depth);
  }

  private void ipv6(ByteBuffer out, int depth) {
    int protocol = PROTOCOLS[random.nextInt(PROTOCOLS.length)];
    int[] options = {0, 43, 44, 60};
    int option = random.nextInt(4) == 0 ? options[random.nextInt(options.length)] : -1;
    out.putInt(0x6000_0000).putShort((short) 60);
    out.put((byte) (option < 0 ? protocol : option)).put((byte) 64);
    for (int i = 0; i < 2; i++) {
      long[] address = IPV6[random.nextInt(IPV6.length)];
      out.putLong(address[0]).putLong(address[1]);
    }
    if (option >= 0) {
      out.put((byte) protocol).put((byte) (option == 44 ? 0 : random.nextInt(2)));
      zeroes(out, 6);
    }
    transport(out, protocol, depth);
  }

  private void transport(ByteBuffer out, int protocol, int depth) {
    int source = PORTS[random.nextInt(PORTS.length)];
    int target = PORTS[random.nextInt(PORTS.length)];
    switch (protocol) {
      case 6 -> {
        out.putShort((short) source).putShort((short) target).putInt(random.nextInt());
        out.putInt(random.nextInt()).put((byte) 0x50).put((byte) (1 << random.nextInt(8)));
        bytes(zeroes(out, 6), random.nextInt(20));
      }
      case 17 -> {
        out.putShort((short) source).putShort((short) target);
        out.putShort((short) (8 + random.nextInt(200))).putShort((short) 0);
        if (target == 6081) {
          geneve(out, depth);
        } else {
          bytes(out, random.nextInt(30));
        }
      }
      case 1 -> bytes(out.put((byte) random.nextInt(19)).put((byte) random.nextInt(4)), 20);
      case 58 -> bytes(out.put((byte) (126 + random.nextInt(30))).put((byte) 0), 20);
      default -> {
        out.putShort((short) source).putShort((short) target);
        bytes(out, 20);
      }
    }
  }

  private void geneve(ByteBuffer out, int depth) {
    int options = random.nextInt(3);
    int[] types = {0x6558, 0x6558, 0x0800, 0x86DD, 0x8847};
    int type = types[random.nextInt(types.length)];
    out.put((byte) options).put((byte) 0).putShort((short) type);
    out.putInt((4 + random.nextInt(3)) << 8);
    zeroes(out, 4 * options);
    if (type == 0x6558) {
      int inner = ETHER_TYPES[random.nextInt(8)];
      mac(mac(out)).putShort((short) inner);
      network(out, inner, depth + 2);
    } else {
      network(out, type, depth + 2);
    }
  }
}
