package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Decoder;
import io.linerate.decode.Field;
import io.linerate.decode.FieldSink;
import io.linerate.decode.Fields;
import io.linerate.decode.Frame;
import io.linerate.decode.Layer;
import io.linerate.decode.Mark;
import io.linerate.decode.Protocols;
import io.linerate.decode.protocol.FrameProtocol;
import io.linerate.decode.protocol.MalformedProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object a line and packet: its number, time, lengths, and its layers from the outermost on,
 * each with its protocol and its fields by their names. A field that a layer has several times is
 * an array.
 *
 * <pre>{@code
 * {"number":1,"time_ns":1700000000000000000,"length":60,"captured":60,
 *  "layers":[{"protocol":"eth","eth.dst":"02:00:00:00:00:02","eth.type":"0x0800"}]}
 * }</pre>
 */
public final class JsonPrinter implements PacketPrinter, FieldSink {
  /** By protocol and field what was said of it; made when it is first said. */
  private final @Nullable TextBuffer[][] values;

  private final int[][] counts;

  /** Fields of the layer, in the order in which they came. */
  private final int[] order;

  private int used;
  private boolean isFirst;
  private TextBuffer out = new TextBuffer();

  public JsonPrinter(Protocols protocols) {
    int size = protocols.all().size();
    values = new TextBuffer[size][];
    counts = new int[size][];
    int most = 0;
    for (int i = 0; i < size; i++) {
      int fields = protocols.all().get(i).fields().all().size();
      values[i] = new TextBuffer[fields];
      counts[i] = new int[fields];
      most = Math.max(most, fields);
    }
    order = new int[most];
  }

  @Override
  public void print(Decoder decoder, TextBuffer target) {
    out = target;
    isFirst = true;
    Frame frame = decoder.frame();
    out.add("{\"number\":").decimal(frame.number());
    out.add(",\"time_ns\":").decimal(frame.timestampNs());
    out.add(",\"length\":").decimal(frame.lengthBytes());
    out.add(",\"captured\":").decimal(frame.capturedBytes());
    out.add(",\"layers\":[");
    decoder.dissect(this);
    out.add("]}\n");
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // A declaration is itself only.
  public boolean wants(Layer layer) {
    Fields fields = layer.protocol().fields();
    return fields != FrameProtocol.FRAME && fields != MalformedProtocol.MALFORMED;
  }

  @Override
  public void begin(Layer layer) {
    used = 0;
    out.add(isFirst ? "{\"protocol\":" : ",{\"protocol\":");
    isFirst = false;
    JsonText.string(out, layer.name());
  }

  @Override
  public void end(Layer layer) {
    int protocol = layer.protocolNumber();
    for (int i = 0; i < used; i++) {
      int number = order[i];
      Field field = layer.protocol().fields().all().get(number);
      boolean isSeveral = counts[protocol][number] > 1;
      out.add(",\"").add(field.name()).add(isSeveral ? "\":[" : "\":");
      TextBuffer text = values[protocol][number];
      if (text != null) {
        out.add(text);
      }
      if (isSeveral) {
        out.add(']');
      }
      counts[protocol][number] = 0;
    }
    if (layer.mark() != Mark.SOUND) {
      out.add(layer.mark() == Mark.CUT ? ",\"cut\":true" : ",\"malformed\":true");
    }
    out.add('}');
  }

  /** Where the next value of a field goes. */
  private TextBuffer next(Layer layer, Field field) {
    int protocol = layer.protocolNumber();
    int number = field.number();
    TextBuffer text = values[protocol][number];
    if (text == null) {
      text = new TextBuffer();
      values[protocol][number] = text;
    }
    if (counts[protocol][number]++ == 0) {
      order[used++] = number;
      return text.clear();
    }
    return text.add(',');
  }

  @Override
  public void number(Layer layer, Field field, long value, int offset, int bytes) {
    JsonText.number(next(layer, field), field, value);
  }

  @Override
  public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
    JsonText.bytes(next(layer, field), field, source, offset, bytes);
  }

  @Override
  public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
    JsonText.string(next(layer, field), value);
  }
}
