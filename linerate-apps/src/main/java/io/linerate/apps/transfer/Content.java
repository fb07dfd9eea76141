package io.linerate.apps.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where the bytes of a file that is sent come from. Any thread. */
interface Content extends AutoCloseable {
  /**
   * Reads bytes at a place, as many as there is room for.
   *
   * @return how many; fewer than there is room for: the file is shorter
   */
  int read(long offset, ByteBuffer to) throws IOException;

  /** An extent has arrived: it is not read again. */
  default void arrived(int extent) {}

  @Override
  void close() throws IOException;
}
