package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Decoder;

/** Another printer's text, and behind it the bytes of the packet, sixteen in a line. */
public final class HexPrinter implements PacketPrinter {
  private static final int LINE_BYTES = 16;

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
    for (int at = 0; at < bytes.length(); at += LINE_BYTES) {
      line(bytes, at, Math.min(LINE_BYTES, bytes.length() - at), out);
    }
    out.add('\n');
  }

  private static void line(ByteView bytes, int at, int count, TextBuffer out) {
    out.hex(at, 4).add(' ');
    for (int i = 0; i < LINE_BYTES; i++) {
      if (i < count) {
        out.add(' ').hex(bytes.u8(at + i), 2);
      } else {
        out.add("   ");
      }
    }
    out.add("  ");
    for (int i = 0; i < count; i++) {
      int value = bytes.u8(at + i);
      out.add(value >= ' ' && value < 0x7F ? (char) value : '.');
    }
    out.add('\n');
  }

  @Override
  public void end(TextBuffer out) {
    inner.end(out);
  }
}
