package io.linerate.core.driver;

/** Where packet buffers come from and return to. Safe for use by several threads. */
public interface PacketPool {
  /** Name in messages and statistics. */
  String name();

  /** Number of buffers, in use or not. */
  int capacity();

  /** Number of buffers that are free. Exact when no thread is at work. */
  int available();

  /** Bytes in front of the data of a packet just allocated. */
  int headroomBytes();

  /** Bytes that the data of one fresh buffer may have. */
  int roomBytes();

  /**
   * Appends {@code count} empty packets of one segment to {@code packets}, all or none.
   *
   * @return whether there were enough
   */
  boolean allocate(MbufArray packets, int count);

  /**
   * Takes packets back, each with all its segments. They may be of any pool that shares this one's
   * memory system.
   *
   * @param handles address of an array of {@code count} handles
   */
  void free(long handles, int count);
}
