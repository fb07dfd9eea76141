package io.linerate.bench.access;

/**
 * Offsets in the struct of access.c, in network byte order.
 *
 * <pre>
 *   0        4             8      10         12        16   17        18        20    24
 *  +--------+-------------+------+----------+---------+----+---------+---------+------+
 *  | source | destination | port | to port  | sequence| ttl| protocol| checksum| mark |
 *  +--------+-------------+------+----------+---------+----+---------+---------+------+
 * </pre>
 */
final class RecordLayout {
  static final int SOURCE = 0;
  static final int DESTINATION = SOURCE + 4;
  static final int SOURCE_PORT = DESTINATION + 4;
  static final int DESTINATION_PORT = SOURCE_PORT + 2;
  static final int SEQUENCE = DESTINATION_PORT + 2;
  static final int TTL = SEQUENCE + 4;
  static final int PROTOCOL = TTL + 1;
  static final int CHECKSUM = PROTOCOL + 1;
  static final int BYTES = 24;

  private RecordLayout() {}
}
