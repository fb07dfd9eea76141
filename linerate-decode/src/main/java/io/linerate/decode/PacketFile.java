package io.linerate.decode;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file that packets are written into as they are decoded, all on one thread. */
public interface PacketFile extends AutoCloseable {
  /**
   * Adds the packet that was decoded last. What goes wrong is told by {@link #failure}: nothing is
   * thrown.
   */
  void add(Decoder decoder);

  /** The first thing that went wrong; null: nothing has. It ignores packets from then on. */
  @Nullable IOException failure();

  /**
   * Completes the file.
   *
   * @throws IOException what has gone wrong, if anything has
   */
  @Override
  void close() throws IOException;
}
