package io.linerate.core.counter;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bytes of a counters file, version 1. All numbers are little-endian; offsets are in bytes.
 *
 * <pre>
 *    0  magic: the letters LINERATE
 *    8  version of this layout: 1
 *   16  sequence: odd while the program writes; read it before and after, and again if it changed
 *   24  process number
 *   32  when the program started, ms since 1970
 *   40  when it last wrote, ms since 1970
 *   48  1 when the program has ended: the numbers are its last ones
 *   56  generation of the directory: another number when the directory changed
 *   64  length of the directory
 *   72  number of values
 *   80  samples that there was no room for
 * 4096  the directory: UTF-8, a line each for program, version and command, then for each value
 *       kind unit name{label="value",…}
 *  4 Mi the values, in the order of the directory
 * </pre>
 *
 * All but magic and directory are 64-bit numbers. The file has holes: it takes the memory that is
 * written only.
 */
final class CountersLayout {
  static final ValueLayout.OfLong NUMBER = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle AT = NUMBER.varHandle();

  static final long MAGIC_OFFSET = 0;
  static final long VERSION_OFFSET = 8;
  static final long SEQUENCE_OFFSET = 16;
  static final long PID_OFFSET = 24;
  static final long STARTED_OFFSET = 32;
  static final long WRITTEN_OFFSET = 40;
  static final long ENDED_OFFSET = 48;
  static final long GENERATION_OFFSET = 56;
  static final long DIRECTORY_LENGTH_OFFSET = 64;
  static final long VALUE_COUNT_OFFSET = 72;
  static final long LEFT_OUT_OFFSET = 80;

  /** Of all of these. */
  static final int START_BYTES = 88;

  static final long DIRECTORY_OFFSET = 4_096;
  static final long VALUES_OFFSET = 4L << 20;
  static final long FILE_BYTES = 8L << 20;

  /** "LINERATE" as a little-endian number. */
  static final long MAGIC = 0x45544152454E494CL;

  static final long VERSION = 1;
  static final int MAX_DIRECTORY_BYTES = (int) (VALUES_OFFSET - DIRECTORY_OFFSET);
  static final int MAX_VALUES = (int) ((FILE_BYTES - VALUES_OFFSET) / Long.BYTES);

  private CountersLayout() {}

  static long get(MemorySegment file, long offset) {
    return (long) AT.getOpaque(file, offset);
  }

  static long getAcquire(MemorySegment file, long offset) {
    return (long) AT.getAcquire(file, offset);
  }

  static void set(MemorySegment file, long offset, long value) {
    AT.setOpaque(file, offset, value);
  }

  static void setRelease(MemorySegment file, long offset, long value) {
    AT.setRelease(file, offset, value);
  }
}
