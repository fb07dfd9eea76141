package io.linerate.decode;

import static io.linerate.decode.Field.ANYWHERE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one protocol, in the order in which it declares them. Those with a fixed place
 * follow each other: each begins where the one before it ends.
 *
 * <pre>{@code
 * public static final Fields UDP = Fields.of("udp", "User Datagram Protocol", "RFC 768");
 * public static final Field SOURCE_PORT = UDP.field("udp.srcport", 16, DECIMAL, "Source port");
 * }</pre>
 *
 * <p>A protocol declares them in constants; nobody may once one of them was asked for.
 */
public final class Fields {
  private final String name;
  private final String title;
  private final List<Field> all = new ArrayList<>();
  private final List<Field> fixed = new ArrayList<>();
  private final List<Alias> aliases = new ArrayList<>();
  private List<Field> addresses = List.of();
  private List<Said> summary = List.of();
  private String source;
  private boolean isLittleEndian;
  private boolean isComplete;
  private int nextBit;
  private int fixedBytes;

  /**
   * A name for several fields at once, such as {@code udp.port}.
   *
   * @param fields that it stands for
   */
  public record Alias(String name, List<Field> fields) {}

  /**
   * A field that summaries say.
   *
   * @param label in front of its value; of a flag it stands alone, if that is set
   * @param field name of the field, of which there can be several
   */
  public record Said(String label, String field) {}

  private Fields(String name, String title, String source) {
    this.name = name;
    this.title = title;
    this.source = source;
  }

  /**
   * Begins a protocol's.
   *
   * @param name as users write it, in lower case; tshark's where it knows the protocol
   * @param title what people read
   * @param source the document that defines it
   */
  public static Fields of(String name, String title, String source) {
    if (name.isEmpty() || !name.equals(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "protocol has no such name: name=%s; write it in lower case".formatted(name));
    }
    return new Fields(name, title, source);
  }

  public String name() {
    return name;
  }

  public String title() {
    return title;
  }

  /** What is declared from here on is defined in another section or document. */
  public Fields source(String section) {
    source = section;
    return this;
  }

  /** What is declared from here on has its bytes last one first. */
  public Fields littleEndian() {
    isLittleEndian = true;
    return this;
  }

  /** What is declared from here on begins so many bytes behind the start of the layer. */
  public Fields at(int bytes) {
    nextBit = 8 * bytes;
    return this;
  }

  /** A field that follows the one before. */
  public Field field(String fieldName, int bits, Kind kind, String label) {
    return field(fieldName, bits, kind, label, null);
  }

  /** A field that follows the one before, with names of its values. */
  public Field field(
      String fieldName, int bits, Kind kind, String label, @Nullable ValueNames values) {
    return scaled(fieldName, bits, 1, kind, label, values);
  }

  /** A field that follows the one before, whose value is a multiple of its bits. */
  public Field scaled(String fieldName, int bits, int factor, Kind kind, String label) {
    return scaled(fieldName, bits, factor, kind, label, null);
  }

  private Field scaled(
      String fieldName,
      int bits,
      int factor,
      Kind kind,
      String label,
      @Nullable ValueNames values) {
    int at = nextBit;
    nextBit += bits;
    return add(fieldName, at, bits, container(bits), factor, kind, label, values);
  }

  /**
   * A part of a field that was declared before, or of several.
   *
   * @param bitOffset of its first bit from where the layer begins
   * @param containerBits of the integer that it is a part of
   */
  public Field part(
      String fieldName, int bitOffset, int bits, int containerBits, Kind kind, String label) {
    return part(fieldName, bitOffset, bits, containerBits, kind, label, null);
  }

  /** As the other, with names of its values. */
  public Field part(
      String fieldName,
      int bitOffset,
      int bits,
      int containerBits,
      Kind kind,
      String label,
      @Nullable ValueNames values) {
    return add(fieldName, bitOffset, bits, containerBits, 1, kind, label, values);
  }

  /**
   * A field without a fixed place.
   *
   * @param bits of it; 0 if it has no fixed length
   */
  public Field floating(String fieldName, int bits, Kind kind, String label) {
    return floating(fieldName, bits, kind, label, null);
  }

  /** As the other, with names of its values. */
  public Field floating(
      String fieldName, int bits, Kind kind, String label, @Nullable ValueNames values) {
    return add(fieldName, ANYWHERE, bits, container(bits), 1, kind, label, values);
  }

  /** A number without a fixed place that has parts: they are declared with what this answers. */
  public Parts parts(String fieldName, int bits, Kind kind, String label) {
    return parts(fieldName, bits, kind, label, null);
  }

