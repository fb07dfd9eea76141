package io.linerate.decode.text;

import io.linerate.decode.Decoder;

/** Prints what a decoder finds in packets, one after the other. */
public interface PacketPrinter {
  /** What stands before the first packet. */
  default void begin(TextBuffer out) {}

  /** The packet that the decoder has decoded last. */
  void print(Decoder decoder, TextBuffer out);

  /** What stands behind the last packet. */
  default void end(TextBuffer out) {}
}
