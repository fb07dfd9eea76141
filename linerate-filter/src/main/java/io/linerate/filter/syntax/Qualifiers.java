package io.linerate.filter.syntax;

/**
 * What stands in front of a name or number, such as {@code tcp dst port}.
 *
 * @param protocol whose
 * @param direction which of its
 * @param type what it is
 */
public record Qualifiers(Protocol protocol, Direction direction, IdType type) {
  /** Of what follows nothing that has qualifiers. */
  static final Qualifiers UNKNOWN = new Qualifiers(Protocol.ANY, Direction.ANY, IdType.UNKNOWN);
}
