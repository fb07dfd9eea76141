package io.linerate.core.memory;

/**
 * Where packets are dropped.
 *
 * @param element of a graph; "" where it is none
 * @param port that refused them; "" if none did
 */
public record DropPlace(String element, String port) {
  /** A worker, and no place in it. */
  public static final DropPlace NONE = new DropPlace("", "");
}
