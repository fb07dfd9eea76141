package io.linerate.decode;

/**
 * A number in a table, which stands for a protocol.
 *
 * @param value 0 to 4,294,967,295
 */
public record DispatchKey(DispatchTable table, long value) {
  private static final long MAX = 0xFFFF_FFFFL;

  public DispatchKey {
    if (value < 0 || value > MAX) {
      throw new IllegalArgumentException(
          "number is out of range: table=%s, value=%d; 0 to %d are possible"
              .formatted(table.name(), value, MAX));
    }
  }
}
