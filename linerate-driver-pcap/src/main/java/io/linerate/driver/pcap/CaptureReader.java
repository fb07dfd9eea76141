package io.linerate.driver.pcap;

import io.linerate.core.memory.LinkType;
import io.linerate.core.port.PortException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the packets of a capture file, one after the other. It is a cursor: {@link #next} moves it,
 * and the other methods are about the packet that it found. It makes no object on its way.
 */
abstract sealed class CaptureReader permits PcapReader, PcapngReader {
  final CaptureBytes bytes;
  private final long start;

  /** Where the next record begins. */
  long position;

  /** Whether the file's byte order is not that of this machine. */
  boolean swapped;

  boolean hasTimestamp;
  long timestampNs;

  /** Of the packet found: a LINKTYPE_ number. */
  int linkType;

  private long skippedPackets;
  private final Set<LinkType> wanted;
  private final boolean wantsAll;

  /** Those that the file begins with, or that are wanted. */
  private final BitSet linkTypes = new BitSet();

  private long dataOffset;
  private int lengthBytes;
  private int cutBytes;
  private int headerBytes;

  /**
   * @param start where the first record begins
   * @param wanted the only link types whose packets are found; empty: those that the file begins
   *     with
   */
  CaptureReader(CaptureBytes bytes, long start, Set<LinkType> wanted) {
    this.bytes = bytes;
    this.wanted = wanted;
    wantsAll = wanted.containsAll(LinkType.ANY);
    this.start = start;
    position = start;
  }

  /**
   * The reader for the format that the file has.
   *
   * @param wanted see {@link #linkTypes}
   * @throws PortException if it is no capture, or one that cannot be used
   */
  static CaptureReader of(String file, MemorySegment bytes, Set<LinkType> wanted) {
    CaptureBytes capture = new CaptureBytes(file, bytes);
    capture.checkLeft(0, 4);
    int magic = capture.i32(0, false);
    if (magic == PcapngReader.SECTION) {
      return new PcapngReader(capture, wanted);
    }
    PcapFormat format = PcapFormat.of(magic);
    if (format != null) {
      return new PcapReader(capture, format, wanted);
    }
    String known = otherFormat(magic);
    throw known == null
        ? capture.unusable(
            "it does not begin as one: firstBytes=" + firstBytes(capture),
            "name a file in pcap or pcapng format")
        : capture.unusable("it is " + known, "convert it with editcap, or unpack it");
  }

  private static @Nullable String otherFormat(int magic) {
    return switch (Integer.reverseBytes(magic)) {
      case 0x736E6F6F -> "a snoop file";
      case 0x28B52FFD -> "compressed with zstd";
      case 0x04224D18 -> "compressed with lz4";
      default -> (Integer.reverseBytes(magic) >>> 16) == 0x1F8B ? "compressed with gzip" : null;
    };
  }

  private static String firstBytes(CaptureBytes capture) {
    return "%02x %02x %02x %02x"
        .formatted(capture.u8(0), capture.u8(1), capture.u8(2), capture.u8(3));
  }

  /**
   * Finds the next packet.
   *
   * @return false at the end of the file
   * @throws PortException if the file is damaged here. There is no way on; do not call again.
   */
  abstract boolean next();

  /**
   * Says where a packet is whose record begins at {@code at}; its time is still to be said.
   *
   * @param originalBytes that it had on the wire; a claim of the file
   */
  final void found(long at, int recordHeaderBytes, int capturedBytes, int originalBytes) {
    cutBytes = originalBytes < 0 ? 0 : Math.max(originalBytes - capturedBytes, 0);
    headerBytes = recordHeaderBytes;
    dataOffset = at + recordHeaderBytes;
    lengthBytes = capturedBytes;
  }

  /** Where the packet begins in the file. */
  final long dataOffset() {
    return dataOffset;
  }

  /** Bytes of the packet that were captured, up to {@link CaptureBytes#MAX_PACKET_BYTES}. */
  final int lengthBytes() {
    return lengthBytes;
  }

  /** Bytes that followed on the wire, and were not captured. */
  final int cutBytes() {
    return cutBytes;
  }

  /** Bytes of the record's header, in front of the packet. */
  final int headerBytes() {
    return headerBytes;
  }

  /** Whether the file says when the packet was captured. */
  final boolean hasTimestamp() {
    return hasTimestamp;
  }

  /** When it was captured, in ns since the epoch. */
  final long timestampNs() {
    return timestampNs;
  }

  /** The LINKTYPE_ number for one that a file has: DLT_RAW was written as it is on some systems. */
  static int standard(int number) {
    return number == 12 || number == 14 ? LinkType.RAW.number() : number;
  }

  /** The file begins with packets of this type. */
  final void begins(int number) {
    linkTypes.set(number);
  }

  /**
   * Refuses a file without a packet that is wanted, as far as it says at its start what it has.
   *
   * @throws PortException if it says so
   */
  final void requireWanted() {
    if (wanted.isEmpty() || wantsAll) {
      return;
    }
    if (!linkTypes.isEmpty() && linkTypes().stream().noneMatch(wanted::contains)) {
      throw bytes.unusable(
          "its link type is " + LinkType.text(linkTypes()) + ", not " + LinkType.text(wanted),
          "name another file");
    }
    linkTypes.clear();
    wanted.forEach(type -> linkTypes.set(type.number()));
  }

  /** Whether a packet of this type is found, not passed over and counted. */
  final boolean isWanted(int number) {
    if (!wantsAll && !linkTypes.get(number)) {
      skippedPackets++;
      return false;
    }
    linkType = number;
    return true;
  }

  /**
   * What the packets may begin with that are found: the types that are wanted, or all those that
   * the file names in front of its first packet.
   */
  final Set<LinkType> linkTypes() {
    if (wantsAll) {
      return LinkType.ANY;
    }
    return linkTypes.isEmpty()
        ? LinkType.ETHERNET_ONLY
        : linkTypes.stream().mapToObj(LinkType::of).collect(Collectors.toUnmodifiableSet());
  }

  /** What the packet begins with: a LINKTYPE_ number. */
  final int linkType() {
    return linkType;
  }

  /** Packets passed over since the file was opened because of their link type. */
  final long skippedPackets() {
    return skippedPackets;
  }

  /** Goes back to the start of the file. */
  final void rewind() {
    position = start;
  }
}
