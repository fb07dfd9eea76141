package io.linerate.core.counter;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * The counters that HotSpot publishes in {@code /tmp/hsperfdata_USER/PID}: JDK, {@code
 * perfMemory.hpp} and {@code perfData.hpp}. Empty where it does not ({@code -XX:-UsePerfData}).
 *
 * <pre>
 * prologue: 0 magic cafec0c0, 4 byte order (1: little-endian), 5 major version 2, 24 first entry, 28 entries
 * entry:    0 length, 4 offset of its name, 8 length of a vector, 12 type ('J': long), 16 offset of its value
 * </pre>
 */
record PerfData(MemorySegment file, Map<String, Long> offsets) {
  static final PerfData NONE = new PerfData(MemorySegment.NULL, Map.of());

  private static final int MAGIC = 0xC0C0FECA;
  private static final int FIRST_ENTRY_OFFSET = 24;
  private static final int ENTRIES_OFFSET = 28;
  private static final int ENTRY_BYTES = 20;
  private static final int MAX_NAME_BYTES = 200;
  private static final double NS_PER_S = 1e9;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static PerfData ofThisProcess() {
    return of(
        Path.of(
            "/tmp",
            "hsperfdata_" + System.getProperty("user.name"),
            Long.toString(ProcessHandle.current().pid())));
  }

  /** The counters of a file; none if there is no such file. */
  static PerfData of(Path path) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      MemorySegment file =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
      return new PerfData(file, offsets(file));
    } catch (IOException | IndexOutOfBoundsException e) {
      return NONE;
    }
  }

  private static Map<String, Long> offsets(MemorySegment file) {
    Map<String, Long> offsets = new HashMap<>();
    if (file.get(INT, 0) != MAGIC || file.get(ValueLayout.JAVA_BYTE, 4) != 1) {
      return offsets;
    }
    long at = file.get(INT, FIRST_ENTRY_OFFSET);
    for (int left = file.get(INT, ENTRIES_OFFSET); left > 0; left--) {
      int length = file.get(INT, at);
      if (length < ENTRY_BYTES) {
        break;
      }
      if (file.get(ValueLayout.JAVA_BYTE, at + 12) == 'J' && file.get(INT, at + 8) == 0) {
        offsets.put(name(file, at + file.get(INT, at + 4)), at + file.get(INT, at + 16));
      }
      at += length;
    }
    return offsets;
  }

  private static String name(MemorySegment file, long offset) {
    byte[] bytes = new byte[MAX_NAME_BYTES];
    int length = 0;
    for (byte b = file.get(ValueLayout.JAVA_BYTE, offset); b != 0 && length < bytes.length; ) {
      bytes[length++] = b;
      b = file.get(ValueLayout.JAVA_BYTE, offset + length);
    }
    return new String(bytes, 0, length, StandardCharsets.US_ASCII);
  }

  boolean has(String name) {
    return offsets.containsKey(name);
  }

  /** 0 if there is no such counter. */
  long value(String name) {
    Long offset = offsets.get(name);
    return offset == null ? 0 : file.get(LONG, offset);
  }

  /** A counter of ticks, in ns. */
  long ns(String name) {
    long frequencyHz = value("sun.os.hrt.frequency");
    return frequencyHz == 0 ? 0 : (long) (value(name) * (NS_PER_S / frequencyHz));
  }
}
