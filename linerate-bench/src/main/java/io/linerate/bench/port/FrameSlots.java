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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Frames in memory, each behind its header, as a pool has them: what loops without ports go
 * through. They come from a file of slots of equal size, which C twins read, too.
 */
public final class FrameSlots {
  /** Bytes of a short frame in the file, its length in the last two included. */
  public static final int SLOT_BYTES = 128;

  private static final int LENGTH_BYTES = 2;

  private final MemorySegment handles;
  private final int count;

  private FrameSlots(byte[] slots, int slotBytes) {
    count = slots.length / slotBytes;
    handles = Arena.global().allocate(ValueLayout.JAVA_LONG, count);
    int stride = Mbuf.HEADER_BYTES + slotBytes;
    MemorySegment memory = Arena.global().allocate((long) count * stride, 64);
    for (int i = 0; i < count; i++) {
      long mbuf = memory.address() + (long) i * stride;
      int at = i * slotBytes;
      Mbuf.buffer(mbuf, mbuf + Mbuf.HEADER_BYTES, slotBytes);
      Mbuf.reset(mbuf, 0);
      int bytes = ByteBuffer.wrap(slots).getShort(at + slotBytes - LENGTH_BYTES);
      Mbuf.dataLength(mbuf, bytes);
      Mbuf.packetLength(mbuf, bytes);
      MemorySegment.copy(
          slots,
          at,
          memory,
          ValueLayout.JAVA_BYTE,
          (long) i * stride + Mbuf.HEADER_BYTES,
          slotBytes);
      handles.setAtIndex(ValueLayout.JAVA_LONG, i, mbuf);
    }
  }

  /**
   * Writes a file.
   *
   * @param frames makes them, each of less than 127 bytes
   */
  public static void write(Path file, int count, Supplier<byte[]> frames) {
    write(file, count, SLOT_BYTES, frames);
  }

  /** The same of frames of up to {@code slotBytes} - 2 bytes. */
  public static void write(Path file, int count, int slotBytes, Supplier<byte[]> frames) {
    ByteBuffer slots = ByteBuffer.allocate(count * slotBytes);
    for (int i = 0; i < count; i++) {
      byte[] frame = frames.get();
      slots.put(i * slotBytes, frame);
      slots.putShort((i + 1) * slotBytes - LENGTH_BYTES, (short) frame.length);
    }
    try {
      Files.write(file, slots.array());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write frames: file=" + file, e);
    }
  }

  /** Reads a file of short frames. */
  public static FrameSlots read(Path file) throws IOException {
    return read(file, SLOT_BYTES);
  }

  /** Reads a file of slots of some other length. */
  public static FrameSlots read(Path file, int slotBytes) throws IOException {
    return new FrameSlots(Files.readAllBytes(file), slotBytes);
  }

  /** The frames of such a file as arrays, for programs that decode these. */
  public static List<byte[]> arrays(Path file, int slotBytes) throws IOException {
    byte[] slots = Files.readAllBytes(file);
    List<byte[]> frames = new ArrayList<>();
    for (int end = slotBytes; end <= slots.length; end += slotBytes) {
      int bytes = ByteBuffer.wrap(slots).getShort(end - LENGTH_BYTES);
      frames.add(Arrays.copyOfRange(slots, end - slotBytes, end - slotBytes + bytes));
    }
    return frames;
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
