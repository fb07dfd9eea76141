package io.linerate.driver.pcap;

import io.linerate.core.memory.LinkType;
import io.linerate.core.port.PortException;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * Reads pcapng files (draft-ietf-opsawg-pcapng): sections, each in its own byte order and with its
 * own interfaces. Blocks that hold no packet are passed over, and so are packets of interfaces of a
 * link type that is not {@link #linkTypes wanted}.
 *
 * <pre>
 *  block:     0      4        8                        length - 4
 *            | type | length | body, a multiple of 4   | length |
 *  section:  8 byte-order magic, 12 major, 14 minor, 16 section length, 24 options
 *  interface: 8 link type, 10 reserved, 12 snap length, 16 options
 *  enhanced packet: 8 interface, 12 time high, 16 time low, 20 captured, 24 original, 28 packet, options
 *  simple packet:   8 original, 12 packet
 *  obsolete packet: 8 interface, 10 drops, 12 time high, 16 time low, 20 captured, 24 original, 28 packet
 *  option:   0 code, 2 length, 4 value, padded to a multiple of 4
 * </pre>
 */
final class PcapngReader extends CaptureReader {
  /** The same in both byte orders. */
  static final int SECTION = 0x0A0D0D0A;

  static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
  static final int INTERFACE = 1;
  static final int OBSOLETE_PACKET = 2;
  static final int SIMPLE_PACKET = 3;
  static final int ENHANCED_PACKET = 6;

  static final int SECTION_BYTES = 28;
  static final int INTERFACE_BYTES = 20;
  static final int PACKET_BYTES = 32;
  static final int PACKET_DATA_OFFSET = 28;
  static final int SIMPLE_PACKET_BYTES = 16;
  static final int SIMPLE_PACKET_DATA_OFFSET = 12;

  static final int TIMESTAMP_RESOLUTION = 9;
  static final int TIMESTAMP_OFFSET = 14;
  static final int END_OF_OPTIONS = 0;

  private static final boolean LITTLE_ENDIAN_HOST =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  private static final int BLOCK_BYTES = 12;
  private static final int DEFAULT_RESOLUTION = 6;

  private final InterfaceTable interfaces = new InterfaceTable();

  PcapngReader(CaptureBytes bytes, Set<LinkType> wanted) {
    super(bytes, 0, wanted);
    bytes.checkLeft(0, SECTION_BYTES);
    findLinkTypes();
    requireWanted();
    rewind();
  }

  /** Looks at the interfaces in front of the first packet. What is damaged is found again later. */
  private void findLinkTypes() {
    openSection(0);
    try {
      while (bytes.size() - position >= BLOCK_BYTES && !isPacket(bytes.i32(position, swapped))) {
        block();
      }
    } catch (PortException damaged) {
      // What is in front of it counts.
    }
    for (int id = 0; id < interfaces.size(); id++) {
      begins(interfaces.linkType(id));
    }
  }

  @Override
  boolean next() {
    while (position < bytes.size()) {
      if (block()) {
        return true;
      }
    }
    return false;
  }

  /** Passes one block; whether it was a packet. */
  private boolean block() {
    long at = position;
    bytes.checkLeft(at, BLOCK_BYTES);
    if (bytes.i32(at, false) == SECTION) {
      openSection(at);
    }
    long length = bytes.u32(at + 4, swapped);
    if (length < BLOCK_BYTES || (length & 3) != 0) {
      throw bytes.damaged(at, "a block of " + length + " bytes");
    }
    bytes.checkLeft(at, length);
    long again = bytes.u32(at + length - 4, swapped);
    if (again != length) {
      throw bytes.damaged(
          at, "a block of " + length + " bytes at its start and " + again + " at its end");
    }
    position = at + length;
    return switch (bytes.i32(at, swapped)) {
      case ENHANCED_PACKET -> packet(at, length, bytes.i32(at + 8, swapped));
      case OBSOLETE_PACKET -> packet(at, length, bytes.u16(at + 8, swapped));
      case SIMPLE_PACKET -> simplePacket(at, length);
      case INTERFACE -> addInterface(at, length);
      default -> false;
    };
  }

  private static boolean isPacket(int type) {
    return type == ENHANCED_PACKET || type == SIMPLE_PACKET || type == OBSOLETE_PACKET;
  }

  private void openSection(long at) {
    bytes.checkLeft(at, SECTION_BYTES);
    int magic = bytes.i32(at + 8, false);
    if (magic != BYTE_ORDER_MAGIC && Integer.reverseBytes(magic) != BYTE_ORDER_MAGIC) {
      throw bytes.damaged(at, "a section without byte-order magic");
    }
    swapped = magic != BYTE_ORDER_MAGIC;
    int major = bytes.u16(at + 12, swapped);
    if (major != 1) {
      throw bytes.damaged(
          at, "a section in version " + major + " of the format, and only 1 exists");
    }
    if (bytes.u32(at + 4, swapped) < SECTION_BYTES) {
      throw bytes.damaged(at, "a section header that is too short");
    }
    interfaces.clear();
  }

  private boolean addInterface(long at, long length) {
    checkBlock(at, length, INTERFACE_BYTES);
    int resolution = DEFAULT_RESOLUTION;
    long offsetSeconds = 0;
    long end = at + length - 4;
    long option = at + 16;
    while (end - option >= 4) {
      int code = bytes.u16(option, swapped);
      int size = bytes.u16(option + 2, swapped);
      if (code == END_OF_OPTIONS) {
        break;
      }
      if (size > end - option - 4) {
        throw bytes.damaged(option, "an option that is longer than its block");
      }
      if (code == TIMESTAMP_RESOLUTION && size == 1) {
        resolution = bytes.u8(option + 4);
      } else if (code == TIMESTAMP_OFFSET && size == 8) {
        offsetSeconds = i64(option + 4);
      }
      option += 4 + ((size + 3) & ~3);
    }
    interfaces.add(
        standard(bytes.u16(at + 8, swapped)),
        bytes.i32(at + 12, swapped),
        resolution,
        offsetSeconds);
    return false;
  }

  private long i64(long at) {
    long first = bytes.u32(at, swapped);
    long second = bytes.u32(at + 4, swapped);
    // The machine's own order and the file's together say which half is the upper.
    boolean bigEndian = swapped == LITTLE_ENDIAN_HOST;
    return bigEndian ? first << 32 | second : second << 32 | first;
  }

  private boolean packet(long at, long length, int interfaceId) {
    checkBlock(at, length, PACKET_BYTES);
    checkInterface(at, interfaceId);
    int captured = bytes.i32(at + 20, swapped);
    bytes.checkPacket(at, captured, length - PACKET_BYTES);
    if (!isWanted(interfaces.linkType(interfaceId))) {
      return false;
    }
    long units = bytes.u32(at + 12, swapped) << 32 | bytes.u32(at + 16, swapped);
    hasTimestamp = true;
    timestampNs = interfaces.epochNs(interfaceId, units);
    found(at, PACKET_DATA_OFFSET, captured, bytes.i32(at + 24, swapped));
    return true;
  }

  /** It has the original length only: what was captured is that, or the snap length. */
  private boolean simplePacket(long at, long length) {
    checkBlock(at, length, SIMPLE_PACKET_BYTES);
    checkInterface(at, 0);
    int captured = bytes.i32(at + 8, swapped);
    int limit = interfaces.snapLengthBytes(0);
    if (limit != 0 && Integer.compareUnsigned(limit, captured) < 0) {
      captured = limit;
    }
    bytes.checkPacket(at, captured, length - SIMPLE_PACKET_BYTES);
    if (!isWanted(interfaces.linkType(0))) {
      return false;
    }
    hasTimestamp = false;
    found(at, SIMPLE_PACKET_DATA_OFFSET, captured, bytes.i32(at + 8, swapped));
    return true;
  }

  private void checkBlock(long at, long length, int minimum) {
    if (length < minimum) {
      throw bytes.damaged(
          at, "a block of " + length + " bytes, and its kind has at least " + minimum);
    }
  }

  private void checkInterface(long at, int id) {
    if (id < 0 || id >= interfaces.size()) {
      throw bytes.damaged(
          at,
          "a packet of interface %d, and the section has %d so far"
              .formatted(id & 0xFFFF_FFFFL, interfaces.size()));
    }
  }
}
