package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Decoder;
import io.linerate.decode.Field;
import io.linerate.decode.FieldSink;
import io.linerate.decode.Frame;
import io.linerate.decode.Layer;
import io.linerate.decode.Mark;
import java.util.List;

/**
 * A line a packet: number, seconds since the first packet, the addresses of the innermost layer
 * that has some, the protocols, the length, and what the innermost protocol says in short.
 */
public final class SummaryPrinter implements PacketPrinter, FieldSink {
  private static final int NUMBER_COLUMNS = 6;
  private static final int MAX_VALUES = 8;
  private static final int MAX_BYTES = 96;
  private static final long NS_PER_US = 1_000;
  private static final long US_PER_SECOND = 1_000_000;

  private TextBuffer out = new TextBuffer();
  private List<Field> wanted = List.of();
  private int said;

  @Override
  public void print(Decoder decoder, TextBuffer target) {
    out = target;
    Frame frame = decoder.frame();
    int before = out.length();
    out.decimal(frame.number());
    pad(before, NUMBER_COLUMNS);
    long us = frame.relativeNs() / NS_PER_US;
    out.add(' ').decimal(us / US_PER_SECOND).add('.').decimal(us % US_PER_SECOND, 6).add(' ');
    addresses(decoder);
    protocols(decoder);
    out.add(' ').decimal(frame.lengthBytes());
    information(decoder);
    Mark mark = decoder.mark();
    if (mark != Mark.SOUND) {
      out.add(mark == Mark.CUT ? " [cut]" : " [malformed]");
    }
    out.add('\n');
  }

  private void pad(int from, int columns) {
    while (out.length() - from < columns) {
      out.add(' ');
    }
  }

  private void addresses(Decoder decoder) {
    for (int i = decoder.count() - 1; i >= 0; i--) {
      Layer layer = decoder.at(i);
      List<Field> addresses = layer.protocol().fields().addresses();
      if (!addresses.isEmpty() && addresses.stream().allMatch(layer::has)) {
        address(layer, addresses.getFirst());
        out.add(" > ");
        address(layer, addresses.getLast());
        out.add(' ');
        return;
      }
    }
  }

  private void address(Layer layer, Field field) {
    if (field.kind().isNumber()) {
      FieldText.add(out, field, layer.value(field));
    } else {
      int at = layer.offset() + field.byteOffset();
      FieldText.add(out, field, layer.bytes(), at, field.bytes());
    }
  }

  private void protocols(Decoder decoder) {
    for (int i = 0; i < decoder.count(); i++) {
      out.add(i == 0 ? "" : ":").add(decoder.at(i).name());
    }
  }

  private void information(Decoder decoder) {
    for (int i = decoder.count() - 1; i >= 0; i--) {
      wanted = decoder.at(i).protocol().fields().summary();
      if (!wanted.isEmpty()) {
        said = 0;
        decoder.dissect(decoder.at(i), this);
        return;
      }
    }
  }

  private boolean begins(Field field) {
    if (said == MAX_VALUES || !wanted.contains(field)) {
      return false;
    }
    out.add(' ').add(field.name(), field.name().indexOf('.') + 1).add('=');
    said++;
    return true;
  }

  @Override
  public void number(Layer layer, Field field, long value, int offset, int bytes) {
    if (begins(field)) {
      String name = field.values() == null ? null : field.values().of(value);
      if (name == null) {
        FieldText.add(out, field, value);
      } else {
        out.add(name);
      }
    }
  }

  @Override
  public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
    if (begins(field)) {
      FieldText.add(out, field, source, offset, Math.min(bytes, MAX_BYTES));
    }
  }

  @Override
  public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
    if (begins(field)) {
      out.add(value);
    }
  }
}
