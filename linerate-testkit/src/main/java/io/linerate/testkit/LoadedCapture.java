package io.linerate.testkit;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.RxQueue;
import io.linerate.core.worker.Engine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * All packets of captures, in memory: read once, and gone through as often as a test or a benchmark
 * wants, as if they had just come. They keep their times, link types, and what they had on the
 * wire.
 *
 * <pre>{@code
 * try (LoadedCapture capture = LoadedCapture.of("pcap:rx=a.pcap,linktype=any")) {
 *   capture.forEach(packet -> decoder.decode(packet));
 * }
 * }</pre>
 *
 * <p>The packets are there until it is closed: whoever takes, drops or reshapes one spoils it. One
 * thread's own.
 */
public final class LoadedCapture implements AutoCloseable {
  private static final int BURST = 32;

  private final PacketPools pools = new PacketPools();
  private final Arena arena = Arena.ofConfined();
  private final List<OwnedBurst> bursts = new ArrayList<>();
  private int packets;
  private long bytes;

  private LoadedCapture() {}

  /**
   * Reads all that ports bring until they are exhausted.
   *
   * @param addresses of ports, such as {@code pcap:rx=FILE,linktype=any}
   */
  public static LoadedCapture of(String... addresses) {
    LoadedCapture loaded = new LoadedCapture();
    for (String address : addresses) {
      loaded.load(address);
    }
    return loaded;
  }

  private void load(String address) {
    try (Engine engine = new Engine()) {
      DriverPort port = engine.drivers().port(engine.port("loaded", address));
      port.start();
      port.attachThread();
      RxQueue queue = port.rxQueue(0);
      FreeBuffer freeBuffer = new FreeBuffer(engine.drivers().pools(), 1);
      while (!queue.exhausted()) {
        OwnedBurst burst = new OwnedBurst(new MbufArray(BURST));
        queue.receive(burst.array());
        if (burst.size() > 0) {
          add(burst);
        }
        burst.burst().dropAll(DropReason.CONSUMED);
        burst.finish(freeBuffer);
      }
    }
  }

  private void add(OwnedBurst from) {
    int headers = 0;
    for (Packet packet : from) {
      headers += segments(packet);
    }
    BufferPool pool = pools.create("capture", headers, 0, 0);
    OwnedBurst burst = new OwnedBurst(new MbufArray(from.size()));
    for (int i = 0; i < from.size(); i++) {
      add(from.packet(i), from.handle(i), pool, burst.array());
    }
    bursts.add(burst);
  }

  private static int segments(Packet packet) {
    return Math.max(SegmentCopy.buffers(packet.length(), Mbuf.MAX_SEGMENT_BYTES), 1);
  }

  private void add(Packet packet, long original, BufferPool pool, MbufArray array) {
    int length = packet.length();
    MemorySegment copy = arena.allocate(Math.max(length, 1));
    packet.get(0, copy, 0, length);
    int segments = segments(packet);
    MemorySegment handles = arena.allocate(8L * segments, 8);
    if (!pool.allocate(handles.address(), segments)) {
      throw new IllegalStateException("no header is free: segments=" + segments);
    }
    long first = Handles.get(handles.address(), 0);
    long last = 0;
    for (int i = 0; i < segments; i++) {
      long mbuf = Handles.get(handles.address(), i);
      int done = i * Mbuf.MAX_SEGMENT_BYTES;
      int part = Math.min(length - done, Mbuf.MAX_SEGMENT_BYTES);
      Mbuf.buffer(mbuf, copy.address() + done, part);
      Mbuf.dataOffset(mbuf, 0);
      Mbuf.dataLength(mbuf, part);
      if (last != 0) {
        Mbuf.next(last, mbuf);
      }
      last = mbuf;
    }
    Mbuf.packetLength(first, length);
    Mbuf.segments(first, segments);
    Mbuf.copyMetadata(original, first);
    array.append(first, pool);
    packets++;
    bytes += length;
  }

  /** Packets that were read. */
  public int packets() {
    return packets;
  }

  /** Bytes of all of them together. */
  public long bytes() {
    return bytes;
  }

  /** Shows all packets, in their order. */
  public void forEach(Consumer<? super Packet> action) {
    for (OwnedBurst burst : bursts) {
      burst.burst().forEach(action);
    }
  }

  @Override
  public void close() {
    FreeBuffer freeBuffer = new FreeBuffer(pools, 1);
    bursts.forEach(burst -> burst.finish(freeBuffer));
    arena.close();
    if (!pools.close().isEmpty()) {
      throw new IllegalStateException("packets of a capture were taken: packets=" + packets);
    }
  }
}
