package io.linerate.decode;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A number without a fixed place, and the parts that its bits are divided into, from the highest
 * on. {@link Fields#parts} begins one; {@link Dissection#add(Parts)} says what all of them are.
 *
 * <pre>{@code
 * private static final Parts FLAGS =
 *     MPLS.parts("mpls.flags", 8, HEX, "Flags")
 *         .flag("mpls.flags.a", "First")
 *         .skip(5)
 *         .part("mpls.flags.b", 2, DECIMAL, "Second");
 * }</pre>
 */
public final class Parts {
  private final Fields owner;
  private final @Nullable Field whole;
  private final int bits;
  private final List<Field> parts = new ArrayList<>();
  private final List<Integer> shifts = new ArrayList<>();
  private int left;

  Parts(Fields owner, @Nullable Field whole, int bits) {
    if (bits <= 0 || bits > Long.SIZE || bits % Byte.SIZE != 0) {
      throw new IllegalArgumentException(
          "number cannot have so many bits: bits=%d; 8, 16 to 64 are possible".formatted(bits));
    }
    this.owner = owner;
    this.whole = whole;
    this.bits = bits;
    left = bits;
  }

  /** The next so many bits. */
  public Parts part(String name, int partBits, Kind kind, String label) {
    return part(name, partBits, kind, label, null);
  }

  /** As the other, with names of its values. */
  public Parts part(
      String name, int partBits, Kind kind, String label, @Nullable ValueNames values) {
    skip(partBits);
    parts.add(owner.inside(name, partBits, bits, kind, label, values));
    shifts.add(left);
    return this;
  }

  /** The next bit: set or not. */
  public Parts flag(String name, String label) {
    return part(name, 1, Kind.FLAG, label);
  }

  /** The next so many bits are no field. */
  public Parts skip(int count) {
    if (count <= 0 || count > left) {
      throw new IllegalArgumentException(
          "number has no such bits: protocol=%s, bits=%d, left=%d"
              .formatted(owner.name(), count, left));
    }
    left -= count;
    return this;
  }

  /** Whether the number itself is a field. */
  boolean hasWhole() {
    return whole != null;
  }

  /**
   * The number itself.
   *
   * @throws IllegalStateException if it is no field
   */
  public Field whole() {
    if (whole == null) {
      throw new IllegalStateException(
          "number is no field itself: protocol=%s, bits=%d".formatted(owner.name(), bits));
    }
    return whole;
  }

  int bytes() {
    return bits / Byte.SIZE;
  }

  boolean isLittleEndian() {
    return !parts.isEmpty() && parts.getFirst().isLittleEndian();
  }

  int size() {
    return parts.size();
  }

  Field part(int index) {
    return parts.get(index);
  }

  /** What a part is where the number has a value. */
  long value(int index, long value) {
    int count = parts.get(index).bits();
    return (value >>> shifts.get(index)) & (count == Long.SIZE ? -1 : (1L << count) - 1);
  }
}
