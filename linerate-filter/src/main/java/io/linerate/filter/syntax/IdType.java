package io.linerate.filter.syntax;

/** What the name or number behind qualifiers is. */
public enum IdType {
  /** None is named: a host. */
  ANY,
  HOST,
  NET,
  PORT,
  PORTRANGE,
  GATEWAY,
  PROTO,
  PROTOCHAIN,
  /** Nothing was said of which it could be: {@code tcp and 80}. */
  UNKNOWN
}
