package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Decoder;
import io.linerate.decode.Field;
import io.linerate.decode.FieldSink;
import io.linerate.decode.Layer;
import io.linerate.decode.protocol.MalformedProtocol;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * An array of packets in the shape of {@code tshark -T json}: the layers by the names of their
 * protocols, all values strings, what is part of a field in an object with {@code _tree} behind the
 * field's name, and what there are several of several times under one name.
 */
public final class TsharkJsonPrinter implements PacketPrinter, FieldSink {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd").withZone(ZoneOffset.UTC);

  private TextBuffer out = new TextBuffer();
  private boolean isFirstPacket = true;

  /** Whether nothing stands yet in the object that is open. */
  private boolean isFirst;

  private int depth;

  @Override
  public void begin(TextBuffer target) {
    target.add("[\n");
  }

  @Override
  public void print(Decoder decoder, TextBuffer target) {
    out = target;
    out.add(isFirstPacket ? "  {\n" : "  ,{\n");
    isFirstPacket = false;
    out.add("    \"_index\": \"packets-");
    out.add(DAY.format(Instant.ofEpochSecond(0, decoder.frame().timestampNs()))).add("\",\n");
    out.add("    \"_score\": null,\n    \"_source\": {\n      \"layers\": {");
    isFirst = true;
    depth = 4;
    decoder.dissect(this);
    out.add("\n      }\n    }\n  }\n");
  }

  @Override
  public void end(TextBuffer target) {
    target.add("]\n");
  }

  private void key(CharSequence name, String suffix) {
    out.add(isFirst ? "\n" : ",\n");
    isFirst = false;
    for (int i = 0; i < depth; i++) {
      out.add("  ");
    }
    out.add('"').add(name).add(suffix).add("\": ");
  }

  private void enter() {
    out.add('{');
    isFirst = true;
    depth++;
  }

  private void leave() {
    depth--;
    if (!isFirst) {
      out.add('\n');
      for (int i = 0; i < depth; i++) {
        out.add("  ");
      }
    }
    out.add('}');
    isFirst = false;
  }

  @Override
  public boolean wants(Layer layer) {
    return !layer.is(MalformedProtocol.MALFORMED);
  }

  @Override
  public void begin(Layer layer) {
    key(layer.name(), "");
    enter();
  }

  @Override
  public void end(Layer layer) {
    while (depth > 4) {
      leave();
    }
  }

  @Override
  public void open(Layer layer, Field part, int offset, int bytes) {
    key(part.name(), "_tree");
    enter();
  }

  @Override
  public void close(Layer layer) {
    if (depth > 5) {
      leave();
    }
  }

  @Override
  public void number(Layer layer, Field field, long value, int offset, int bytes) {
    key(field.name(), "");
    out.add('"');
    FieldText.add(out, field, value);
    out.add('"');
  }

  @Override
  public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
    key(field.name(), "");
    switch (field.kind()) {
      case BYTES -> {
        out.add('"');
        for (int i = 0; i < bytes; i++) {
          out.add(i == 0 ? "" : ":").hex(source.u8(offset + i), 2);
        }
        out.add('"');
      }
      case NONE -> out.add("\"\"");
      default -> JsonText.bytes(out, field, source, offset, bytes);
    }
  }

  @Override
  public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
    key(field.name(), "");
    JsonText.string(out, value);
  }
}
