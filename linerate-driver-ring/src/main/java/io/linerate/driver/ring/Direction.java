package io.linerate.driver.ring;

/** Which packets of a port are meant: received, transmitted, or both. */
enum Direction {
  RX,
  TX,
  BOTH;

  boolean receives() {
    return this != TX;
  }

  boolean transmits() {
    return this != RX;
  }
}