  /** As the other, with names of its values. */
  public Parts parts(
      String fieldName, int bits, Kind kind, String label, @Nullable ValueNames values) {
    return new Parts(this, floating(fieldName, bits, kind, label, values), bits);
  }

  /** As the other, of a number that is no field itself. */
  public Parts parts(int bits) {
    return new Parts(this, null, bits);
  }

  /** A part of a number without a fixed place. */
  Field inside(
      String fieldName,
      int bits,
      int containerBits,
      Kind kind,
      String label,
      @Nullable ValueNames values) {
    return add(fieldName, ANYWHERE, bits, containerBits, 1, kind, label, values);
  }

  /** A field without a fixed place, whose value is a multiple of its bits. */
  public Field scaledFloating(String fieldName, int bits, int factor, Kind kind, String label) {
    return add(fieldName, ANYWHERE, bits, container(bits), factor, kind, label, null);
  }

  /** A name for several fields that were declared before. */
  public void alias(String aliasName, Field... fields) {
    requireOpen(aliasName);
    aliases.add(new Alias(aliasName, List.of(fields)));
  }

  private static int container(int bits) {
    return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 24 ? 24 : bits <= 32 ? 32 : (bits + 7) & ~7;
  }

  private Field add(
      String fieldName,
      int bitOffset,
      int bits,
      int containerBits,
      int factor,
      Kind kind,
      String label,
      @Nullable ValueNames values) {
    requireOpen(fieldName);
    if (bits < 0 || (kind.isNumber() && bits > Long.SIZE)) {
      throw new IllegalArgumentException(
          "field has a width that it cannot have: field=%s, bits=%d, kind=%s; a number has 0 to 64, what is longer is BYTES"
              .formatted(fieldName, bits, kind));
    }
    Field field =
        new Field(
            this,
            all.size(),
            fieldName,
            label,
            kind,
            bitOffset,
            bits,
            containerBits,
            factor,
            isLittleEndian,
            source,
            values);
    all.add(field);
    if (field.isFixed()) {
      fixed.add(field);
      fixedBytes = Math.max(fixedBytes, field.byteOffset() + field.bytes());
    }
    return field;
  }

  private void requireOpen(String declared) {
    if (isComplete) {
      throw new IllegalStateException(
          "fields of the protocol are in use already: protocol=%s, field=%s; declare all of them in constants of one class"
              .formatted(name, declared));
    }
  }

  /** Those with fixed places that tell who speaks to whom: for summaries. */
  public void addresses(Field source, Field destination) {
    requireOpen("addresses");
    addresses = List.of(source, destination);
  }

  /** Those that tell most: for summaries, which say {@code name=value} of each. */
  public void summary(Field... fields) {
    requireOpen("summary");
    summary = Arrays.stream(fields).map(field -> new Said(key(field) + "=", field.name())).toList();
  }

  private static String key(Field field) {
    return field.name().substring(field.name().indexOf('.') + 1);
  }

  /**
   * Those that tell most, in the order in which summaries say them: each the name of a field, whose
   * value alone is said, or with a label of its own, as in {@code "host=|http.host"}. The label of
   * a flag stands alone, if that is set.
   *
   * <pre>{@code
   * HTTP.summary("http.request.method", "http.request.uri", "host=|http.host");
   * }</pre>
   */
  public void summary(String... fieldsWithLabels) {
    requireOpen("summary");
    summary = Arrays.stream(fieldsWithLabels).map(Fields::said).toList();
  }

  private static Said said(String text) {
    int end = text.indexOf('|');
    return new Said(text.substring(0, Math.max(end, 0)), text.substring(end + 1));
  }

  /** Those that tell who speaks to whom; none if no field does. */
  public List<Field> addresses() {
    return addresses;
  }

  /** Those that tell most; none if they were not declared. */
  public List<Said> summary() {
    return summary;
  }

  /** All of them. */
  public List<Field> all() {
    isComplete = true;
    return Collections.unmodifiableList(all);
  }

  /** Those with a fixed place; nobody changes them. */
  List<Field> fixed() {
    isComplete = true;
    return fixed;
  }

  /** Offset of the first byte behind all of those from where the layer begins. */
  int fixedBytes() {
    return fixedBytes;
  }

  /** All names for several. */
  public List<Alias> aliases() {
    isComplete = true;
    return Collections.unmodifiableList(aliases);
  }

  @Override
  public String toString() {
    return name;
  }
}
