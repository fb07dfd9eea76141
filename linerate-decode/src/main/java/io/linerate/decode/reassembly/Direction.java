package io.linerate.decode.reassembly;

/** Which way the bytes of a stream go. */
public enum Direction {
  /** From who has opened it, or was seen first. */
  TO_SERVER,
  /** The other way. */
  TO_CLIENT;

  /** The other one. */
  public Direction other() {
    return this == TO_SERVER ? TO_CLIENT : TO_SERVER;
  }
}
