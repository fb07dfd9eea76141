package io.linerate.stream.net;

import java.lang.foreign.MemorySegment;

/** What is done to payloads on one worker. */
public interface PayloadWork extends AutoCloseable {
  /** The result for a payload that is not what this makes. */
  int FAILED = -1;

  /**
   * Makes the payload of a message.
   *
   * @param target with room for the message and {@link PayloadCodec#mostAddedBytes}
   * @return bytes of it
   */
  int write(MemorySegment source, long at, int bytes, MemorySegment target, long targetAt);

  /**
   * Makes the message of a payload.
   *
   * @param room bytes that the target has
   * @return bytes of it, or {@link #FAILED}
   */
  int read(MemorySegment source, long at, int bytes, MemorySegment target, long targetAt, int room);

  @Override
  void close();
}
