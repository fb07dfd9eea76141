package io.linerate.parquet;

import io.linerate.decode.Field;
import io.linerate.decode.Kind;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** What the values of a column are in the file. */
enum ValueType {
  BOOLEAN(PrimitiveTypeName.BOOLEAN),
  INT(PrimitiveTypeName.INT32),
  LONG(PrimitiveTypeName.INT64),
  UNSIGNED_LONG(PrimitiveTypeName.INT64),
  FLOAT(PrimitiveTypeName.FLOAT),
  DOUBLE(PrimitiveTypeName.DOUBLE),
  TIME(PrimitiveTypeName.INT64),
  BYTES(PrimitiveTypeName.BINARY),
  TEXT(PrimitiveTypeName.BINARY);

  private final PrimitiveTypeName primitive;

  ValueType(PrimitiveTypeName primitive) {
    this.primitive = primitive;
  }

  PrimitiveTypeName primitive() {
    return primitive;
  }

  /** What readers take its bits for; null: they are what they are. */
  @Nullable LogicalTypeAnnotation meaning() {
    return switch (this) {
      case UNSIGNED_LONG -> LogicalTypeAnnotation.intType(Long.SIZE, false);
      case TIME -> LogicalTypeAnnotation.timestampType(true, LogicalTypeAnnotation.TimeUnit.NANOS);
      case TEXT -> LogicalTypeAnnotation.stringType();
      default -> null;
    };
  }

  /** Of a column with several fields: what holds all of them. With none: of a title. */
  static ValueType of(List<Field> fields) {
    return fields.stream().map(ValueType::of).reduce(ValueType::both).orElse(TEXT);
  }

  private static ValueType both(ValueType one, ValueType other) {
    boolean areIntegers = isSigned(one) && isSigned(other);
    return one == other ? one : areIntegers ? LONG : TEXT;
  }

  private static boolean isSigned(ValueType type) {
    return type == INT || type == LONG;
  }

  private static ValueType of(Field field) {
    return switch (field.kind()) {
      case DECIMAL, HEX -> unsigned(field);
      case SIGNED -> field.bits() > 0 && field.bits() <= Integer.SIZE ? INT : LONG;
      case FLAG, NONE -> BOOLEAN;
      case FLOAT -> field.bits() == Integer.SIZE ? FLOAT : DOUBLE;
      case TIME -> TIME;
      case DURATION -> LONG;
      case BYTES -> BYTES;
      case MAC, EUI64, IPV4, IPV6, UUID, TEXT, OID -> TEXT;
    };
  }

  /** A field without a fixed place may have more bits than it was declared with. */
  private static ValueType unsigned(Field field) {
    if (field.bits() == 0 || field.bits() == Long.SIZE) {
      return UNSIGNED_LONG;
    }
    long most = ((1L << field.bits()) - 1) * field.factor();
    return field.isFixed() && most <= Integer.MAX_VALUE ? INT : LONG;
  }

  /** Whether its values are kept as numbers. */
  boolean isNumber() {
    return this != TEXT && this != BYTES;
  }

  /** The number that is kept for a value of a field. */
  static long kept(Field field, long value) {
    if (field.kind() == Kind.FLAG) {
      return value == 0 ? 0 : 1;
    }
    int unused = field.kind() != Kind.SIGNED || field.bits() == 0 ? 0 : Long.SIZE - field.bits();
    return (value << unused) >> unused;
  }
}
