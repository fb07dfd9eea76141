package io.linerate.decode;

import io.linerate.core.memory.Packet;

/** Is shown packets that were decoded, on one thread. */
@FunctionalInterface
public interface DecodeListener {
  /**
   * A packet was decoded.
   *
   * @param decoder what it has found; until this returns
   */
  void onPacket(Decoder decoder, Packet packet);

  /** All packets of a burst were shown. */
  default void onEndOfBurst() {}
}
