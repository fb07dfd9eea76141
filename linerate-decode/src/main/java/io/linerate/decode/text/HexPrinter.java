package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Decoder;

/** Another printer's text, and behind it the bytes of the packet, sixteen in a line. */
public final class HexPrinter implements PacketPrinter {
  private final PacketPrinter inner;

  public HexPrinter(PacketPrinter inner) {
    this.inner = inner;
  }

  @Override
  public void begin(TextBuffer out) {
    inner.begin(out);
  }

  @Override
  public void print(Decoder decoder, TextBuffer out) {
    inner.print(decoder, out);
    ByteView bytes = decoder.bytes();
    for (int at = 0; at < bytes.length(); at += HexLines.BYTES) {
      HexLines.add(out.hex(at, 4).add(' '), bytes, at);
      out.add('\n');
    }
    out.add('\n');
  }

  @Override
  public void end(TextBuffer out) {
    inner.end(out);
  }
}
