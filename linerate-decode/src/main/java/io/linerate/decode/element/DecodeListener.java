package io.linerate.decode.element;

import io.linerate.core.memory.Packet;
import io.linerate.decode.Decoder;

/** Is shown packets that were decoded, on one worker. */
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
