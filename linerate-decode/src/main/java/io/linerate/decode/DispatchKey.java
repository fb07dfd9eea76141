package io.linerate.decode;

/**
 * A number in a table, which stands for a protocol.
 *
 * @param value 0 to the {@link DispatchTable#highest} of the table
 */
public record DispatchKey(DispatchTable table, long value) {
  public DispatchKey {
    if (value < 0 || value > table.highest()) {
      throw new IllegalArgumentException(
          "number is out of range: table=%s, number=%d; 0 to %d are possible"
              .formatted(table.name(), value, table.highest()));
    }
  }
}
