package io.linerate.driver.pcap;

import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.PortException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;

/**
 * Writes packets to a capture file with their times in ns: in pcap format if the file's name ends
 * in {@code .pcap}, in pcapng format otherwise. An existing file is replaced. The file begins with
 * its first packet, or when it is complete.
 *
 * <pre>{@code
 * try (var writer = CaptureWriter.create(Path.of("out.pcapng"), 0)) {
 *   for (Packet packet : burst) {
 *     writer.write(packet);
 *   }
 * }
 * }</pre>
 *
 * <p>Packets are collected in native memory and written in large pieces. If the disk is full the
 * file ends with the last packet that was written completely, and the writer is dead. Not safe for
 * use by several threads.
 */
public final class CaptureWriter implements AutoCloseable {
  /** The longest part of a packet that is written: what tools accept at most. */
  public static final int MAX_SNAP_LENGTH_BYTES = CaptureBytes.MAX_PACKET_BYTES;

  private static final int BUFFER_BYTES = 1 << 20;

  private final Path file;
  private final int snapLengthBytes;
  private final RecordFormat format;
  private final FileChannel channel;
  private final WriteLock lock;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, 64);
  private final ByteBuffer view = buffer.asByteBuffer();
  private int used;

  private final Set<LinkType> expected;

  /** Link types that the file has, in the order of their first packets. */
  private int[] linkTypes = new int[0];

  /**
   * Where the first record in the buffer begins: behind the file's header, until that is written.
   */
  private int recordsStart;

  private long packets;
  private long bytes;

  /** Those that are in the file. */
  private long writtenPackets;

  /** Bytes of complete records in the file. */
  private long writtenBytes;

  private boolean failed;
  private boolean closed;

  private CaptureWriter(
      Path file, int snapLengthBytes, Set<LinkType> expected, FileChannel channel, WriteLock lock) {
    this.file = file;
    this.lock = lock;
    this.snapLengthBytes = snapLengthBytes;
    this.channel = channel;
    format = file.toString().endsWith(".pcap") ? new PcapRecordFormat() : new PcapngRecordFormat();
    this.expected = expected.containsAll(LinkType.ANY) ? Set.of() : expected;
  }

  /**
   * Creates or replaces a file.
   *
   * @param snapLengthBytes bytes of each packet to write at most, up to {@link
   *     #MAX_SNAP_LENGTH_BYTES}; 0 for all
   * @throws PortException if it cannot be written
   */
  public static CaptureWriter create(Path file, int snapLengthBytes) {
    return create(file, snapLengthBytes, Set.of());
  }

  /**
   * As {@link #create(Path, int)}, and names in front of the first packet which link types there
   * may be: readers that want to know before get to know. A file in pcap format has one type in any
   * case, that of its first packet.
   */
  public static CaptureWriter create(Path file, int snapLengthBytes, Set<LinkType> linkTypes) {
    if (snapLengthBytes < 0 || snapLengthBytes > MAX_SNAP_LENGTH_BYTES) {
      throw new IllegalArgumentException(
          "bad snap length: snapLengthBytes="
              + snapLengthBytes
              + "; 0 to "
              + MAX_SNAP_LENGTH_BYTES
              + " is possible");
    }
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
      return new CaptureWriter(
          file,
          snapLengthBytes == 0 ? MAX_SNAP_LENGTH_BYTES : snapLengthBytes,
          linkTypes,
          channel,
          emptied(file, channel));
    } catch (IOException e) {
      throw new PortException(
          "cannot create the capture file: file=%s, reason=%s; name a file in a directory that exists and may be written"
              .formatted(file, reason(e)),
          e);
    }
  }

  /** Throws away what the file holds, once nobody can be reading it. */
  private static WriteLock emptied(Path file, FileChannel channel) throws IOException {
    try {
      WriteLock lock = WriteLock.of(file);
      try {
        if (Files.isRegularFile(file)) {
          channel.truncate(0);
        }
        return lock;
      } catch (IOException e) {
        lock.close();
        throw e;
      }
    } catch (IOException | PortException e) {
      channel.close();
      throw e;
    }
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> "no such directory";
      case AccessDeniedException denied -> "permission denied";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }

  /**
   * Writes a packet, or the first bytes of it, with the length that it has, or had on the wire.
   *
   * @return false if it is of another link type than the first, and the file in pcap format
   * @throws PortException if the file cannot be written
   */
  public boolean write(Packet packet) {
    int linkIndex = linkIndex(packet.linkType().number());
    if (linkIndex < 0) {
      return false;
    }
    packet.completeChecksum();
    int original = packet.length() + packet.cutBytes();
    int captured = Math.min(packet.length(), snapLengthBytes);
    int recordBytes = format.recordBytes(captured);
    requireRoom(recordBytes);
    format.writeRecord(buffer, used, linkIndex, packet.timestampNs(), captured, original);
    packet.get(0, buffer, used + format.headerBytes(), captured);
    written(recordBytes, captured);
    return true;
  }

  private void requireRoom(int recordBytes) {
    if (failed || closed || BUFFER_BYTES - used < recordBytes) {
      flush();
    }
  }

  private void written(int recordBytes, int captured) {
    used += recordBytes;
    packets++;
    bytes += captured;
  }

  /**
   * As {@link #write(Packet)}, of bytes that are no packet any more.
   *
   * @param captured no more than the snap length
   */
  boolean write(MemorySegment captured, RecordHeader header) {
    int linkIndex = linkIndex(header.linkType());
    if (linkIndex < 0) {
      return false;
    }
    int size = (int) captured.byteSize();
    byte[] comment = header.commentBytes();
    int plainBytes = format.recordBytes(size);
    requireRoom(plainBytes + format.commentBytes(comment));
    format.writeRecord(buffer, used, linkIndex, header.epochNs(), size, header.lengthBytes());
    MemorySegment.copy(captured, 0, buffer, used + format.headerBytes(), size);
    written(plainBytes + format.writeComment(buffer, used, comment), size);
    return true;
  }

  /** Whether its format has comments. */
  boolean hasComments() {
    return format instanceof PcapngRecordFormat;
  }

  /** Bytes of each packet that are written at most. */
  int snapLengthBytes() {
    return snapLengthBytes;
  }

  /** The place of a link type among those of the file, which it is added to; -1 if it cannot be. */
  private int linkIndex(int linkType) {
    for (int i = 0; i < linkTypes.length; i++) {
      if (linkTypes[i] == linkType) {
        return i;
      }
    }
    if (linkTypes.length == 0 && !(format instanceof PcapRecordFormat)) {
      expected.stream()
          .mapToInt(LinkType::number)
          .filter(number -> number != linkType)
          .sorted()
          .forEach(this::addLinkType);
    }
    return addLinkType(linkType);
  }

  private int addLinkType(int linkType) {
    if (failed || closed || BUFFER_BYTES - used < RecordFormat.MAX_HEADER_BYTES) {
      flush();
    }
    int count = linkTypes.length;
    int written =
        count == 0
            ? format.writeFileHeader(buffer, snapLengthBytes, linkType)
            : format.writeLinkType(buffer, used, snapLengthBytes, linkType);
    if (written < 0) {
      return -1;
    }
    recordsStart = count == 0 ? written : recordsStart;
    used += written;
    linkTypes = Arrays.copyOf(linkTypes, count + 1);
    linkTypes[count] = linkType;
    return count;
  }

  Path file() {
    return file;
  }

  /** Packets written; after a failure, those that are in the file. */
  public long packets() {
    return packets;
  }

  /** Packets that are in the file; the others wait, or are lost when it {@link #hasFailed}. */
  long writtenPackets() {
    return writtenPackets;
  }

  boolean hasFailed() {
    return failed;
  }

  /** Bytes of packets written: those that were captured, without the file's own. */
  public long bytes() {
    return bytes;
  }

  /**
   * Passes on to the file what was collected.
   *
   * @throws PortException if the file cannot be written
   */
  public void flush() {
    if (failed || closed) {
      throw new PortException(
          "capture file is closed: file=" + file + ", failed=" + failed + "; write another");
    }
    // An interrupt would close the file, and the packets collected would be lost.
    boolean interrupted = Thread.interrupted();
    try {
      view.limit(used).position(0);
      while (view.hasRemaining()) {
        channel.write(view);
      }
      writtenBytes += used;
      writtenPackets = packets;
      used = 0;
      recordsStart = 0;
    } catch (IOException e) {
      failed = true;
      long lost = cutIncomplete(view.position());
      throw new PortException(
          "cannot write the capture file: file=%s, reason=%s, packets=%d, lost=%d; make room on the disk"
              .formatted(file, reason(e), packets, lost),
          e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Lets the file end with the last record that is there as a whole.
   *
   * @param written bytes of the buffer that are in the file
   * @return packets of the buffer that are not in the file
   */
  private long cutIncomplete(int written) {
    int complete = written < recordsStart ? 0 : recordsStart;
    long lost = 0;
    for (int at = recordsStart; at < used; ) {
      int end = at + format.writtenBytes(buffer, at);
      if (end <= written) {
        complete = end;
      } else if (format.isRecord(buffer, at)) {
        lost++;
      }
      at = end;
    }
    packets -= lost;
    writtenPackets = packets;
    try {
      channel.truncate(writtenBytes + complete);
    } catch (IOException e) {
      // A device or a pipe: there is nothing to cut.
    }
    return lost;
  }

  /**
   * Completes the file.
   *
   * @throws PortException if it cannot be written, and no call before said so
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    try {
      if (!failed) {
        if (linkTypes.length == 0) {
          addLinkType(LinkType.ETHERNET.number());
        }
        flush();
      }
    } finally {
      closed = true;
      arena.close();
      lock.close();
      closeChannel();
    }
  }

  private void closeChannel() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new PortException(
          "cannot complete the capture file: file="
              + file
              + ", reason="
              + reason(e)
              + "; check the disk",
          e);
    }
  }
}
