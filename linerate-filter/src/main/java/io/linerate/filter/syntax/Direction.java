package io.linerate.filter.syntax;

/** Which address or port of a packet is meant. */
public enum Direction {
  /** None is named: either. */
  ANY,
  SRC,
  DST,
  SRC_OR_DST,
  SRC_AND_DST,
  ADDR1,
  ADDR2,
  ADDR3,
  ADDR4,
  RA,
  TA
}
