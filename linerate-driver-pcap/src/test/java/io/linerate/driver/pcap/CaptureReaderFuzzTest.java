package io.linerate.driver.pcap;

import static io.linerate.driver.pcap.CaptureBuilder.concat;
import static io.linerate.driver.pcap.CaptureBuilder.frame;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.linerate.core.port.PortException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever bytes a file has: the reader finds packets that lie inside it, one behind the other, and
 * ends with the file or with a {@link PortException}. A second pass finds the same.
 */
class CaptureReaderFuzzTest {
  static Stream<Arguments> seeds() {
    return Stream.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)
        .flatMap(order -> Stream.of(pcap(order), pcapng(order)))
        .map(Arguments::of);
  }

  private static byte[] pcap(ByteOrder order) {
    return new CaptureBuilder(order)
        .pcapHeader(PcapFormat.MICROSECONDS_MAGIC, 65_535, 1)
        .pcapRecord(1, 2, 60, frame(0, 60))
        .pcapRecord(1, 3, 70, frame(1, 20))
        .build();
  }

  private static byte[] pcapng(ByteOrder order) {
    CaptureBuilder b = new CaptureBuilder(order);
    byte[] clock = concat(b.option(9, (byte) 0x8A), b.option(14, b.i64(5)), b.option(0));
    return b.section(b.option(4, (byte) 'x'))
        .networkInterface(1, 40, clock)
        .networkInterface(113, 0)
        .enhanced(0, 7, 60, frame(0, 33), b.option(1, (byte) 'y'))
        .enhanced(1, 7, 60, frame(0, 20))
        .obsolete(0, 8, 20, frame(1, 20))
        .simple(60, frame(2, 40))
        .block(5, new byte[8])
        .section()
        .build();
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void shouldStayInsideTheFileAndEnd(byte[] file) {
    MemorySegment bytes = MemorySegment.ofArray(file);
    CaptureReader reader;
    try {
      reader = CaptureReader.of("fuzz", bytes, Set.of());
    } catch (PortException refused) {
      return;
    }
    long first = readAll(reader, file.length);
    reader.rewind();
    long second = readAll(reader, file.length);
    if (first != second) {
      throw new AssertionError("the passes differ: first=" + first + ", second=" + second);
    }
  }

  /** Reads to the end or the damage; a sum over everything that was found. */
  private static long readAll(CaptureReader reader, long fileBytes) {
    long end = 0;
    long sum = 0;
    try {
      while (reader.next()) {
        long start = reader.dataOffset() - reader.headerBytes();
        if (start < end || reader.lengthBytes() < 0) {
          throw new AssertionError("goes back: start=" + start + ", end=" + end);
        }
        end = reader.dataOffset() + reader.lengthBytes();
        if (end > fileBytes) {
          throw new AssertionError("leaves the file: end=" + end + ", fileBytes=" + fileBytes);
        }
        sum = 31 * sum + end + (reader.hasTimestamp() ? reader.timestampNs() : 0);
      }
    } catch (PortException damaged) {
      return ~sum;
    }
    return sum;
  }
}
