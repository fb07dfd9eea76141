package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.Kind.TIME;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;
import io.linerate.decode.ValueNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields that the value of one type of record, option or attribute consists of, declared in
 * their order.
 */
final class ValueLayout {
  private static final long NS_PER_SECOND = 1_000_000_000L;

  private enum Form {
    NUMBER,
    NAME,
    LENGTH,
    STRING,
    SECONDS,
    REST
  }

  private final Fields fields;
  private final String prefix;
  private final List<Field> steps = new ArrayList<>();
  private final List<Form> forms = new ArrayList<>();

  private boolean isRepeated;

  /** How many of them there are in any case. */
  private int required = Integer.MAX_VALUE;

  /**
   * @param prefix of the names of all of them
   */
  ValueLayout(Fields fields, String prefix) {
    this.fields = fields;
    this.prefix = prefix;
  }

  private ValueLayout(Fields fields, String prefix, Form form, Field field) {
    this(fields, prefix);
    steps.add(field);
    forms.add(form);
  }

  /** A field that was declared before, of so many bits or, if they are 0, all that is left. */
  static ValueLayout of(Field field) {
    return new ValueLayout(field.owner(), "", field.bits() == 0 ? Form.REST : Form.NUMBER, field);
  }

  /** It begins anew while there is something left. */
  ValueLayout repeated() {
    isRepeated = true;
    return this;
  }

  /** What is declared from here on is there only if there is something left. */
  ValueLayout optional() {
    required = steps.size();
    return this;
  }

  private ValueLayout add(Form form, String name, int bits, Kind kind, String label) {
    return add(form, name, bits, kind, label, null);
  }

  private ValueLayout add(
      Form form, String name, int bits, Kind kind, String label, @Nullable ValueNames names) {
    steps.add(fields.floating(prefix + name, bits, kind, label, names));
    forms.add(form);
    return this;
  }

  /** So many bits, or as many bytes. */
  ValueLayout number(String name, int bits, Kind kind, String label) {
    return add(Form.NUMBER, name, bits, kind, label);
  }

  ValueLayout number(String name, int bits, String label) {
    return number(name, bits, DECIMAL, label);
  }

  /** So many bits, whose value is a multiple of theirs. */
  ValueLayout scaled(String name, int bits, int factor, String label) {
    steps.add(fields.scaledFloating(prefix + name, bits, factor, DECIMAL, label));
    forms.add(Form.NUMBER);
    return this;
  }

  ValueLayout number(String name, int bits, String label, ValueNames names) {
    return add(Form.NUMBER, name, bits, DECIMAL, label, names);
  }

  ValueLayout name(String name, String label) {
    return add(Form.NAME, name, 0, TEXT, label);
  }

  /** A length of one byte, and so many characters. */
  ValueLayout string(String lengthName, String name, String label) {
    add(Form.LENGTH, lengthName, 8, DECIMAL, "Length");
    return add(Form.STRING, name, 0, TEXT, label);
  }

  /** A length of one byte, and so many bytes. */
  ValueLayout bytes(String lengthName, String name, String label) {
    add(Form.LENGTH, lengthName, 8, DECIMAL, "Length");
    return add(Form.STRING, name, 0, BYTES, label);
  }

  /** A length of two bytes, and so many bytes. */
  ValueLayout longBytes(String lengthName, String name, String label) {
    add(Form.LENGTH, lengthName, 16, DECIMAL, "Length");
    return add(Form.STRING, name, 0, BYTES, label);
  }

  /** Seconds since the epoch, in four bytes. */
  ValueLayout seconds(String name, String label) {
    return add(Form.SECONDS, name, 32, TIME, label);
  }

  /** All that is left. */
  ValueLayout rest(String name, String label) {
    return add(Form.REST, name, 0, BYTES, label);
  }

  /** All that is left, as text. */
  ValueLayout text(String name, String label) {
    return add(Form.REST, name, 0, TEXT, label);
  }

  /** Whether a value can have so many bytes, where all parts of it have a fixed length. */
  boolean accepts(int bytes) {
    int fixed = 0;
    for (int i = 0; i < steps.size(); i++) {
      if (forms.get(i) != Form.NUMBER && forms.get(i) != Form.SECONDS) {
        return true;
      }
      fixed += steps.get(i).bits() / Byte.SIZE;
    }
    return bytes == fixed || (isRepeated && bytes > 0 && bytes % fixed == 0);
  }

  /** Says what the value is, which is all that is left. */
  void dissect(Dissection dissection) {
    boolean goesOn;
    do {
      goesOn = once(dissection);
    } while (isRepeated && goesOn && dissection.left() > 0);
  }

  private boolean once(Dissection dissection) {
    int length = 0;
    for (int i = 0; i < steps.size() && (i < required || dissection.left() > 0); i++) {
      Field field = steps.get(i);
      Form form = forms.get(i);
      int bytes =
          switch (form) {
            case NUMBER, LENGTH, SECONDS -> field.bits() / Byte.SIZE;
            case NAME -> 0;
            case STRING -> length;
            case REST -> dissection.left();
          };
      if (!dissection.has(bytes)) {
        dissection.skip(bytes);
        return false;
      }
      switch (form) {
        case NAME -> {
          if (!DnsName.add(dissection, field)) {
            return false;
          }
        }
        case SECONDS -> seconds(dissection, field);
        default -> length = (int) dissection.add(field, bytes);
      }
    }
    return true;
  }

  /** Says what the time at the cursor is, in seconds since the epoch, of four bytes. */
  static void seconds(Dissection dissection, Field field) {
    dissection.value(field, dissection.u32(0) * NS_PER_SECOND, 0, 4);
    dissection.skip(4);
  }
}
