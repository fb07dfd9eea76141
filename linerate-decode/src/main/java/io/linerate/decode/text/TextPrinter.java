package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Decoder;
import io.linerate.decode.Field;
import io.linerate.decode.FieldSink;
import io.linerate.decode.Kind;
import io.linerate.decode.Layer;
import io.linerate.decode.Mark;
import io.linerate.decode.ValueNames;
import io.linerate.decode.protocol.MalformedProtocol;

/** All layers and fields of packets, in lines for people. */
public final class TextPrinter implements PacketPrinter, FieldSink {
  /** Bytes of a field that are printed at most. */
  private static final int MAX_BYTES = 64;

  private TextBuffer out = new TextBuffer();
  private int depth;

  @Override
  public void print(Decoder decoder, TextBuffer target) {
    out = target;
    decoder.dissect(this);
    out.add('\n');
  }

  /** What is malformed is marked where it is. */
  @Override
  public boolean wants(Layer layer) {
    return !layer.is(MalformedProtocol.MALFORMED);
  }

  @Override
  public void begin(Layer layer) {
    depth = 1;
    out.add(layer.protocol().fields().title()).add('\n');
  }

  @Override
  public void end(Layer layer) {
    if (layer.mark() != Mark.SOUND) {
      depth = 1;
      indent();
      out.add(layer.mark() == Mark.CUT ? "[not captured as a whole]" : "[malformed]").add('\n');
    }
  }

  private void indent() {
    for (int i = 0; i < depth; i++) {
      out.add("    ");
    }
  }

  private TextBuffer label(Field field) {
    indent();
    return out.add(field.label());
  }

  @Override
  public void open(Layer layer, Field part, int offset, int bytes) {
    label(part).add('\n');
    depth++;
  }

  @Override
  public void close(Layer layer) {
    depth = Math.max(depth - 1, 1);
  }

  @Override
  public void number(Layer layer, Field field, long value, int offset, int bytes) {
    FieldText.add(label(field).add(": "), field, value);
    ValueNames names = field.values();
    String name = names == null ? null : names.of(value);
    if (name != null) {
      out.add(" (").add(name).add(')');
    }
    out.add('\n');
  }

  @Override
  public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
    label(field);
    if (field.kind() != Kind.NONE) {
      boolean isLong = field.kind() == Kind.BYTES && bytes > MAX_BYTES;
      FieldText.add(out.add(": "), field, source, offset, isLong ? MAX_BYTES : bytes);
      if (isLong) {
        out.add("... (").decimal(bytes).add(" bytes)");
      }
    }
    out.add('\n');
  }

  @Override
  public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
    label(field).add(": ").add(value).add('\n');
  }
}
