package io.linerate.bench.port;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Frames in memory, each behind its header, as a pool has them: what loops without ports go
 * through. They come from a file of slots of equal size, which C twins read, too.
 */
public final class FrameSlots {
  /** Bytes of a frame in the file, its length included. */
  private static final int SLOT_BYTES = 128;

  /** Of the frame's length, two bytes. */
  private static final int LENGTH_OFFSET = SLOT_BYTES - 2;

  private final MemorySegment handles;
  private final int count;

  private FrameSlots(byte[] slots) {
    count = slots.length / SLOT_BYTES;
    handles = Arena.global().allocate(ValueLayout.JAVA_LONG, count);
    int stride = Mbuf.HEADER_BYTES + SLOT_BYTES;
    MemorySegment memory = Arena.global().allocate((long) count * stride, 64);
    for (int i = 0; i < count; i++) {
      long mbuf = memory.address() + (long) i * stride;
      int at = i * SLOT_BYTES;
      Mbuf.buffer(mbuf, mbuf + Mbuf.HEADER_BYTES, SLOT_BYTES);
      Mbuf.reset(mbuf, 0);
      int bytes = ByteBuffer.wrap(slots).getShort(at + LENGTH_OFFSET);
      Mbuf.dataLength(mbuf, bytes);
      Mbuf.packetLength(mbuf, bytes);
      MemorySegment.copy(
          slots,
          at,
          memory,
          ValueLayout.JAVA_BYTE,
          (long) i * stride + Mbuf.HEADER_BYTES,
          SLOT_BYTES);
      handles.setAtIndex(ValueLayout.JAVA_LONG, i, mbuf);
    }
  }

  /**
   * Writes a file.
   *
   * @param frames makes them, each of less than 127 bytes
   */
  public static void write(Path file, int count, Supplier<byte[]> frames) {
    ByteBuffer slots = ByteBuffer.allocate(count * SLOT_BYTES);
    for (int i = 0; i < count; i++) {
      byte[] frame = frames.get();
      slots.put(i * SLOT_BYTES, frame);
      slots.putShort(i * SLOT_BYTES + LENGTH_OFFSET, (short) frame.length);
    }
    try {
      Files.write(file, slots.array());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write frames: file=" + file, e);
    }
  }

  public static FrameSlots read(Path file) throws IOException {
    return new FrameSlots(Files.readAllBytes(file));
  }

  /** How many there are. */
  public int count() {
    return count;
  }

  /** Puts frames from a number on into a burst that is empty. */
  public void fill(OwnedBurst target, int from, int frames) {
    MbufArray array = target.array();
    Handles.copy(handles.address() + (long) Long.BYTES * from, array.reserve(frames), frames);
    array.extend(frames, null);
  }
}
