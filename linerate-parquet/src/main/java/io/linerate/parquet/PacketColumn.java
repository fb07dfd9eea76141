package io.linerate.parquet;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Field;
import io.linerate.decode.protocol.FrameProtocol;
import io.linerate.decode.text.FieldText;
import io.linerate.decode.text.TextBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/** A column, and its values of one packet. */
final class PacketColumn {
  private static final String LIST = "list";
  private static final String ELEMENT = "element";

  private final String name;
  private final int place;
  private final ValueType type;

  /** Whether a packet has one value at most: of the packet as a whole. */
  private final boolean isSingle;

  private final TextBuffer text = new TextBuffer();
  private final List<Binary> binaries = new ArrayList<>();
  private long[] numbers = new long[1];
  private int count;

  PacketColumn(String name, int place, List<Field> fields) {
    this.name = name;
    this.place = place;
    type = ValueType.of(fields);
    isSingle =
        !fields.isEmpty()
            && fields.stream().allMatch(field -> field.owner().equals(FrameProtocol.FRAME));
  }

  Type schema() {
    return isSingle
        ? Types.optional(type.primitive()).as(type.meaning()).named(name)
        : Types.optionalList().requiredElement(type.primitive()).as(type.meaning()).named(name);
  }

  void clear() {
    count = 0;
    binaries.clear();
  }

  void number(Field field, long value) {
    if (!type.isNumber()) {
      FieldText.add(text.clear(), field, value);
      addText();
      return;
    }
    addNumber(ValueType.kept(field, value));
  }

  private void addNumber(long value) {
    if (count == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    numbers[count++] = value;
  }

  void bytes(Field field, ByteView source, int offset, int length) {
    if (type.isNumber()) {
      addNumber(1); // There is something.
    } else if (type == ValueType.BYTES) {
      byte[] copy = new byte[length];
      for (int i = 0; i < length; i++) {
        copy[i] = (byte) source.u8(offset + i);
      }
      add(Binary.fromConstantByteArray(copy));
    } else {
      FieldText.add(text.clear(), field, source, offset, length);
      addText();
    }
  }

  void text(CharSequence value) {
    if (type.isNumber()) {
      throw new IllegalArgumentException(
          "field is no text: field=%s; tell its value as a number".formatted(name));
    }
    text.clear().add(value);
    addText();
  }

  /** What is no UTF-8 in a packet, a text in the file is not to have. */
  private void addText() {
    add(Binary.fromString(text.toString()));
  }

  private void add(Binary value) {
    binaries.add(value);
    count++;
  }

  void write(RecordConsumer row) {
    if (count == 0) {
      return;
    }
    row.startField(name, place);
    if (isSingle) {
      writeValue(0, row);
    } else {
      row.startGroup();
      row.startField(LIST, 0);
      for (int i = 0; i < count; i++) {
        row.startGroup();
        row.startField(ELEMENT, 0);
        writeValue(i, row);
        row.endField(ELEMENT, 0);
        row.endGroup();
      }
      row.endField(LIST, 0);
      row.endGroup();
    }
    row.endField(name, place);
  }

  private void writeValue(int index, RecordConsumer row) {
    switch (type) {
      case BOOLEAN -> row.addBoolean(numbers[index] != 0);
      case INT -> row.addInteger((int) numbers[index]);
      case LONG, UNSIGNED_LONG, TIME -> row.addLong(numbers[index]);
      case FLOAT -> row.addFloat(Float.intBitsToFloat((int) numbers[index]));
      case DOUBLE -> row.addDouble(Double.longBitsToDouble(numbers[index]));
      case BYTES, TEXT -> row.addBinary(binaries.get(index));
    }
  }
}
