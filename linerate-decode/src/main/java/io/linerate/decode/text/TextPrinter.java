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
import org.jspecify.annotations.Nullable;

/**
 * All layers and fields of packets, in lines for people. Texts are escaped as {@code tshark -V}
 * does. What two fields say in the same words is said once.
 */
public final class TextPrinter implements PacketPrinter, FieldSink {
  /** Bytes of a field that are printed at most. */
  private static final int MAX_BYTES = 64;

  private TextBuffer out = new TextBuffer();
  private int depth;

  /** The field of the line before, and where that begins; null: it is of none. */
  private @Nullable Field last;

  private int lastStart;
  private int start;

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
    last = null;
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
    start = out.length();
    indent();
    return out.add(field.label());
  }

  /** Ends a line, which is taken back if another field has said the same in the line before. */
  @SuppressWarnings("ReferenceEquality") // A declaration is itself only.
  private void end(Field field) {
    out.add('\n');
    if (last != null && last != field && out.isRepeated(lastStart, start, start)) {
      out.length(start);
      return;
    }
    last = field;
    lastStart = start;
  }

  @Override
  public void open(Layer layer, Field part, int offset, int bytes) {
    label(part).add('\n');
    last = null;
    depth++;
  }

  @Override
  public void close(Layer layer) {
    last = null;
    depth = Math.max(depth - 1, 1);
  }

  @Override
  public void number(Layer layer, Field field, long value, int offset, int bytes) {
    FieldText.add(label(field).add(": "), field, value);
    ValueNames names = field.values();
    String name = names == null ? null : names.of(value);
    if (name != null && !name.isEmpty()) {
      out.add(" (").add(name).add(')');
    }
    end(field);
  }

  @Override
  public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
    label(field);
    if (field.kind() == Kind.BYTES) {
      hex(field, source, offset, bytes);
    } else if (field.kind() != Kind.NONE) {
      int from = out.add(": ").length();
      FieldText.add(out, field, source, offset, bytes);
      TerminalText.escape(out, from);
    }
    end(field);
  }

  private void hex(Field field, ByteView source, int offset, int bytes) {
    if (bytes == 0) {
      out.add(": 0 bytes");
      return;
    }
    FieldText.add(out.add(": "), field, source, offset, Math.min(bytes, MAX_BYTES));
    if (bytes > MAX_BYTES) {
      out.add("... (").decimal(bytes).add(" bytes)");
    }
  }

  @Override
  public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
    int from = label(field).add(": ").length();
    TerminalText.escape(out.add(value), from);
    end(field);
  }
}
