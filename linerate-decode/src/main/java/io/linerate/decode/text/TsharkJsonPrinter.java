package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Decoder;
import io.linerate.decode.Field;
import io.linerate.decode.FieldSink;
import io.linerate.decode.Kind;
import io.linerate.decode.Layer;
import io.linerate.decode.protocol.MalformedProtocol;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * An array of packets in the shape of {@code tshark -T json --no-duplicate-keys}: the layers by the
 * names of their protocols, all values strings, the parts of a field in an object with {@code
 * _tree} behind the field's name (its name alone, if it has no value), and what there are several
 * of in an array. A field is a part of the one before it if its bytes are, and its name begins with
 * that one's.
 */
public final class TsharkJsonPrinter implements PacketPrinter, FieldSink {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd").withZone(ZoneOffset.UTC);

  /** Where the object of all layers stands. */
  private static final int LAYERS_DEPTH = 3;

  private final TextBuffer value = new TextBuffer();

  /** Objects that are open, the innermost last. */
  private final ArrayDeque<JsonObject> open = new ArrayDeque<>();

  private JsonObject layers = new JsonObject();

  /** The field that was said last but for its parts, and where its bytes are; null: none. */
  private @Nullable Field whole;

  private int wholeStart;
  private int wholeEnd;

  /** The object of its parts, once there is one. */
  private @Nullable JsonObject parts;

  private boolean isFirstPacket = true;

  @Override
  public void begin(TextBuffer target) {
    target.add("[\n");
  }

  @Override
  public void print(Decoder decoder, TextBuffer target) {
    target.add(isFirstPacket ? "  {\n" : "  ,{\n");
    isFirstPacket = false;
    target.add("    \"_index\": \"packets-");
    target.add(DAY.format(Instant.ofEpochSecond(0, decoder.frame().timestampNs()))).add("\",\n");
    target.add("    \"_type\": \"doc\",\n    \"_score\": null,\n");
    target.add("    \"_source\": {\n      \"layers\": ");
    layers = new JsonObject();
    decoder.dissect(this);
    layers.writeTo(target, LAYERS_DEPTH);
    target.add("\n    }\n  }\n");
  }

  @Override
  public void end(TextBuffer target) {
    target.add("]\n");
  }

  @Override
  public boolean wants(Layer layer) {
    return !layer.is(MalformedProtocol.MALFORMED);
  }

  @Override
  public void begin(Layer layer) {
    open.clear();
    open.push(layers.open(layer.name()));
    whole = null;
  }

  @Override
  public void open(Layer layer, Field part, int offset, int bytes) {
    open.push(target(part, offset, bytes).open(name(part)));
    whole = null;
  }

  private static String name(Field part) {
    return part.kind() == Kind.NONE ? part.name() : part.name() + "_tree";
  }

  @Override
  public void close(Layer layer) {
    whole = null;
    if (open.size() > 1) {
      open.pop();
    }
  }

  /** The object that a field belongs into. */
  private JsonObject target(Field field, int offset, int bytes) {
    JsonObject object = open.element();
    if (whole == null || !isPart(whole, field, offset, bytes)) {
      whole = field.kind() == Kind.TEXT ? null : field;
      wholeStart = offset;
      wholeEnd = offset + bytes;
      parts = null;
      return object;
    }
    if (parts == null) {
      parts = object.open(whole.name() + "_tree");
    }
    return parts;
  }

  private boolean isPart(Field of, Field field, int offset, int bytes) {
    String outer = of.name();
    String name = field.name();
    return offset >= wholeStart
        && offset + bytes <= wholeEnd
        && name.length() > outer.length()
        && name.charAt(outer.length()) == '.'
        && name.startsWith(outer);
  }

  private void say(Field field, int offset, int bytes) {
    target(field, offset, bytes).add(field.name(), value.toString());
    value.clear();
  }

  @Override
  public void number(Layer layer, Field field, long number, int offset, int bytes) {
    value.add('"');
    FieldText.add(value, field, number);
    value.add('"');
    say(field, offset, bytes);
  }

  @Override
  public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
    switch (field.kind()) {
      case BYTES -> {
        value.add('"');
        for (int i = 0; i < bytes; i++) {
          value.add(i == 0 ? "" : ":").hex(source.u8(offset + i), 2);
        }
        value.add('"');
      }
      case NONE -> value.add("\"\"");
      default -> JsonText.bytes(value, field, source, offset, bytes);
    }
    say(field, offset, bytes);
  }

  @Override
  public void text(Layer layer, Field field, CharSequence text, int offset, int bytes) {
    JsonText.string(value, text);
    say(field, offset, bytes);
  }
}
