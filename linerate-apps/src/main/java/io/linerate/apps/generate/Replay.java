package io.linerate.apps.generate;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.PortException;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The packets of a capture file in native memory, with their times. */
final class Replay {
  private static final int CHUNK_BYTES = 16 << 20;

  private final List<MemorySegment> chunks = new ArrayList<>();
  private int chunkEnd = CHUNK_BYTES;
  private long[] places = new long[1_024];
  private int[] lengths = new int[1_024];
  private long[] timesNs = new long[1_024];
  private int size;
  private long bytes;
  private int largestBytes;

  private Replay() {}

  /**
   * Reads a file to its end.
   *
   * @throws ConfigException if it cannot be read, or has no packets
   */
  static Replay read(Path file) {
    Replay replay = new Replay();
    try (Engine engine = new Engine()) {
      String name = file.toString().replace("\\", "\\\\").replace(",", "\\,");
      engine.worker().input(engine.port("pcap:rx=" + name + ",linktype=ETHERNET"), replay::add);
      RunSummary summary = engine.run();
      if (summary.hasFailed()) {
        throw new ConfigException("cannot replay: " + summary.failures().getFirst());
      }
    } catch (PortException e) {
      throw new ConfigException("cannot replay: " + e.getMessage());
    }
    if (replay.size == 0) {
      throw new ConfigException(
          "cannot replay: file=" + file + ", packets=0; name a capture file with packets");
    }
    return replay;
  }

  private void add(Burst burst) {
    for (Packet packet : burst) {
      add(packet);
    }
    burst.dropAll(DropReason.CONSUMED);
  }

  private void add(Packet packet) {
    int length = packet.length();
    if (chunkEnd + length > CHUNK_BYTES) {
      chunks.add(Arena.ofAuto().allocate(CHUNK_BYTES, 64));
      chunkEnd = 0;
    }
    if (size == places.length) {
      places = Arrays.copyOf(places, 2 * size);
      lengths = Arrays.copyOf(lengths, 2 * size);
      timesNs = Arrays.copyOf(timesNs, 2 * size);
    }
    packet.get(0, chunks.getLast(), chunkEnd, length);
    places[size] = (long) (chunks.size() - 1) << 32 | chunkEnd;
    lengths[size] = length;
    timesNs[size] = packet.timestampNs();
    chunkEnd += length;
    bytes += length;
    largestBytes = Math.max(largestBytes, length);
    size++;
  }

  int size() {
    return size;
  }

  int largestBytes() {
    return largestBytes;
  }

  /** Mean bytes of a packet in memory. */
  double meanBytes() {
    return (double) bytes / size;
  }

  void append(Packet packet, int index) {
    long place = places[index];
    packet.append(chunks.get((int) (place >>> 32)), place & 0xFFFF_FFFFL, lengths[index]);
  }

  int length(int index) {
    return lengths[index];
  }

  /**
   * When packet {@code number} is due after the first, if the file is repeated without end: one
   * pass follows the other at the mean distance of packets. Never before the packet in front of it.
   */
  long dueNs(long number) {
    long passNs = lastNs() + (size == 1 ? 0 : lastNs() / (size - 1));
    return number / size * passNs + Math.max(0, timesNs[(int) (number % size)] - timesNs[0]);
  }

  private long lastNs() {
    return Math.max(0, timesNs[size - 1] - timesNs[0]);
  }
}
